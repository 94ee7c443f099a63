// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/node.h"

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::frontend {
namespace {

constexpr size_t kLongestQuote = 40;

}  // namespace

base::SourceLocation Node::place_of(size_t offset) const {
  base::SourceLocation place = at;
  if (text_column > 0) place.column = text_column + static_cast<int>(offset);
  return place;
}

const Entry* find_entry(const std::vector<Entry>& entries, const std::string& key) {
  for (const Entry& entry : entries)
    if (entry.key.text == key) return &entry;
  return nullptr;
}

std::string shorten(const std::string& text) {
  std::string out = text.substr(0, kLongestQuote);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text.size() > kLongestQuote ? out + "..." : out;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::plain:
      return base::cat("'", shorten(node.text), "'");
    case Node::Kind::quoted:
      return "a quoted string \"" + shorten(node.text) + "\"";
    case Node::Kind::sequence:
      return node.items.empty() ? "an empty list" : "a list";
    case Node::Kind::mapping:
      return "a mapping";
    case Node::Kind::refused:
      break;
  }
  throw base::InternalError("describe() of a node that was refused");
}

}  // namespace swgen::frontend
