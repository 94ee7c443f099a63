// SPDX-License-Identifier: Apache-2.0
// Opening and everything that writes.
#include "tuning_db/database.h"

#include <utility>

#include "tuning_db/session.h"

namespace swgen::tuning_db {
namespace {

void require_key(const Connection& connection, const std::string& kind, const std::string& key) {
  if (is_key(key)) return;
  throw DatabaseError(connection.path(),
                      kind + " key '" + key + "' is not 64 characters of lower-case hex",
                      "give the SHA-256 of the canonical text");
}

/// Throws unless the stored value of `field` equals the given one.
void require_same(const Connection& connection, const std::string& kind, const std::string& key,
                  const std::string& field, const std::string& stored, const std::string& given) {
  if (stored == given) return;
  throw DatabaseError(connection.path(),
                      kind + " " + key + " is stored with " + field + " '" + stored + "', found '" +
                          given + "' for the same key",
                      "the key must be the hash of the whole canonical text; use another database for "
                      "another version of it");
}

void require_stored(Connection& connection, const std::string& kind, const std::string& key) {
  Statement found(connection, "SELECT 1 FROM " + kind + "s WHERE key = ?", key);
  if (found.step()) return;
  throw DatabaseError(connection.path(),
                      "cannot add a record: its " + kind + " " + key + " is not in the database",
                      "store it with put_" + kind + " first");
}

void require_fit(Connection& connection, const Record& record) {
  const auto refuse = [&](const std::string& problem) {
    throw DatabaseError(connection.path(), "cannot add a record: " + problem, "correct the record");
  };
  const std::vector<std::string> problems = problems_of(record);
  if (!problems.empty()) refuse(problems.front());
  require_stored(connection, "workload", record.workload_key);
  require_stored(connection, "target", record.target_key);
  if (record.provenance.empty()) return;
  Statement json(connection, "SELECT json_valid(?)", record.provenance);
  json.step();
  if (json.integer(0) != 1) refuse("its provenance is not JSON: " + record.provenance);
}

std::int64_t insert(Connection& connection, const Record& record) {
  Statement(connection,
            "INSERT INTO records (workload_key, target_key, schedule, threads, verdict, reason, how, "
            "seconds, predicted_seconds, gflops, peak_gflops, samples, provenance, created) VALUES "
            "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
            "CASE ?14 WHEN '' THEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now') ELSE ?14 END)",
            record.workload_key, record.target_key, record.schedule, record.threads,
            to_string(record.verdict), record.reason, record.how, record.seconds,
            record.predicted_seconds, record.gflops, record.peak_gflops, record.samples,
            record.provenance, record.created)
      .run();
  return connection.last_insert_id();
}

}  // namespace

Database Database::open(const std::string& path, Mode mode, const OpenOptions& options) {
  return Database(std::make_unique<Session>(path, mode, options));
}

Database::Database(std::unique_ptr<Session> session) : session_(std::move(session)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

const std::string& Database::path() const { return session_->path(); }

void Database::put_workload(const WorkloadRow& row) {
  session_->write("store a workload", [&](Connection& connection) {
    require_key(connection, "workload", row.key);
    Statement stored(connection, "SELECT op, canonical FROM workloads WHERE key = ?", row.key);
    if (stored.step()) {
      require_same(connection, "workload", row.key, "canonical text", stored.text(1), row.canonical);
      require_same(connection, "workload", row.key, "operator", stored.text(0), row.op);
    } else {
      Statement(connection, "INSERT INTO workloads (key, name, op, canonical) VALUES (?, ?, ?, ?)",
                row.key, row.name, row.op, row.canonical)
          .run();
    }
    Statement(connection, "INSERT OR IGNORE INTO workload_names (name, workload_key) VALUES (?, ?)",
              row.name, row.key)
        .run();
  });
}

void Database::put_target(const TargetRow& row) {
  session_->write("store a target", [&](Connection& connection) {
    require_key(connection, "target", row.key);
    Statement stored(connection, "SELECT name, level, fingerprint FROM targets WHERE key = ?", row.key);
    if (stored.step()) {
      require_same(connection, "target", row.key, "name", stored.text(0), row.name);
      require_same(connection, "target", row.key, "level", stored.text(1), row.level);
      require_same(connection, "target", row.key, "fingerprint", stored.text(2), row.fingerprint);
      return;
    }
    Statement(connection, "INSERT INTO targets (key, name, level, fingerprint) VALUES (?, ?, ?, ?)",
              row.key, row.name, row.level, row.fingerprint)
        .run();
  });
}

std::int64_t Database::add(const Record& record) {
  std::int64_t id = 0;
  session_->write("add a record", [&](Connection& connection) {
    require_fit(connection, record);
    Statement existing(connection,
                       "SELECT " + kRecordColumns +
                           " FROM records WHERE workload_key = ? AND target_key = ? AND threads = ? "
                           "AND schedule = ? AND how = ?",
                       record.workload_key, record.target_key, record.threads, record.schedule,
                       record.how);
    if (existing.step()) {
      const Record stored = read_record(existing);
      if (!supersedes(record, stored)) {
        id = stored.id;
        return;
      }
      Statement(connection, "DELETE FROM records WHERE id = ?", stored.id).run();
    }
    id = insert(connection, record);
  });
  return id;
}

std::int64_t Database::remove(const std::vector<std::int64_t>& ids) {
  std::int64_t removed = 0;
  session_->write("remove records", [&](Connection& connection) {
    for (const std::int64_t id : ids) {
      Statement(connection, "DELETE FROM records WHERE id = ?", id).run();
      removed += connection.changes();
    }
  });
  return removed;
}

void Database::put_value(const std::string& key, const std::string& value) {
  session_->write("store a value", [&](Connection& connection) {
    Statement(connection,
              "INSERT OR REPLACE INTO machine_cache (key, value, updated) "
              "VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
              key, value)
        .run();
  });
}

}  // namespace swgen::tuning_db
