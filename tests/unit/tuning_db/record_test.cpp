// SPDX-License-Identifier: Apache-2.0
// Storing records: round trip, refusal, replacement.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <regex>

#include "support.h"

namespace swgen::tuning_db {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Records : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  std::string path = folder.file("records.db");
  Database database = new_database(path);
};

Record failure(const std::string& schedule, Verdict verdict = Verdict::wrong) {
  Record record = some_record(schedule, 0);
  record.verdict = verdict;
  record.reason = "because";
  return record;
}

TEST(VerdictText, RoundTrips) {
  const std::vector<std::string> names = {"ok",      "wrong",        "timeout",
                                          "crashed", "build_failed", "infeasible"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(to_string(verdict), names[i]);
    EXPECT_EQ(parse_verdict(names[i]), verdict);
  }
  EXPECT_FALSE(parse_verdict("OK").has_value());
  EXPECT_FALSE(parse_verdict("").has_value());
}

TEST_F(Records, EveryFieldComesBack) {
  Record record = some_record("algo(direct) split(x,xo,xi,6)", 0.1 + 0.2);
  record.threads = 7;
  record.verdict = Verdict::crashed;
  record.reason = "signal 11 in 'x'";
  record.how = "emulated";
  record.predicted_seconds = 1.0 / 3;
  record.gflops = 97.25;
  record.peak_gflops = 102.9;
  record.samples = {0.1 + 0.2, 5e-324, 1.7976931348623157e308, 0.0, 1.0 / 3};
  record.provenance = R"({"seed": 1, "version": "0.1"})";
  const std::int64_t id = database.add(record);
  const auto stored = database.record(id);
  ASSERT_TRUE(stored.has_value());
  EXPECT_EQ(stored->id, id);
  EXPECT_EQ(stored->workload_key, record.workload_key);
  EXPECT_EQ(stored->target_key, record.target_key);
  EXPECT_EQ(stored->schedule, record.schedule);
  EXPECT_EQ(stored->threads, 7);
  EXPECT_EQ(stored->verdict, Verdict::crashed);
  EXPECT_EQ(stored->reason, record.reason);
  EXPECT_EQ(stored->how, "emulated");
  EXPECT_EQ(stored->seconds, 0.1 + 0.2);
  EXPECT_EQ(stored->predicted_seconds, 1.0 / 3);
  EXPECT_EQ(stored->gflops, 97.25);
  EXPECT_EQ(stored->peak_gflops, 102.9);
  ASSERT_EQ(stored->samples.size(), record.samples.size());
  for (std::size_t i = 0; i < record.samples.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(stored->samples[i]),
              std::bit_cast<std::uint64_t>(record.samples[i]));
  }
  EXPECT_EQ(stored->provenance, record.provenance);
}

TEST_F(Records, EveryVerdictIsStored) {
  for (const Verdict verdict : {Verdict::ok, Verdict::wrong, Verdict::timeout, Verdict::crashed,
                                Verdict::build_failed, Verdict::infeasible}) {
    Record record = failure(to_string(verdict), verdict);
    if (verdict == Verdict::ok) record.seconds = 1;
    EXPECT_EQ(database.record(database.add(record))->verdict, verdict);
  }
}

