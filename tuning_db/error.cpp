// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/error.h"

#include <sqlite3.h>

namespace swgen::tuning_db {
namespace {

std::string advice_for(int code) {
  if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY ||
      code == SQLITE_READONLY_CANTINIT) {
    return "an interrupted writer left work to finish: open the database once for writing, or copy it "
           "(with its -wal or -journal file) to a writable folder";
  }
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process holds the database; wait for it to finish or raise the busy time-out";
    case SQLITE_NOTADB:
      return "choose another file, or move this one away to start a new database";
    case SQLITE_CORRUPT:
      return "the file is damaged: restore a copy, or save what is readable with `sqlite3 FILE .recover`";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "make the file and its folder writable, or open it read-only";
    case SQLITE_CANTOPEN:
      return "check that the path exists and that its folder and file are accessible";
    case SQLITE_FULL:
      return "free some disk space; what was committed before is kept";
    case SQLITE_IOERR:
    case SQLITE_PROTOCOL:
    case SQLITE_NOLFS:
      return "check the disk and, on a network file system, its locking; or move the database to a local disk";
    case SQLITE_CONSTRAINT:
      return "the data violates a rule of the schema and was not stored";
    default:
      return "check the file with `swgen db check`";
  }
}

}  // namespace

DatabaseError::DatabaseError(const std::string& file, const std::string& problem,
                             const std::string& advice)
    : std::runtime_error(file + ": " + problem + "; " + advice) {}

SqliteError::SqliteError(const std::string& file, int code, const std::string& action,
                         const std::string& detail)
    : DatabaseError(file, "cannot " + action + ": " + detail, advice_for(code)), code_(code) {}

}  // namespace swgen::tuning_db
