// SPDX-License-Identifier: Apache-2.0
// A transfer as nested copy loops with the zero borders split off the innermost one.
#pragma once

#include <string>

#include "compiler/codegen/writer.h"
#include "compiler/ir/program.h"

namespace swgen::codegen::x86 {

/// Writes the loops; `to` and `from` are C expressions of the two base pointers.
void write_transfer(Writer& w, const ir::Program& program, const ir::Transfer& transfer,
                    const ir::Limits& limits, const std::string& to, const std::string& from);

}  // namespace swgen::codegen::x86
