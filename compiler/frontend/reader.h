// SPDX-License-Identifier: Apache-2.0
// Reads workload files. First station of every request: text -> Workloads, or all errors at once.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/workload.h"

namespace swgen::frontend {

/// A `--set key=value` of the command line; replaces or adds the field in every workload.
struct Override {
  std::string key;
  std::string value;
};

/// Reads the YAML text of `file` (design: `workloads:` with one mapping per workload). Lists in
/// scalar parameters expand to several workloads named `name.key<value>`. All semantic errors are
/// reported to `errors`; a syntax error ends the file. On any error the result is empty.
std::vector<Workload> read_workloads(const std::string& file, const std::string& text,
                                     const std::vector<OperatorSchema>& operators,
                                     const std::vector<Override>& overrides,
                                     base::Diagnostics& errors);

/// The contents of a file; reports one that is missing or unreadable, with what was `expected`.
std::optional<std::string> read_text_file(const std::string& path, const std::string& expected,
                                          base::Diagnostics& errors);

/// Reads the file from disk first; a missing or unreadable file is an error at `path`.
std::vector<Workload> read_workload_file(const std::string& path,
                                         const std::vector<OperatorSchema>& operators,
                                         const std::vector<Override>& overrides,
                                         base::Diagnostics& errors);

}  // namespace swgen::frontend
