// SPDX-License-Identifier: Apache-2.0
// Program -> text of the computing cores' code.
#pragma once

#include <string>
#include <vector>

#include "compiler/codegen/box_loops.h"
#include "compiler/codegen/writer.h"
#include "compiler/ir/program.h"
#include "compiler/target/target.h"

namespace swgen::codegen::sw26010 {

/// The slave functions, one per stage, and what they need; the last one's loops are narrowed to `box`. `entries` gets their names in order.
std::string slave_text(const ir::Program& program, const target::Target& target, const BoxLoops& box,
                       const std::string& symbol, std::vector<std::string>& entries);

/// A gather stage: rows of the output are dealt to the cores. Returns the bytes of scratch it uses.
int64_t write_gather(Writer& w, const ir::Program& program, const ir::StageProgram& stage, const std::string& symbol,
                     const std::string& entry);

}  // namespace swgen::codegen::sw26010
