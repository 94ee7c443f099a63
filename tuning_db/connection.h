// SPDX-License-Identifier: Apache-2.0
// Internal: opening the database file for writing.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "tuning_db/statement.h"

namespace swgen::tuning_db {

/// Opens `path` (absolute) for writing, creating and migrating it as needed: busy time-out first, then
/// identity, journal mode, foreign keys, schema. With `allow_wal` the write-ahead log is used where the
/// file system is local; a rollback journal otherwise. Throws DatabaseError.
std::unique_ptr<Connection> open_read_write(const std::string& path,
                                            std::chrono::milliseconds busy_timeout, bool allow_wal);

/// Switches the file to the write-ahead log, waiting for other processes up to `patience`; false when
/// the file system refuses.
bool use_write_ahead_log(Connection& connection, std::chrono::milliseconds patience);

/// Switches the file to a rollback journal, without shared memory even when it was in
/// write-ahead-log mode before; in that case the connection must not have read anything yet, unless in
/// exclusive locking mode. Throws DatabaseError.
void use_rollback_journal(Connection& connection);

}  // namespace swgen::tuning_db
