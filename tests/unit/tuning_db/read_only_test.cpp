// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "support.h"
#include "tuning_db/file_system.h"
#include "tuning_db/statement.h"

namespace swgen::tuning_db {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Mode = Database::Mode;

class ReadOnly : public ::testing::Test {
 protected:
  /// Leaves a -wal with one committed record and its -shm behind, as a killed writer does.
  void kill_a_writer() {
    const int status = run_in_child([&] {
      Database database = new_database(path);
      database.add(some_record("a"));
      return kill(getpid(), SIGKILL);
    });
    ASSERT_EQ(status, 128 + SIGKILL);
    ASSERT_THAT(folder.names(), ElementsAre("read.db", "read.db-shm", "read.db-wal"));
  }
  /// The number of records an ordinary user sees when the folder is not writable; 99 on error.
  int records_seen_in_a_fixed_folder() {
    for (const std::string& name : folder.names()) {
      std::filesystem::permissions(folder.file(name), std::filesystem::perms(0444));
    }
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
    return run_in_child([&] {
      drop_privileges();
      return static_cast<int>(Database::open(path, Mode::read_only).records().size());
    });
  }
  TemporaryFolder folder;
  std::string path = folder.file("read.db");
};

TEST_F(ReadOnly, MissingFile) {
  EXPECT_EQ(error_of([&] { Database::open(path, Mode::read_only); }),
            path + ": cannot be opened read-only: there is no such file; check the path, or tune "
                   "something first to create it");
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(ReadOnly, EmptyFile) {
  write_file(path, "");
  EXPECT_EQ(error_of([&] { Database::open(path, Mode::read_only); }),
            path + ": is empty, not a tuning database; check the path, or tune something into it first");
  EXPECT_THAT(folder.names(), ElementsAre("read.db"));
}

TEST_F(ReadOnly, LeavesNothingBehind) {
  for (const bool allow_wal : {true, false}) {
    new_database(path, {std::chrono::milliseconds(1000), allow_wal}).add(some_record("a"));
    const std::string contents = read_file(path);
    {
      const Database reader = Database::open(path, Mode::read_only);
      EXPECT_EQ(reader.records().size(), 1u);
      EXPECT_TRUE(reader.check().ok);
      EXPECT_THAT(folder.names(), ElementsAre("read.db"));
    }
    EXPECT_THAT(folder.names(), ElementsAre("read.db"));
    EXPECT_EQ(read_file(path), contents);
  }
}

TEST_F(ReadOnly, WorksInAFolderWithoutWritePermission) {
  for (const bool allow_wal : {true, false}) {
    new_database(path, {std::chrono::milliseconds(1000), allow_wal}).add(some_record("a"));
    EXPECT_EQ(records_seen_in_a_fixed_folder(), 1);
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(path, std::filesystem::perms(0644));
  }
}

TEST_F(ReadOnly, SeesWhatAKilledWriterCommitted) {
  kill_a_writer();
  EXPECT_EQ(Database::open(path, Mode::read_only).records().size(), 1u);
  EXPECT_THAT(folder.names(), ElementsAre("read.db", "read.db-shm", "read.db-wal"));
  EXPECT_EQ(Database::open(path, Mode::read_write).records().size(), 1u);
  EXPECT_THAT(folder.names(), ElementsAre("read.db"));
}

TEST_F(ReadOnly, SeesWhatAKilledWriterCommittedInAFixedFolder) {
  kill_a_writer();
  EXPECT_EQ(records_seen_in_a_fixed_folder(), 1);
}

TEST_F(ReadOnly, LogWithoutItsIndexIsAnErrorThatSaysWhatToDo) {
  kill_a_writer();
  std::filesystem::remove(path + "-shm");
  EXPECT_EQ(error_of([&] { Database::open(path, Mode::read_only); }),
            path + ": cannot read the database: its log '" + path +
                "-wal' is not merged and the index of it is missing; an interrupted writer left work to "
                "finish: open the database once for writing, or copy it (with its -wal or -journal "
                "file) to a writable folder");
  EXPECT_THAT(folder.names(), ElementsAre("read.db", "read.db-wal"));
  EXPECT_EQ(Database::open(path, Mode::read_write).records().size(), 1u);
}

TEST_F(ReadOnly, JournalOfAKilledWriterIsAnErrorThatSaysWhatToDo) {
  const OpenOptions rollback{std::chrono::milliseconds(1000), false};
  new_database(path, rollback).add(some_record("a"));
  ASSERT_EQ(run_in_child([&] {
              Connection connection(path, file_uri(path, "mode=rw"),
                                    Connection::Access::read_write_create, rollback.busy_timeout);
              // One page of cache: uncommitted pages reach the file, so the journal is needed.
              connection.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM records");
              for (int i = 0; i < 100; ++i) {
                Statement(connection, "INSERT INTO machine_cache VALUES (?, ?, '')", i,
                          std::string(2000, 'x'))
                    .run();
              }
              return kill(getpid(), SIGKILL);
            }),
            128 + SIGKILL);
  ASSERT_THAT(folder.names(), ElementsAre("read.db", "read.db-journal"));
  EXPECT_THAT(error_of([&] { Database::open(path, Mode::read_only); }),
              HasSubstr("an interrupted writer left work to finish: open the database once for writing"));
  EXPECT_EQ(Database::open(path, Mode::read_write, rollback).records().size(), 1u);
  EXPECT_EQ(Database::open(path, Mode::read_only).records().size(), 1u);
}

TEST_F(ReadOnly, FollowsAWriterOfTheSameProcess) {
  for (const bool allow_wal : {true, false}) {
    Database writer = new_database(path, {std::chrono::milliseconds(1000), allow_wal});
    writer.remove({1, 2, 3, 4});
    const Database reader = Database::open(path, Mode::read_only);
    EXPECT_EQ(reader.records().size(), 0u);
    writer.add(some_record("a"));
    EXPECT_EQ(reader.records().size(), 1u);
    writer.add(some_record("b"));
    EXPECT_EQ(reader.records().size(), 2u);
  }
}

TEST_F(ReadOnly, FollowsAWriterThatComesAndGoes) {
  new_database(path);
  const Database reader = Database::open(path, Mode::read_only);
  for (std::size_t i = 1; i <= 3; ++i) {
    EXPECT_EQ(run_in_child([&] {
                Database::open(path, Mode::read_write).add(some_record(std::to_string(i)));
                return 0;
              }),
              0);
    EXPECT_EQ(reader.records().size(), i);
    EXPECT_THAT(folder.names(), ElementsAre("read.db"));
  }
}

TEST_F(ReadOnly, DoesNotKeepTheWriterFromMergingItsLog) {
  auto writer = std::make_unique<Database>(new_database(path));
  const Database reader = Database::open(path, Mode::read_only);
  EXPECT_EQ(reader.workloads().size(), 1u);
  writer.reset();
  EXPECT_THAT(folder.names(), ElementsAre("read.db"));
  EXPECT_EQ(reader.workloads().size(), 1u);
}

TEST_F(ReadOnly, FileThatDisappears) {
  new_database(path);
  const Database reader = Database::open(path, Mode::read_only);
  std::filesystem::remove(path);
  EXPECT_THAT(error_of([&] { reader.records(); }), HasSubstr("there is no such file"));
}

}  // namespace
}  // namespace swgen::tuning_db
