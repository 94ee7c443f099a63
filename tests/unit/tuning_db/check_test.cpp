// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support.h"

namespace swgen::tuning_db {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Check : public ::testing::Test {
 protected:
  Check() { new_database(path).add(some_record("a", 0.5)); }

  /// Problems seen after the SQL. Both modes must agree, except that SQLite's integrity check looks at
  /// CHECK constraints only when the file is open for writing.
  std::vector<std::string> problems_after(const std::string& sql) {
    execute_raw(path, sql);
    const auto report = Database::open(path, Database::Mode::read_only).check();
    EXPECT_EQ(report.ok, report.problems.empty());
    auto with_constraints = Database::open(path, Database::Mode::read_write).check().problems;
    const auto all = with_constraints;
    std::erase_if(with_constraints, [](const std::string& problem) {
      return problem.starts_with("integrity: CHECK constraint failed");
    });
    EXPECT_EQ(with_constraints, report.problems);
    return all;
  }

  TemporaryFolder folder;
  std::string path = folder.file("check.db");
};

TEST_F(Check, GoodDatabase) {
  EXPECT_THAT(problems_after("SELECT 1"), IsEmpty());
  EXPECT_TRUE(Database::open(path, Database::Mode::read_only).check().ok);
}

TEST_F(Check, OkWithoutTime) {
  const auto problems = problems_after("UPDATE records SET seconds = 0");
  EXPECT_THAT(problems, Contains("record 1: verdict is ok but seconds is not above 0"));
  EXPECT_THAT(problems, Contains(HasSubstr("integrity: CHECK constraint failed in records")));
}

TEST_F(Check, TimeOutsideItsSamples) {
  Record record = some_record("b", 0.5);
  record.samples = {0.1, 0.2, 0.3};
  Database::open(path, Database::Mode::read_write).add(record);
  EXPECT_THAT(problems_after("SELECT 1"),
              ::testing::ElementsAre("record 2: seconds is outside the range of its samples"));
}

TEST_F(Check, UnknownVerdict) {
  const auto problems = problems_after("UPDATE records SET verdict = 'fine'");
  EXPECT_THAT(problems, Contains("record 1: " + path +
                                 ": record 1 has the unknown verdict 'fine'; remove the record or use "
                                 "a newer swgen"));
  const Database database = Database::open(path, Database::Mode::read_only);
  EXPECT_THAT(error_of([&] { database.record(1); }),
              HasSubstr("record 1 has the unknown verdict 'fine'"));
}

TEST_F(Check, BrokenSamples) {
  EXPECT_THAT(problems_after("UPDATE records SET samples = x'0102'"),
              Contains(HasSubstr("samples have a length of 2 bytes, expected a multiple of 8")));
}

TEST_F(Check, UnknownHowThreadsProvenanceAndTime) {
  const auto problems =
      problems_after("UPDATE records SET how = 'felt', threads = 0, provenance = '{', created = ''");
  EXPECT_THAT(problems, Contains("record 1: how is 'felt', expected measured, emulated or predicted"));
  EXPECT_THAT(problems, Contains("record 1: threads is 0, expected at least 1"));
  EXPECT_THAT(problems, Contains("record 1: provenance is not JSON"));
  EXPECT_THAT(problems, Contains("record 1: created is empty"));
}

TEST_F(Check, MissingWorkload) {
  EXPECT_THAT(problems_after("DELETE FROM workloads"),
              Contains("records row 1 refers to a missing row of workloads"));
}

TEST_F(Check, KeysThatAreNotHex) {
  const auto problems = problems_after(
      "INSERT INTO workloads VALUES ('short', 'n', 'op', 'c');"
      "INSERT INTO targets VALUES ('UPPER', 'n', 'l', 'f')");
  EXPECT_THAT(problems, Contains("workloads: key 'short' is not 64 characters of lower-case hex"));
  EXPECT_THAT(problems, Contains("targets: key 'UPPER' is not 64 characters of lower-case hex"));
}

TEST_F(Check, MissingMigrationRow) {
  EXPECT_THAT(problems_after("DELETE FROM migrations"),
              Contains("migrations has no row for version 1"));
}

TEST_F(Check, DamagedPages) {
  {
    Database database = Database::open(path, Database::Mode::read_write);
    for (int i = 0; i < 100; ++i) database.add(some_record(std::string(200, 'x') + std::to_string(i)));
  }
  // Everything behind the pages of the schema, so that the file still opens.
  const auto size = static_cast<std::streamoff>(read_file(path).size());
  const std::streamoff start = size / 2;
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(start);
  file << std::string(static_cast<std::size_t>(size - start), '\x5a');
  file.close();
  const auto report = Database::open(path, Database::Mode::read_only).check();
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(report.problems,
              Contains(AnyOf(HasSubstr("integrity: "), HasSubstr("malformed"))));
  EXPECT_THAT(error_of([&] { Database::open(path, Database::Mode::read_only).records(); }),
              HasSubstr("the file is damaged: restore a copy"));
}

}  // namespace
}  // namespace swgen::tuning_db
