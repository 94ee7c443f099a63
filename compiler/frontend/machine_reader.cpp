// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/machine_reader.h"

#include <functional>

#include "compiler/base/text.h"
#include "compiler/frontend/reader.h"
#include "compiler/frontend/scalars.h"
#include "compiler/frontend/suggest.h"
#include "compiler/frontend/yaml_reader.h"

namespace swgen::frontend {
namespace {

using target::Target;

/// Sets one number of a target; reports what it can't read.
struct Field {
  const char* name;
  std::function<void(Target&, const Node&, base::Diagnostics&)> set;
};

Field decimal(const char* name, double Target::*member) {
  return {name, [member](Target& t, const Node& node, base::Diagnostics& errors) {
            if (const auto value = read_decimal(node, errors)) t.*member = *value;
          }};
}

Field whole(const char* name, int64_t Target::*member) {
  return {name, [member](Target& t, const Node& node, base::Diagnostics& errors) {
            if (const auto value = read_integer(node, 1, errors)) t.*member = *value;
          }};
}

template <class T, class Read>
Field list(const char* name, std::vector<T> Target::*member, Read read) {
  return {name, [=](Target& t, const Node& node, base::Diagnostics& errors) {
            const size_t expected = (t.*member).size();
            if (node.is_refused()) return;
            if (!node.is_sequence() || node.items.size() != expected) {
              errors.error(node.at, base::cat("found ", node.is_sequence() ? base::cat("a list of ", node.items.size()) : describe(node),
                                              ", expected a list of ", expected, " numbers"));
              return;
            }
            for (size_t i = 0; i < expected; ++i)
              if (const auto value = read(node.items[i], errors)) (t.*member)[i] = *value;
          }};
}

std::vector<Field> fields_of(const Target& t) {
  std::vector<Field> fields = {decimal("clock_ghz", &Target::clock_ghz), decimal("peak_gflops", &Target::peak_gflops),
                               decimal("peak_gflops_f64", &Target::peak_gflops_f64),
                               decimal("memory_gbps", &Target::memory_gbps)};
  if (t.has_scratch) {
    fields.push_back(whole("scratch_bytes", &Target::scratch_bytes));
  } else {
    const auto bytes = [](const Node& node, base::Diagnostics& errors) { return read_integer(node, 1, errors); };
    fields.push_back(list("cache_bytes", &Target::cache_bytes, bytes));
    fields.push_back(list("cache_gbps", &Target::cache_gbps, read_decimal));
  }
  return fields;
}

}  // namespace

Target read_machine(const std::string& file, const std::string& text, const Target& target, base::Diagnostics& errors) {
  errors.add_source(file, text);
  base::Diagnostics found;
  Target read = target;
  const auto root = read_yaml(text, {file, 1, 1}, found);
  if (root && !root->is_mapping() && !root->is_refused())
    found.error(root->kind == Node::Kind::null ? base::SourceLocation{file, 0, 0} : root->at,
                "found " + describe(*root) + ", expected a mapping of a machine's numbers");
  const std::vector<Field> fields = fields_of(target);
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  if (root)
    for (const Entry& entry : root->entries) {
      bool known = false;
      for (const Field& field : fields) {
        if (entry.key.text != field.name) continue;
        known = true;
        field.set(read, entry.value, found);
        read.given.emplace_back(field.name);
      }
      if (!known)
        found.error(entry.key.at, "found the unknown key '" + shorten(entry.key.text) + "', " +
                                      expected_one_of(entry.key.text, names));
    }
  for (const base::Diagnostic& d : found.errors()) errors.error(d.at, d.message);
  return found.any() ? target : read;
}

Target read_machine_file(const std::string& path, const Target& target, base::Diagnostics& errors) {
  const auto text = read_text_file(path, "a machine file", errors);
  return text ? read_machine(path, *text, target, errors) : target;
}

}  // namespace swgen::frontend
