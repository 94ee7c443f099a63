// SPDX-License-Identifier: Apache-2.0
// A YAML document as plain data, every node with its place. Made by yaml_reader, read by the rest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/base/diagnostics.h"

namespace swgen::frontend {

struct Entry;

struct Node {
  enum class Kind {
    null,    // nothing written, or `~` or `null`
    plain,   // a scalar without quotes
    quoted,  // a scalar in quotes, or a block scalar
    sequence,
    mapping,
    refused,  // already reported (an alias, for example); readers skip it silently
  };

  Kind kind = Kind::null;
  base::SourceLocation at;
  std::string text;            // plain, quoted: the value
  int text_column = 0;         // column of text[0] if the text stands verbatim in one line, else 0
  std::vector<Node> items;     // sequence
  std::vector<Entry> entries;  // mapping, in the order written, no key twice
  bool incomplete = false;     // mapping: keys were refused, do not complain about missing ones

  bool is_text() const { return kind == Kind::plain || kind == Kind::quoted; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_mapping() const { return kind == Kind::mapping; }
  bool is_refused() const { return kind == Kind::refused; }

  /// The place of text[offset]; the node's own place when escapes or line breaks hide it.
  base::SourceLocation place_of(size_t offset) const;
};

struct Entry {
  Node key;  // plain or quoted
  Node value;
};

/// The entry of `mapping` with this key, or null.
const Entry* find_entry(const std::vector<Entry>& entries, const std::string& key);

/// What was found, for messages: `nothing`, `'abc'`, `a quoted string "3"`, `a list`, `a mapping`.
std::string describe(const Node& node);

/// `text` for messages: control characters blanked, long text cut.
std::string shorten(const std::string& text);

}  // namespace swgen::frontend