TEST_F(Records, CreatedIsFilledInUtc) {
  const std::string created = database.record(database.add(some_record()))->created;
  EXPECT_TRUE(std::regex_match(
      created, std::regex(R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d\d\dZ)")))
      << created;
}

TEST_F(Records, GivenCreatedIsKept) {
  Record record = some_record();
  record.created = "2020-01-02T03:04:05.678Z";
  EXPECT_EQ(database.record(database.add(record))->created, "2020-01-02T03:04:05.678Z");
}

TEST_F(Records, RefusesWhatMakesNoSense) {
  struct Case {
    std::function<void(Record&)> spoil;
    std::string problem;
  };
  const std::vector<Case> cases = {
      {[](Record& r) { r.workload_key = "xyz"; },
       "workload key 'xyz' is not 64 characters of lower-case hex"},
      {[](Record& r) { r.target_key = ""; }, "target key '' is not 64 characters of lower-case hex"},
      {[](Record& r) { r.threads = 0; }, "threads is 0, expected at least 1"},
      {[](Record& r) { r.verdict = static_cast<Verdict>(9); }, "verdict 9 is not an enumerator"},
      {[](Record& r) { r.how = "guessed"; },
       "how is 'guessed', expected measured, emulated or predicted"},
      {[](Record& r) { r.seconds = kNan; }, "seconds is nan, expected a finite number, 0 or more"},
      {[](Record& r) { r.predicted_seconds = -1; }, "predicted_seconds is -1.000000, expected"},
      {[](Record& r) { r.gflops = kInfinity; }, "gflops is inf, expected"},
      {[](Record& r) { r.peak_gflops = -kInfinity; }, "peak_gflops is -inf, expected"},
      {[](Record& r) { r.samples = {1, kNan}; }, "samples hold a number that is negative or not finite"},
      {[](Record& r) { r.samples = {-1}; }, "samples hold a number that is negative or not finite"},
      {[](Record& r) { r.seconds = 0; }, "verdict is ok but seconds is not above 0"},
      {[](Record& r) { r.how = "predicted"; }, "verdict is ok but predicted_seconds is not above 0"},
      {[](Record& r) { r.created = "yesterday"; },
       "created is 'yesterday', expected YYYY-MM-DDThh:mm:ss.sssZ"},
      {[](Record& r) { r.provenance = "{"; }, "its provenance is not JSON: {"},
  };
  for (const Case& test : cases) {
    Record record = some_record();
    test.spoil(record);
    EXPECT_THAT(error_of([&] { database.add(record); }),
                ::testing::StartsWith(path + ": cannot add a record: " + test.problem));
  }
  EXPECT_TRUE(database.records().empty());
}

TEST_F(Records, WorkloadAndTargetComeFirst) {
  Record record = some_record();
  record.workload_key = key_of('e');
  EXPECT_EQ(error_of([&] { database.add(record); }),
            path + ": cannot add a record: its workload " + key_of('e') +
                " is not in the database; store it with put_workload first");
  record = some_record();
  record.target_key = key_of('f');
  EXPECT_THAT(error_of([&] { database.add(record); }),
              HasSubstr("its target " + key_of('f') + " is not in the database; store it with put_target"));
}

TEST_F(Records, OneRecordPerTrial) {
  database.add(some_record("a"));
  Record other = some_record("a");
  other.threads = 3;
  database.add(other);
  other = some_record("a");
  other.how = "emulated";
  database.add(other);
  database.add(some_record("b"));
  EXPECT_EQ(database.records().size(), 4u);
  database.add(some_record("b"));
  EXPECT_EQ(database.records().size(), 4u);
}

TEST_F(Records, NewerMeasurementReplacesUnderANewId) {
  const auto first = database.add(some_record("a", 1.0));
  const auto second = database.add(some_record("a", 2.0));
  EXPECT_GT(second, first);
  EXPECT_FALSE(database.record(first).has_value());
  EXPECT_EQ(database.record(second)->seconds, 2.0);
}

TEST_F(Records, FailureNeverReplacesAnOkRecord) {
  const auto id = database.add(some_record("a", 1.0));
  EXPECT_EQ(database.add(failure("a", Verdict::timeout)), id);
  EXPECT_EQ(database.record(id)->verdict, Verdict::ok);
  EXPECT_EQ(database.records().size(), 1u);
}

TEST_F(Records, OkRecordReplacesAFailureWhateverItsAge) {
  const auto id = database.add(failure("a"));
  Record imported = some_record("a");
  imported.created = "2001-01-01T00:00:00.000Z";
  EXPECT_GT(database.add(imported), id);
  ASSERT_EQ(database.records().size(), 1u);
  EXPECT_EQ(database.records()[0].verdict, Verdict::ok);
}

TEST_F(Records, FailureReplacesAFailure) {
  database.add(failure("a", Verdict::wrong));
  database.add(failure("a", Verdict::crashed));
  ASSERT_EQ(database.records().size(), 1u);
  EXPECT_EQ(database.records()[0].verdict, Verdict::crashed);
}

TEST_F(Records, OlderImportDoesNotReplace) {
  const auto id = database.add(some_record("a", 1.0));
  Record imported = some_record("a", 2.0);
  imported.created = "2001-01-01T00:00:00.000Z";
  EXPECT_EQ(database.add(imported), id);
  imported.created = "2999-01-01T00:00:00.000Z";
  EXPECT_GT(database.add(imported), id);
  // A measurement made now is the newest, whatever the clock of another host said.
  database.add(some_record("a", 3.0));
  EXPECT_EQ(database.records()[0].seconds, 3.0);
}

TEST_F(Records, RemovedIdsAreNotUsedAgain) {
  const auto first = database.add(some_record("a"));
  const auto second = database.add(some_record("b"));
  EXPECT_EQ(database.remove({second, 12345}), 1);
  EXPECT_FALSE(database.record(second).has_value());
  EXPECT_TRUE(database.record(first).has_value());
  EXPECT_GT(database.add(some_record("c")), second);
}

}  // namespace
}  // namespace swgen::tuning_db
