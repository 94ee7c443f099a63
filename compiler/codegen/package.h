// SPDX-License-Identifier: Apache-2.0
// SourceBundles -> one package: a CMake project that other projects use by add_subdirectory() or
// find_package(). Texts only; who writes them to disk is the command line.
#pragma once

#include "compiler/codegen/bundle.h"

namespace swgen::codegen {

/// Throws base::UserError when two kernels would export the same symbols.
std::vector<SourceFile> make_package(const std::string& name, const std::vector<SourceBundle>& bundles);

}  // namespace swgen::codegen
