// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "cli/db_actions.h"
#include "cli/output.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/frontend/suggest.h"

namespace swgen::cli {
namespace {

using tuning_db::Database;
using tuning_db::Record;
using tuning_db::TargetRow;
using tuning_db::WorkloadRow;

/// A database can hold thousands of names: the message counts them and names the nearest.
[[noreturn]] void refuse(const std::string& what, const std::string& found, const Database& db,
                         const std::vector<std::string>& names) {
  const std::string near = frontend::nearest(found, names);
  throw base::UserError(base::cat("found ", what, " '", found, "', expected one of the ",
                                  names.size(), " in ", db.path(), " ('swgen db list' shows them)",
                                  near.empty() ? "" : "; did you mean '" + near + "'?"));
}

std::set<std::string> workload_keys(const Database& db, const std::vector<std::string>& wanted) {
  std::set<std::string> keys;
  for (const std::string& text : wanted) {
    const auto row = db.workload(text);
    if (!row) {
      std::vector<std::string> names;
      for (const WorkloadRow& other : db.workloads()) names.push_back(other.name);
      refuse("workload", text, db, names);
    }
    keys.insert(row->key);
  }
  return keys;
}

bool is_called(const TargetRow& row, const std::string& text) {
  return text == row.key || text == row.name || text == label_of(row);
}

std::set<std::string> target_keys(const Database& db, const std::string& wanted) {
  std::set<std::string> keys;
  if (wanted.empty()) return keys;
  std::vector<std::string> labels;
  for (const TargetRow& row : db.targets()) {
    labels.push_back(label_of(row));
    if (is_called(row, wanted)) keys.insert(row.key);
  }
  if (keys.empty()) refuse("target", wanted, db, labels);
  return keys;
}

}  // namespace

DbContents read_contents(const Database& db, const std::vector<std::string>& workloads,
                         const DbOptions& options) {
  const std::set<std::string> chosen_workloads = workload_keys(db, workloads);
  const std::set<std::string> chosen_targets = target_keys(db, options.target);
  const auto is_chosen = [](const std::set<std::string>& keys, const std::string& key) {
    return keys.empty() || keys.count(key) != 0;
  };
  DbContents contents;
  // Records first: rows are never deleted, so those read later hold all that the records refer to.
  for (Record& record : db.records())
    if (is_chosen(chosen_workloads, record.workload_key) &&
        is_chosen(chosen_targets, record.target_key) &&
        (options.threads == 0 || record.threads == options.threads))
      contents.records.push_back(std::move(record));
  for (WorkloadRow& row : db.workloads())
    if (is_chosen(chosen_workloads, row.key)) contents.workloads.emplace(row.key, std::move(row));
  for (TargetRow& row : db.targets())
    if (is_chosen(chosen_targets, row.key)) contents.targets.emplace(row.key, std::move(row));
  return contents;
}

std::string label_of(const TargetRow& target) {
  return target.level.empty() ? target.name : target.name + "-" + target.level;
}

double percent_of_peak(const Record& record) {
  return record.peak_gflops > 0 ? 100 * record.gflops / record.peak_gflops : 0;
}

double time_of(const Record& record) {
  return record.how == "predicted" ? record.predicted_seconds : record.seconds;
}

llvm::json::Object workload_json(const WorkloadRow& row) {
  return llvm::json::Object{{"key", row.key},
                            {"name", json_text(row.name)},
                            {"op", json_text(row.op)},
                            {"canonical", json_text(row.canonical)}};
}

llvm::json::Object target_json(const TargetRow& row) {
  return llvm::json::Object{{"key", row.key},
                            {"name", json_text(row.name)},
                            {"level", json_text(row.level)},
                            {"fingerprint", json_text(row.fingerprint)}};
}

llvm::json::Object record_json(const Record& record) {
  llvm::json::Value provenance = nullptr;
  if (auto parsed = llvm::json::parse(record.provenance))
    provenance = std::move(*parsed);
  else
    llvm::consumeError(parsed.takeError());
  return llvm::json::Object{{"id", record.id},
                            {"workload_key", record.workload_key},
                            {"target_key", record.target_key},
                            {"schedule", json_text(record.schedule)},
                            {"threads", record.threads},
                            {"verdict", tuning_db::to_string(record.verdict)},
                            {"reason", json_text(record.reason)},
                            {"how", record.how},
                            {"seconds", record.seconds},
                            {"predicted_seconds", record.predicted_seconds},
                            {"gflops", record.gflops},
                            {"peak_gflops", record.peak_gflops},
                            {"percent_of_peak", percent_of_peak(record)},
                            {"samples", llvm::json::Array(record.samples)},
                            {"provenance", std::move(provenance)},
                            {"created", record.created}};
}

}  // namespace swgen::cli
