// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/overrides.h"

#include <algorithm>

#include "compiler/frontend/yaml_reader.h"

namespace swgen::frontend {
namespace {

void put(std::vector<Entry>& fields, const Entry& field) {
  const auto same = [&](const Entry& other) { return other.key.text == field.key.text; };
  const auto found = std::find_if(fields.begin(), fields.end(), same);
  if (found == fields.end())
    fields.push_back(field);
  else
    *found = field;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string override_source(const std::vector<Override>& overrides) {
  std::string source;
  for (const Override& o : overrides) source += one_line(o.key + "=" + o.value) + "\n";
  return source;
}

std::vector<Entry> read_overrides(const std::vector<Override>& overrides,
                                  base::Diagnostics& errors) {
  std::vector<Entry> fields;
  int line = 0;
  for (const Override& o : overrides) {
    Entry field;
    field.key.kind = Node::Kind::plain;
    field.key.text = o.key;
    field.key.at = {kOverrideFile, ++line, 1};
    const base::SourceLocation at{kOverrideFile, line, static_cast<int>(o.key.size()) + 2};
    if (o.key.empty()) {
      errors.error(field.key.at, "found no key, expected key=value");
      continue;
    }
    std::optional<Node> value = read_yaml(one_line(o.value), at, errors);
    if (!value) continue;
    field.value = std::move(*value);
    if (field.value.kind == Node::Kind::null) field.value.at = at;
    put(fields, field);
  }
  return fields;
}

std::vector<Entry> apply_overrides(std::vector<Entry> fields, const std::vector<Entry>& overrides) {
  for (const Entry& field : overrides) put(fields, field);
  return fields;
}

bool is_override(const Entry& field) { return field.key.at.file == kOverrideFile; }

}  // namespace swgen::frontend
