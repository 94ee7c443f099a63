// SPDX-License-Identifier: Apache-2.0
// The functions on tiles in scratch that a kernel's slave code calls, as assembly, C and declarations.
#pragma once

#include <string>
#include <vector>

#include "compiler/codegen/bundle.h"
#include "compiler/ir/program.h"

namespace swgen::codegen::sw26010 {

/// `symbol`: of the kernel; `note`: its provenance as C comments.
std::vector<SourceFile> primitive_files(const std::string& symbol, const std::string& note, ir::DType dtype, ir::Lanes lanes);

}  // namespace swgen::codegen::sw26010
