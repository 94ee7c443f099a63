// SPDX-License-Identifier: Apache-2.0
// Internal: identity and versions of the database file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tuning_db/statement.h"

namespace swgen::tuning_db {

/// PRAGMA application_id, "swgD" in ASCII.
inline constexpr std::int64_t kApplicationId = 0x73776744;

/// One step of the schema: brings version - 1 to version.
struct Migration {
  int version;
  std::string summary;
  std::string sql;
};

/// All steps, versions 1, 2, ... in order. A new version is one SQL file and one row here.
const std::vector<Migration>& migrations();

enum class Identity { fresh, ours };

/// Looks at the file without changing it. Call it inside a transaction: another process may be about to
/// create the schema. Throws DatabaseError when it is not SQLite, belongs to
/// another program, or has a schema newer than the last of `steps`.
Identity identify(Connection& connection, const std::vector<Migration>& steps);

/// Brings the file to the last of `steps` in one transaction; safe when several processes do it at
/// once. Does nothing, and takes no write lock, when the file is there already.
void migrate(Connection& connection, const std::vector<Migration>& steps);

/// Throws DatabaseError unless the file has exactly the last version of `steps`. Inside a transaction.
void require_current(Connection& connection, const std::vector<Migration>& steps);

}  // namespace swgen::tuning_db
