// SPDX-License-Identifier: Apache-2.0
// Program -> the files of one x86 kernel: header, kernel, one file per instruction set, dispatcher,
// self-test.
#pragma once

#include "compiler/codegen/bundle.h"
#include "compiler/target/target.h"

namespace swgen::codegen::x86 {

/// Throws base::Infeasible when the program does not suit the target.
SourceBundle make_sources(const ir::Program& program, const target::Target& target,
                          const Provenance& provenance, const ir::Seed& reference);

/// Compiler flags of the files src/<symbol>_<level>.cpp.
std::string isa_flags(const std::string& level);

}  // namespace swgen::codegen::x86
