// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/schema.h"

namespace swgen::tuning_db {
namespace {

std::int64_t version_of(Connection& connection) { return connection.integer("PRAGMA user_version"); }

bool is_current(Connection& connection, const std::vector<Migration>& steps) {
  return identify(connection, steps) == Identity::ours && version_of(connection) == steps.back().version;
}

}  // namespace

Identity identify(Connection& connection, const std::vector<Migration>& steps) {
  const std::int64_t application = connection.integer("PRAGMA application_id");
  const std::int64_t version = version_of(connection);
  if (application == 0 && version == 0 &&
      connection.integer("SELECT count(*) FROM sqlite_schema") == 0) {
    return Identity::fresh;
  }
  if (application != kApplicationId) {
    throw DatabaseError(connection.path(),
                        "is an SQLite database of another program (application_id " +
                            std::to_string(application) + ", expected " +
                            std::to_string(kApplicationId) + ")",
                        "choose another file for the tuning database");
  }
  if (version > steps.back().version) {
    throw DatabaseError(connection.path(),
                        "has schema version " + std::to_string(version) +
                            ", newer than the version " + std::to_string(steps.back().version) +
                            " known to this program",
                        "use a newer swgen, or another database file");
  }
  return Identity::ours;
}

void migrate(Connection& connection, const std::vector<Migration>& steps) {
  {
    const Transaction transaction(connection, Transaction::Kind::read);
    if (is_current(connection, steps)) return;
  }
  Transaction transaction(connection, Transaction::Kind::write);
  // Looked at again under the lock: another process may have been faster.
  if (identify(connection, steps) == Identity::fresh) {
    connection.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  }
  const std::int64_t found = version_of(connection);
  for (const Migration& step : steps) {
    if (step.version <= found) continue;
    connection.execute(step.sql);
    Statement(connection,
              "INSERT INTO migrations (version, summary, applied) "
              "VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
              step.version, step.summary)
        .run();
    connection.execute("PRAGMA user_version = " + std::to_string(step.version));
  }
  transaction.commit();
}

void require_current(Connection& connection, const std::vector<Migration>& steps) {
  if (identify(connection, steps) == Identity::fresh) {
    throw DatabaseError(connection.path(), "is empty, not a tuning database",
                        "check the path, or tune something into it first");
  }
  const std::int64_t version = version_of(connection);
  if (version != steps.back().version) {
    throw DatabaseError(connection.path(),
                        "has the older schema version " + std::to_string(version) + ", expected " +
                            std::to_string(steps.back().version),
                        "open it once for writing to migrate it");
  }
}

}  // namespace swgen::tuning_db
