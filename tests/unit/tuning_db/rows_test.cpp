// SPDX-License-Identifier: Apache-2.0
// Workloads, targets and values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace swgen::tuning_db {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Rows : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  std::string path = folder.file("rows.db");
  Database database = Database::open(path, Database::Mode::read_write);
};

TEST_F(Rows, WorkloadComesBackByKeyAndName) {
  database.put_workload(some_workload());
  for (const std::string& handle : {some_workload().key, some_workload().name}) {
    const auto row = database.workload(handle);
    ASSERT_TRUE(row.has_value()) << handle;
    EXPECT_EQ(row->key, key_of('a'));
    EXPECT_EQ(row->name, "net.conv1");
    EXPECT_EQ(row->op, "conv2d");
    EXPECT_EQ(row->canonical, "conv2d n=1 c=64");
  }
  EXPECT_FALSE(database.workload("other").has_value());
}

TEST_F(Rows, PutWorkloadIsIdempotentAndKeepsFurtherNames) {
  database.put_workload(some_workload());
  database.put_workload(some_workload());
  WorkloadRow renamed = some_workload();
  renamed.name = "other_net.conv7";
  database.put_workload(renamed);
  ASSERT_EQ(database.workloads().size(), 1u);
  EXPECT_EQ(database.workloads()[0].name, "net.conv1");
  ASSERT_TRUE(database.workload("other_net.conv7").has_value());
  EXPECT_EQ(database.workload("other_net.conv7")->key, key_of('a'));
}

TEST_F(Rows, SameWorkloadKeyWithOtherCanonicalText) {
  database.put_workload(some_workload());
  WorkloadRow other = some_workload();
  other.canonical = "conv2d n=1 c=128";
  EXPECT_THAT(error_of([&] { database.put_workload(other); }),
              AllOf(StartsWith(path + ": workload " + key_of('a') +
                               " is stored with canonical text 'conv2d n=1 c=64', found 'conv2d n=1 "
                               "c=128' for the same key; "),
                    HasSubstr("the key must be the hash of the whole canonical text")));
  EXPECT_EQ(database.workload(key_of('a'))->canonical, "conv2d n=1 c=64");
}

TEST_F(Rows, SameWorkloadKeyWithOtherOperator) {
  database.put_workload(some_workload());
  WorkloadRow other = some_workload();
  other.op = "matmul";
  EXPECT_THAT(error_of([&] { database.put_workload(other); }),
              HasSubstr("is stored with operator 'conv2d', found 'matmul' for the same key"));
}

TEST_F(Rows, NameOfSeveralWorkloads) {
  database.put_workload(some_workload());
  WorkloadRow other = some_workload();
  other.key = key_of('c');
  other.canonical = "conv2d n=2 c=64";
  database.put_workload(other);
  EXPECT_EQ(error_of([&] { database.workload("net.conv1"); }),
            path + ": the name 'net.conv1' belongs to 2 workloads:\n  " + key_of('a') +
                " conv2d n=1 c=64\n  " + key_of('c') +
                " conv2d n=2 c=64\n; give the key of one of them instead");
  EXPECT_EQ(database.workload(key_of('c'))->canonical, "conv2d n=2 c=64");
}

TEST_F(Rows, WorkloadsAreOrderedByName) {
  database.put_workload({key_of('1'), "z", "op", "z"});
  database.put_workload({key_of('2'), "a", "op", "a"});
  ASSERT_EQ(database.workloads().size(), 2u);
  EXPECT_EQ(database.workloads()[0].name, "a");
  EXPECT_EQ(database.workloads()[1].name, "z");
}

TEST_F(Rows, KeysMustBeHex) {
  for (const std::string& key : {std::string("abc"), key_of('A'), key_of('g'), key_of('a') + "0"}) {
    EXPECT_EQ(error_of([&] { database.put_workload({key, "n", "op", "text"}); }),
              path + ": workload key '" + key +
                  "' is not 64 characters of lower-case hex; give the SHA-256 of the canonical text");
    EXPECT_THAT(error_of([&] { database.put_target({key, "n", "l", "f"}); }),
                HasSubstr("target key '" + key + "' is not 64 characters of lower-case hex"));
  }
}

TEST_F(Rows, TargetsAreIdempotent) {
  database.put_target(some_target());
  database.put_target(some_target());
  const auto targets = database.targets();
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(targets[0].key, key_of('b'));
  EXPECT_EQ(targets[0].name, "x86");
  EXPECT_EQ(targets[0].level, "avx2");
  EXPECT_EQ(targets[0].fingerprint, "cpu=example l2=1048576");
}

TEST_F(Rows, SameTargetKeyWithOtherContents) {
  database.put_target(some_target());
  TargetRow other = some_target();
  other.fingerprint = "cpu=another";
  EXPECT_THAT(error_of([&] { database.put_target(other); }),
              HasSubstr("target " + key_of('b') +
                        " is stored with fingerprint 'cpu=example l2=1048576', found 'cpu=another'"));
  other = some_target();
  other.level = "generic";
  EXPECT_THAT(error_of([&] { database.put_target(other); }),
              HasSubstr("level 'avx2', found 'generic'"));
  other = some_target();
  other.name = "sw26010";
  EXPECT_THAT(error_of([&] { database.put_target(other); }), HasSubstr("name 'x86', found 'sw26010'"));
}

TEST_F(Rows, ValuesAreReplacedAndMayHoldAnyBytes) {
  EXPECT_FALSE(database.get_value("peak").has_value());
  database.put_value("peak", "{\"f32\":102.5}");
  database.put_value("peak", std::string("a\0b'\xff", 5));
  database.put_value("empty", "");
  EXPECT_EQ(database.get_value("peak"), std::string("a\0b'\xff", 5));
  EXPECT_EQ(database.get_value("empty"), "");
}

TEST_F(Rows, ReadOnlyRefusesToWrite) {
  Database reader = Database::open(path, Database::Mode::read_only);
  const auto expected = [&](const std::string& what) {
    return path + ": cannot " + what + ": the database is open read-only; open it for writing";
  };
  EXPECT_EQ(error_of([&] { reader.put_workload(some_workload()); }), expected("store a workload"));
  EXPECT_EQ(error_of([&] { reader.put_target(some_target()); }), expected("store a target"));
  EXPECT_EQ(error_of([&] { reader.put_value("k", "v"); }), expected("store a value"));
  EXPECT_EQ(error_of([&] { reader.add(some_record()); }), expected("add a record"));
  EXPECT_EQ(error_of([&] { reader.remove({1}); }), expected("remove records"));
}

}  // namespace
}  // namespace swgen::tuning_db
