// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/reader.h"

#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "compiler/base/text.h"
#include "compiler/frontend/entry_reader.h"
#include "compiler/frontend/overrides.h"
#include "compiler/frontend/suggest.h"
#include "compiler/frontend/yaml_reader.h"

namespace swgen::frontend {
namespace {

// The list of `workloads:`, or null after an error.
const Node* find_workloads(const Node& root, base::Diagnostics& errors) {
  const char* expected = ", expected 'workloads:' with a list of workloads";
  if (!root.is_mapping()) {
    const bool empty = root.kind == Node::Kind::null;
    if (!root.is_refused())
      errors.error(empty ? base::SourceLocation{root.at.file, 0, 0} : root.at,
                   "found " + describe(root) + expected);
    return nullptr;
  }
  for (const Entry& entry : root.entries)
    if (entry.key.text != "workloads")
      errors.error(entry.key.at, "found the unknown key '" + shorten(entry.key.text) + "', " +
                                     expected_one_of(entry.key.text, {"workloads"}));
  const Entry* entry = find_entry(root.entries, "workloads");
  if (entry == nullptr) {
    if (root.entries.empty() && !root.incomplete)
      errors.error(root.at, std::string("found no key") + expected);
    return nullptr;
  }
  const Node& list = entry->value;
  if (list.is_refused()) return nullptr;
  if (list.is_sequence() && !list.items.empty()) return &list;
  errors.error(list.at, "found " + describe(list) + ", expected a list of workloads");
  return nullptr;
}

void require_unique_names(const std::vector<Workload>& workloads, base::Diagnostics& errors) {
  std::map<std::string, base::SourceLocation> first;
  for (const Workload& w : workloads) {
    const auto [known, fresh] = first.insert({w.name, w.where("name")});
    if (fresh) continue;
    const base::SourceLocation& at = known->second;
    const std::string place =
        at.file == w.where("name").file ? base::cat("line ", at.line) : at.file;
    errors.error(w.where("name"), "found the name '" + w.name +
                                      "' again, expected distinct names (first in " + place + ")");
  }
}

// Expanded workloads and overrides share places, so one mistake may be reported several times.
void report_once(const base::Diagnostics& found, base::Diagnostics& errors) {
  std::set<std::tuple<std::string, int, int, std::string>> seen;
  for (const base::Diagnostic& d : found.errors())
    if (seen.insert({d.at.file, d.at.line, d.at.column, d.message}).second)
      errors.error(d.at, d.message);
}

std::vector<Workload> read_list(const Node& list, const std::vector<OperatorSchema>& operators,
                                const std::vector<Entry>& overrides, base::Diagnostics& errors) {
  std::vector<Workload> workloads;
  for (const Node& item : list.items)
    for (Workload& w : read_entry(item, operators, overrides, errors))
      workloads.push_back(std::move(w));
  require_unique_names(workloads, errors);
  return workloads;
}

}  // namespace

std::vector<Workload> read_workloads(const std::string& file, const std::string& text,
                                     const std::vector<OperatorSchema>& operators,
                                     const std::vector<Override>& overrides,
                                     base::Diagnostics& errors) {
  errors.add_source(file, text);
  errors.add_source(kOverrideFile, override_source(overrides));
  base::Diagnostics found;
  const std::vector<Entry> fields = read_overrides(overrides, found);
  std::vector<Workload> workloads;
  if (const auto root = read_yaml(text, {file, 1, 1}, found))
    if (const Node* list = find_workloads(*root, found))
      workloads = read_list(*list, operators, fields, found);
  report_once(found, errors);
  return found.any() ? std::vector<Workload>{} : workloads;
}

std::optional<std::string> read_text_file(const std::string& path, const std::string& expected,
                                          base::Diagnostics& errors) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // Opening a folder succeeds; only reading from it fails.
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.is_open() && !in.bad() && (!in.fail() || in.eof())) return text.str();
  errors.error({path, 0, 0}, "found no readable file, expected " + expected);
  return std::nullopt;
}

std::vector<Workload> read_workload_file(const std::string& path,
                                         const std::vector<OperatorSchema>& operators,
                                         const std::vector<Override>& overrides,
                                         base::Diagnostics& errors) {
  const auto text = read_text_file(path, "a workload file", errors);
  if (!text) return {};
  return read_workloads(path, *text, operators, overrides, errors);
}

}  // namespace swgen::frontend
