// SPDX-License-Identifier: Apache-2.0
// Program -> text of an x86 kernel: loops, transfers and micro-kernels in C++ with vector extensions.
#pragma once

#include "compiler/codegen/bundle.h"
#include "compiler/target/target.h"

namespace swgen::codegen::x86 {

/// The kernel body: everything inside the anonymous namespace, ending with `pack` and `run`.
/// Also fills the facts of `bundle` (arguments, workspace, grain).
std::string kernel_text(const ir::Program& program, const target::Target& target, const ir::Seed& reference,
                        SourceBundle& bundle);

}  // namespace swgen::codegen::x86
