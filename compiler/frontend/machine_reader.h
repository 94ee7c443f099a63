// SPDX-License-Identifier: Apache-2.0
// A machine file: numbers of a target that differ from the built-in ones, under the names that
// `swgen machine --target NAME` prints.
#pragma once

#include <string>

#include "compiler/base/diagnostics.h"
#include "compiler/target/target.h"

namespace swgen::frontend {

/// `target` with the numbers of the YAML text of `file`: one mapping of names to numbers, or to lists
/// of numbers, one per cache level. All errors are reported; then the target is as it came.
target::Target read_machine(const std::string& file, const std::string& text, const target::Target& target,
                            base::Diagnostics& errors);

/// Reads the file from disk first; a missing or unreadable file is an error at `path`.
target::Target read_machine_file(const std::string& path, const target::Target& target, base::Diagnostics& errors);

}  // namespace swgen::frontend
