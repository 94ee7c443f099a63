// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"
#include "tuning_db/file_system.h"
#include "tuning_db/schema.h"

namespace swgen::tuning_db {
namespace {

using ::testing::HasSubstr;

/// Everything the schema consists of, without SQLite's own tables.
constexpr char kSchemaQuery[] =
    "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";

class Schema : public ::testing::Test {
 protected:
  /// A database as version 1 wrote it.
  void make_v1() { execute_raw(path, read_file(SWGEN_TUNING_DB_FIXTURES "/v1.sql")); }
  Connection connect() {
    return Connection(path, file_uri(path, "mode=rwc"), Connection::Access::read_write_create,
                      std::chrono::milliseconds(100));
  }
  TemporaryFolder folder;
  std::string path = folder.file("schema.db");
};

TEST_F(Schema, MigrationsAreNumberedFromOne) {
  ASSERT_FALSE(migrations().empty());
  for (std::size_t i = 0; i < migrations().size(); ++i) {
    EXPECT_EQ(migrations()[i].version, static_cast<int>(i) + 1);
  }
}

TEST_F(Schema, NewFileHasIdentityVersionAndOneRowPerMigration) {
  new_database(path);
  EXPECT_EQ(query_raw(path, "PRAGMA application_id"), "1937205060");
  EXPECT_EQ(query_raw(path, "PRAGMA user_version"), "1");
  EXPECT_EQ(query_raw(path, "SELECT version || ' ' || summary FROM migrations"), "1 initial schema");
}

TEST_F(Schema, FixtureOfVersion1Opens) {
  make_v1();
  Database database = Database::open(path, Database::Mode::read_write);
  EXPECT_TRUE(database.check().ok);
  const auto workload = database.workload("resnet50.res2a_branch2b");
  ASSERT_TRUE(workload.has_value());
  EXPECT_EQ(workload->op, "conv2d");
  EXPECT_EQ(database.workload("another.name")->key, workload->key);
  ASSERT_EQ(database.targets().size(), 1u);
  EXPECT_EQ(database.targets()[0].level, "avx2");
  const auto best = database.best(workload->key, database.targets()[0].key, 2);
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->id, 3);
  EXPECT_EQ(best->schedule, "algo(direct) vectorize(N)");
  EXPECT_EQ(best->seconds, 0.00125);
  EXPECT_EQ(best->samples, (std::vector<double>{0.0012, 0.00125, 0.0013}));
  EXPECT_EQ(best->created, "2024-05-06T07:08:09.123Z");
  EXPECT_EQ(database.record(2)->verdict, Verdict::infeasible);
  EXPECT_EQ(database.get_value("x86.peak_gflops"), "102.5");
}

TEST_F(Schema, FixtureOfVersion1OpensReadOnly) {
  make_v1();
  EXPECT_EQ(Database::open(path, Database::Mode::read_only).records().size(), 3u);
}

TEST_F(Schema, MigratedFixtureEqualsANewFile) {
  make_v1();
  Database::open(path, Database::Mode::read_write);
  const std::string fresh = folder.file("fresh.db");
  Database::open(fresh, Database::Mode::read_write);
  EXPECT_EQ(query_raw(path, kSchemaQuery), query_raw(fresh, kSchemaQuery));
}

TEST_F(Schema, NextVersionKeepsTheData) {
  make_v1();
  std::vector<Migration> steps = migrations();
  const int next = steps.back().version + 1;
  steps.push_back({next, "a note per record", "ALTER TABLE records ADD COLUMN note TEXT DEFAULT 'n'"});
  Connection connection = connect();
  migrate(connection, steps);
  migrate(connection, steps);
  EXPECT_EQ(connection.integer("PRAGMA user_version"), next);
  EXPECT_EQ(connection.integer("SELECT count(*) FROM migrations"), next);
  EXPECT_EQ(connection.integer("SELECT count(*) FROM records WHERE note = 'n'"), 3);
}

TEST_F(Schema, FailedMigrationChangesNothing) {
  make_v1();
  std::vector<Migration> steps = migrations();
  const int next = steps.back().version + 1;
  steps.push_back({next, "broken", "CREATE TABLE extra (x); INSERT INTO missing VALUES (1)"});
  Connection connection = connect();
  EXPECT_THAT(error_of([&] { migrate(connection, steps); }), HasSubstr("no such table: missing"));
  EXPECT_EQ(connection.integer("PRAGMA user_version"), next - 1);
  EXPECT_EQ(connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'"), 0);
}

TEST_F(Schema, ReadOnlyNeedsTheCurrentVersion) {
  make_v1();
  Connection connection = connect();
  std::vector<Migration> steps = migrations();
  const int next = steps.back().version + 1;
  steps.push_back({next, "later", "SELECT 1"});
  EXPECT_EQ(error_of([&] { require_current(connection, steps); }),
            path + ": has the older schema version 1, expected " + std::to_string(next) +
                "; open it once for writing to migrate it");
}

TEST_F(Schema, ForeignKeysAndUniquenessAreEnforced) {
  Database database = new_database(path);
  database.add(some_record("a"));
  EXPECT_THROW(execute_raw(path, "INSERT INTO records SELECT NULL, workload_key, target_key, threads, "
                                 "schedule, how, verdict, reason, seconds, predicted_seconds, gflops, "
                                 "peak_gflops, samples, provenance, created FROM records"),
               std::runtime_error);
  EXPECT_THROW(execute_raw(path, "PRAGMA foreign_keys = ON; DELETE FROM workloads"), std::runtime_error);
}

}  // namespace
}  // namespace swgen::tuning_db
