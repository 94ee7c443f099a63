// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support.h"

namespace swgen::tuning_db {
namespace {

class Queries : public ::testing::Test {
 protected:
  std::optional<Record> best(int threads = 2) {
    return database.best(some_workload().key, some_target().key, threads);
  }
  void add(const std::string& schedule, const std::string& how, double seconds, double predicted,
           Verdict verdict = Verdict::ok) {
    Record record = some_record(schedule, seconds);
    record.how = how;
    record.predicted_seconds = predicted;
    record.verdict = verdict;
    database.add(record);
  }
  TemporaryFolder folder;
  Database database = new_database(folder.file("queries.db"));
};

TEST_F(Queries, TrialsAreThoseOfTheQuestionOrderedById) {
  database.put_workload({key_of('1'), "other", "op", "other"});
  database.put_target({key_of('2'), "sw26010", "", ""});
  add("z", "measured", 3, 0);
  add("a", "measured", 2, 0);
  add("a", "predicted", 0, 1);
  Record other = some_record("x");
  other.workload_key = key_of('1');
  database.add(other);
  other = some_record("x");
  other.target_key = key_of('2');
  database.add(other);
  other = some_record("x");
  other.threads = 4;
  database.add(other);
  const auto trials = database.trials(some_workload().key, some_target().key, 2);
  ASSERT_EQ(trials.size(), 3u);
  EXPECT_EQ(trials[0].schedule, "z");
  EXPECT_EQ(trials[1].schedule, "a");
  EXPECT_EQ(trials[2].how, "predicted");
  EXPECT_LT(trials[0].id, trials[1].id);
  EXPECT_LT(trials[1].id, trials[2].id);
  EXPECT_TRUE(database.trials(key_of('9'), some_target().key, 2).empty());
  EXPECT_EQ(database.records().size(), 6u);
}

TEST_F(Queries, FindNeedsEveryPartOfTheTrial) {
  add("a", "measured", 2, 0);
  const std::string workload = some_workload().key, target = some_target().key;
  ASSERT_TRUE(database.find(workload, target, "a", 2, "measured").has_value());
  EXPECT_EQ(database.find(workload, target, "a", 2, "measured")->seconds, 2);
  EXPECT_FALSE(database.find(target, target, "a", 2, "measured").has_value());
  EXPECT_FALSE(database.find(workload, workload, "a", 2, "measured").has_value());
  EXPECT_FALSE(database.find(workload, target, "b", 2, "measured").has_value());
  EXPECT_FALSE(database.find(workload, target, "a", 1, "measured").has_value());
  EXPECT_FALSE(database.find(workload, target, "a", 2, "emulated").has_value());
}

TEST_F(Queries, TheEmptyScheduleIsAScheduleOfItsOwn) {
  add("", "measured", 2, 0);
  const auto found = database.find(some_workload().key, some_target().key, "", 2, "measured");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->schedule, "");
}

TEST_F(Queries, BestOfNothing) {
  EXPECT_FALSE(best().has_value());
  add("a", "measured", 0, 0, Verdict::timeout);
  EXPECT_FALSE(best().has_value());
  EXPECT_FALSE(database.record(77).has_value());
}

TEST_F(Queries, BestIsTheFastestOkMeasurement) {
  add("slow", "measured", 3, 0);
  add("fast", "measured", 1, 0);
  add("faster but wrong", "measured", 0.5, 0, Verdict::wrong);
  add("middle", "measured", 2, 0);
  ASSERT_TRUE(best().has_value());
  EXPECT_EQ(best()->schedule, "fast");
  EXPECT_FALSE(best(3).has_value());
}

TEST_F(Queries, WhatASecondCompilerConfirmedGoesBeforeWhatItDidNot) {
  add("fast", "measured", 1, 0);
  Record slower = some_record("slower", 2);
  slower.provenance = R"({"confirmed_by":"g++"})";
  database.add(slower);
  EXPECT_EQ(best()->schedule, "slower");
}

TEST_F(Queries, EmulatedCountsAsMeasured) {
  add("measured", "measured", 3, 0);
  add("emulated", "emulated", 1, 0);
  EXPECT_EQ(best()->schedule, "emulated");
}

TEST_F(Queries, PredictionsCountOnlyWithoutMeasurements) {
  add("p2", "predicted", 0, 2e-6);
  add("p1", "predicted", 0, 1e-6);
  add("p0", "predicted", 0, 1e-7, Verdict::infeasible);
  EXPECT_EQ(best()->schedule, "p1");
  add("failed", "measured", 0, 0, Verdict::crashed);
  EXPECT_EQ(best()->schedule, "p1");
  add("m", "measured", 5, 1e-9);
  EXPECT_EQ(best()->schedule, "m");
}

TEST_F(Queries, EqualTimesGoToTheOlderRecord) {
  add("first", "measured", 1, 0);
  add("second", "measured", 1, 0);
  EXPECT_EQ(best()->schedule, "first");
}

}  // namespace
}  // namespace swgen::tuning_db
