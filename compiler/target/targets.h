// SPDX-License-Identifier: Apache-2.0
// The targets there are; one file each.
#pragma once

#include "compiler/target/target.h"

namespace swgen::target {

/// `level`: generic, avx2 or avx512. Cache sizes are read from this machine.
Target x86(const std::string& level);
std::string best_x86_level();
bool x86_level_runs_here(const std::string& level);
std::string cpu_model();

Target sw26010();

}  // namespace swgen::target
