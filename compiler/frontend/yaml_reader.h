// SPDX-License-Identifier: Apache-2.0
// YAML text -> Node tree. The only file of the front end that knows LLVM's YAML parser.
#pragma once

#include <optional>
#include <string>

#include "compiler/base/diagnostics.h"
#include "compiler/frontend/node.h"

namespace swgen::frontend {

/// Parses one YAML document whose first character stands at `origin`. Anchors, aliases, `<<`, tags,
/// keys that are no scalars, duplicate keys and further documents are errors; what is refused
/// becomes a node of kind `refused`, so that the rest can still be checked. A syntax error is
/// reported alone and gives nothing.
std::optional<Node> read_yaml(const std::string& text, const base::SourceLocation& origin,
                              base::Diagnostics& errors);

}  // namespace swgen::frontend
