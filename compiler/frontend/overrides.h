// SPDX-License-Identifier: Apache-2.0
// `--set key=value` of the command line as YAML fields, with places of their own.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/node.h"
#include "compiler/frontend/reader.h"

namespace swgen::frontend {

/// The file name that messages about overrides show. Line n is the n-th `--set`.
inline constexpr const char* kOverrideFile = "--set";

/// The overrides as text, one per line: the source that messages quote.
std::string override_source(const std::vector<Override>& overrides);

/// Parses every value like a YAML scalar or flow value. A key given twice: the last one wins.
std::vector<Entry> read_overrides(const std::vector<Override>& overrides,
                                  base::Diagnostics& errors);

/// `fields` with the overrides' values in place of their own; new keys come last.
std::vector<Entry> apply_overrides(std::vector<Entry> fields, const std::vector<Entry>& overrides);

/// Whether the field came from the command line.
bool is_override(const Entry& field);

}  // namespace swgen::frontend
