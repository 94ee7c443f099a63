// SPDX-License-Identifier: Apache-2.0
//
// A file in write-ahead-log mode cannot simply be opened read-only: SQLite would create -wal and -shm
// beside it, and fail where it may not. So, by what is there:
//   rollback-journal file             ordinary read-only connection (creates nothing)
//   log file with -wal and -shm       read-only connection on the existing shared memory, which also
//                                     covers a writer that was killed
//   log file with neither             immutable: no locks, so the file's stamp is compared before and
//                                     after, and the query repeated if a writer came by
//   log file, -wal with content only  a writer about to start or to end; if it stays, an error
// The connection lives for one query only: held longer, it would keep the last writer from merging and
// deleting its log.
#include "tuning_db/read_only.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

#include "tuning_db/file_system.h"
#include "tuning_db/schema.h"

namespace swgen::tuning_db {
namespace {

using std::chrono::milliseconds;

struct ReadOnly {
  std::unique_ptr<Connection> connection;
  bool locked;  ///< false: immutable, nothing keeps writers away
};

ReadOnly connect(const std::string& path, milliseconds busy_timeout) {
  const auto open = [&](const char* query) {
    return std::make_unique<Connection>(path, file_uri(path, query), Connection::Access::read_only,
                                        busy_timeout);
  };
  auto shared = open("mode=ro&readonly_shm=1");
  if (!shared->has_wal_header()) return {std::move(shared), true};
  const FileStamp stamp = stamp_of(path);
  std::error_code ignored;
  if (stamp.shm && std::filesystem::exists(path + "-wal", ignored)) return {std::move(shared), true};
  if (stamp.wal) {
    throw SqliteError(path, SQLITE_READONLY_CANTINIT, "read the database",
                      "its log '" + path + "-wal' is not merged and the index of it is missing");
  }
  return {open("mode=ro&immutable=1"), false};
}

/// Codes seen for a moment while a writer creates or deletes its -wal and -shm.
bool may_be_transient(int primary_code) {
  return primary_code == SQLITE_CANTOPEN || primary_code == SQLITE_READONLY ||
         primary_code == SQLITE_PROTOCOL;
}

void require_file(const std::string& path, const FileStamp& stamp) {
  if (!stamp.exists) {
    throw DatabaseError(path, "cannot be opened read-only: there is no such file",
                        "check the path, or tune something first to create it");
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw DatabaseError(path, "is a folder, expected a file", "give the name of a file inside it");
  }
}

}  // namespace

void read_without_traces(const std::string& path, milliseconds busy_timeout,
                         const std::function<void(Connection&)>& query) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [start] { return std::chrono::steady_clock::now() - start; };
  const milliseconds settle = std::min(busy_timeout, milliseconds(200));
  for (;;) {
    const FileStamp before = stamp_of(path);
    require_file(path, before);
    try {
      const ReadOnly database = connect(path, busy_timeout);
      const Transaction transaction(*database.connection, Transaction::Kind::read);
      require_current(*database.connection, migrations());
      query(*database.connection);
      if (database.locked || stamp_of(path) == before) return;
    } catch (const SqliteError& error) {
      const bool changed = !(stamp_of(path) == before);
      const bool settling = may_be_transient(error.primary_code()) && elapsed() < settle;
      if (!settling && (!changed || elapsed() >= busy_timeout)) throw;
    }
    if (elapsed() >= busy_timeout) {
      throw DatabaseError(path, "cannot be read: other processes keep replacing it",
                          "try again when they have finished, or raise the busy time-out");
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
}

}  // namespace swgen::tuning_db
