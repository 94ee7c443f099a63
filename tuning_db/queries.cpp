// SPDX-License-Identifier: Apache-2.0
// Everything that only reads, except check().
#include "tuning_db/database.h"
#include "tuning_db/session.h"

namespace swgen::tuning_db {
namespace {

const std::string kWorkloadColumns = "w.key, w.name, w.op, w.canonical";

WorkloadRow read_workload(const Statement& row) {
  return {row.text(0), row.text(1), row.text(2), row.text(3)};
}

std::vector<WorkloadRow> read_workloads(Statement& rows) {
  std::vector<WorkloadRow> workloads;
  while (rows.step()) workloads.push_back(read_workload(rows));
  return workloads;
}

std::optional<Record> first_record(Statement& rows) {
  if (!rows.step()) return std::nullopt;
  return read_record(rows);
}

std::string select_records(const std::string& rest) {
  return "SELECT " + kRecordColumns + " FROM records " + rest;
}

[[noreturn]] void fail_ambiguous(const std::string& path, const std::string& name,
                                 const std::vector<WorkloadRow>& rows) {
  std::string problem =
      "the name '" + name + "' belongs to " + std::to_string(rows.size()) + " workloads:";
  for (const WorkloadRow& row : rows) problem += "\n  " + row.key + " " + row.canonical;
  throw DatabaseError(path, problem + "\n", "give the key of one of them instead");
}

}  // namespace

std::vector<Record> Database::trials(const std::string& workload_key, const std::string& target_key,
                                     int threads) const {
  std::vector<Record> result;
  session_->read([&](Connection& connection) {
    Statement rows(connection,
                   select_records("WHERE workload_key = ? AND target_key = ? AND threads = ? ORDER BY id"),
                   workload_key, target_key, threads);
    result = read_records(rows);
  });
  return result;
}

std::vector<Record> Database::records() const {
  std::vector<Record> result;
  session_->read([&](Connection& connection) {
    Statement rows(connection, select_records("ORDER BY id"));
    result = read_records(rows);
  });
  return result;
}

std::optional<Record> Database::record(std::int64_t id) const {
  std::optional<Record> result;
  session_->read([&](Connection& connection) {
    Statement rows(connection, select_records("WHERE id = ?"), id);
    result = first_record(rows);
  });
  return result;
}

std::optional<Record> Database::find(const std::string& workload_key, const std::string& target_key,
                                     const std::string& schedule, int threads,
                                     const std::string& how) const {
  std::optional<Record> result;
  session_->read([&](Connection& connection) {
    Statement rows(connection,
                   select_records("WHERE workload_key = ? AND target_key = ? AND threads = ? "
                                  "AND schedule = ? AND how = ?"),
                   workload_key, target_key, threads, schedule, how);
    result = first_record(rows);
  });
  return result;
}

std::optional<Record> Database::best(const std::string& workload_key, const std::string& target_key,
                                     int threads) const {
  std::optional<Record> result;
  session_->read([&](Connection& connection) {
    // One ordering for both groups: a false comparison (0) sorts before a true one (1).
    Statement rows(connection,
                   select_records("WHERE workload_key = ? AND target_key = ? AND threads = ? "
                                  "AND verdict = 'ok' ORDER BY how = 'predicted', "
                                  "provenance NOT LIKE '%\"confirmed_by\"%', "
                                  "CASE how WHEN 'predicted' THEN predicted_seconds ELSE seconds END, "
                                  "id LIMIT 1"),
                   workload_key, target_key, threads);
    result = first_record(rows);
  });
  return result;
}

std::vector<WorkloadRow> Database::workloads() const {
  std::vector<WorkloadRow> result;
  session_->read([&](Connection& connection) {
    Statement rows(connection, "SELECT " + kWorkloadColumns + " FROM workloads w ORDER BY name, key");
    result = read_workloads(rows);
  });
  return result;
}

std::vector<TargetRow> Database::targets() const {
  std::vector<TargetRow> result;
  session_->read([&](Connection& connection) {
    result.clear();
    Statement rows(connection, "SELECT key, name, level, fingerprint FROM targets ORDER BY name, key");
    while (rows.step()) result.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3)});
  });
  return result;
}

std::optional<WorkloadRow> Database::workload(const std::string& key_or_name) const {
  std::vector<WorkloadRow> found;
  session_->read([&](Connection& connection) {
    Statement by_key(connection, "SELECT " + kWorkloadColumns + " FROM workloads w WHERE key = ?",
                     key_or_name);
    found = read_workloads(by_key);
    if (!found.empty()) return;
    Statement by_name(connection,
                      "SELECT " + kWorkloadColumns +
                          " FROM workloads w JOIN workload_names n ON n.workload_key = w.key "
                          "WHERE n.name = ? ORDER BY w.key",
                      key_or_name);
    found = read_workloads(by_name);
  });
  if (found.size() > 1) fail_ambiguous(path(), key_or_name, found);
  if (found.empty()) return std::nullopt;
  return found.front();
}

std::optional<std::string> Database::get_value(const std::string& key) const {
  std::optional<std::string> result;
  session_->read([&](Connection& connection) {
    result.reset();
    Statement rows(connection, "SELECT value FROM machine_cache WHERE key = ?", key);
    if (rows.step()) result = rows.text(0);
  });
  return result;
}

}  // namespace swgen::tuning_db
