// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/connection.h"

#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tuning_db/file_system.h"
#include "tuning_db/schema.h"

namespace swgen::tuning_db {
namespace {

void require_writable_place(const std::string& path) {
  std::error_code ignored;
  const std::string folder = folder_of(path);
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw DatabaseError(path, "cannot be opened: '" + folder + "' is not an existing folder",
                        "create the folder first or choose another path");
  }
  if (std::filesystem::is_directory(path, ignored)) {
    throw DatabaseError(path, "is a folder, expected a file", "give the name of a file inside it");
  }
  if (access(folder.c_str(), W_OK) != 0) {
    throw DatabaseError(path, "cannot be opened for writing: the folder '" + folder +
                                  "' is not writable and the journal is kept beside the file",
                        "open it read-only, or choose a path in a writable folder");
  }
}

std::unique_ptr<Connection> connect(const std::string& path, std::chrono::milliseconds busy_timeout) {
  auto connection = std::make_unique<Connection>(path, file_uri(path, "mode=rwc"),
                                                 Connection::Access::read_write_create, busy_timeout);
  if (!connection->writable()) {
    throw DatabaseError(path, "cannot be opened for writing: the file is not writable",
                        "make it writable or open it read-only");
  }
  return connection;
}

}  // namespace

bool use_write_ahead_log(Connection& connection, std::chrono::milliseconds patience) {
  // The switch needs an exclusive lock and does not always wait for it, hence the loop.
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    try {
      if (connection.text("PRAGMA journal_mode = WAL") != "wal") return false;
      connection.integer("SELECT count(*) FROM sqlite_schema");  // only a read opens the shared memory
      return true;
    } catch (const SqliteError& error) {
      switch (error.primary_code()) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
          if (std::chrono::steady_clock::now() >= deadline) throw;
          break;
        case SQLITE_CANTOPEN:
        case SQLITE_IOERR:
        case SQLITE_PROTOCOL:
          return false;
        default:
          throw;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void use_rollback_journal(Connection& connection) {
  const bool was_wal = connection.has_wal_header();
  // Exclusive locking keeps the index of the log in private memory, so that no shared memory is needed.
  if (was_wal) connection.execute("PRAGMA locking_mode = EXCLUSIVE");
  const std::string mode = connection.text("PRAGMA journal_mode = DELETE");
  if (mode != "delete") {
    throw DatabaseError(connection.path(),
                        "cannot switch to a rollback journal, the journal mode stays '" + mode + "'",
                        "close all other users of the database and try again");
  }
  if (was_wal) {
    connection.execute("PRAGMA locking_mode = NORMAL");
    connection.integer("SELECT count(*) FROM sqlite_schema");  // the lock is let go at the next access
  }
}

std::unique_ptr<Connection> open_read_write(const std::string& path,
                                            std::chrono::milliseconds busy_timeout, bool allow_wal) {
  require_writable_place(path);
  std::unique_ptr<Connection> connection = connect(path, busy_timeout);
  const bool want_wal = allow_wal && is_on_local_file_system(folder_of(path));
  // Where the log cannot be used, not even the first read may ask for its shared memory.
  if (!want_wal && connection->has_wal_header()) connection->execute("PRAGMA locking_mode = EXCLUSIVE");
  {  // before the journal mode: never convert a stranger's file
    const Transaction transaction(*connection, Transaction::Kind::read);
    identify(*connection, migrations());
  }
  if (!want_wal) {
    use_rollback_journal(*connection);
  } else if (!use_write_ahead_log(*connection, busy_timeout)) {
    // A connection that has begun with shared memory does not give it up; a new one need not begin.
    connection.reset();
    connection = connect(path, busy_timeout);
    use_rollback_journal(*connection);
  }
  connection->execute("PRAGMA synchronous = FULL");
  connection->execute("PRAGMA foreign_keys = ON");
  migrate(*connection, migrations());
  return connection;
}

}  // namespace swgen::tuning_db
