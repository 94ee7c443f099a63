// SPDX-License-Identifier: Apache-2.0
// Internal: the state behind a Database, and how rows become structs.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tuning_db/database.h"
#include "tuning_db/statement.h"

namespace swgen::tuning_db {

class Database::Session {
 public:
  Session(const std::string& path, Mode mode, const OpenOptions& options);

  const std::string& path() const { return path_; }

  /// Runs `query` in a read transaction; it may run more than once.
  void read(const std::function<void(Connection&)>& query);

  /// Runs `change` in a write transaction and commits. `what` completes "cannot ..." when read-only.
  void write(const std::string& what, const std::function<void(Connection&)>& change);

 private:
  std::string path_;
  OpenOptions options_;
  std::mutex mutex_;
  std::unique_ptr<Connection> writer_;  ///< null when read-only
};

/// Column list that read_record expects.
extern const std::string kRecordColumns;

/// The current row of a statement that selects kRecordColumns. Throws DatabaseError on contents that
/// no Record can hold.
Record read_record(const Statement& row);

/// All remaining rows of such a statement.
std::vector<Record> read_records(Statement& rows);

}  // namespace swgen::tuning_db
