// SPDX-License-Identifier: Apache-2.0
// Several processes and threads on one file; writers that are killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "support.h"

namespace swgen::tuning_db {
namespace {

using Mode = Database::Mode;

constexpr int kRecords = 200;

pid_t start(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 0;
    try {
      body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      status = 1;
    }
    _exit(status);
  }
  return child;
}

int exit_status(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Processes : public ::testing::TestWithParam<bool> {
 protected:
  OpenOptions options() const { return {std::chrono::milliseconds(30000), GetParam()}; }
  Record numbered(int process, int index) const {
    return some_record("p" + std::to_string(process) + "." + std::to_string(index), 1 + index);
  }
  TemporaryFolder folder;
  std::string path = folder.file("shared.db");
};

TEST_P(Processes, TwoWritersCreateAndFillOneFileWhileAReaderLooks) {
  const auto write = [&](int process) {
    Database database = new_database(path, options());  // both race to create it
    for (int i = 0; i < kRecords; ++i) database.add(numbered(process, i));
  };
  const pid_t first = start([&] { write(1); });
  const pid_t second = start([&] { write(2); });
  // The reader never sees an error or fewer records than before once the file is there.
  while (error_of([&] { Database::open(path, Mode::read_only, options()); }) != "no error") usleep(1000);
  const Database reader = Database::open(path, Mode::read_only, options());
  std::size_t seen = 0;
  while (seen < kRecords / 2 && !HasFailure()) {
    const std::size_t now = reader.records().size();
    EXPECT_GE(now, seen);
    seen = now;
  }
  EXPECT_EQ(exit_status(first), 0);
  EXPECT_EQ(exit_status(second), 0);
  std::set<std::string> schedules;
  for (const Record& record : reader.records()) schedules.insert(record.schedule);
  EXPECT_EQ(schedules.size(), 2u * kRecords);
  EXPECT_TRUE(reader.check().ok);
}

TEST_P(Processes, KilledWriterLosesNothingCommitted) {
  for (int round = 0; round < 3; ++round) {
    int ids[2];
    ASSERT_EQ(pipe(ids), 0);
    const pid_t writer = start([&] {
      Database database = new_database(path, options());
      for (int i = 0;; ++i) {
        const std::int64_t id = database.add(numbered(round, i));
        if (write(ids[1], &id, sizeof id) != sizeof id) return;
      }
    });
    close(ids[1]);
    std::set<std::int64_t> committed;
    std::int64_t id = 0;
    while (read(ids[0], &id, sizeof id) == sizeof id) {
      committed.insert(id);
      if (committed.size() == 50) kill(writer, SIGKILL);  // most likely inside a transaction
    }
    close(ids[0]);
    EXPECT_EQ(exit_status(writer), 128 + SIGKILL);
    EXPECT_GE(committed.size(), 50u);
    const Database database = Database::open(path, Mode::read_write, options());
    EXPECT_TRUE(database.check().ok);
    for (const std::int64_t one : committed) EXPECT_TRUE(database.record(one).has_value()) << one;
  }
}

TEST_P(Processes, ThreadsShareOneObject) {
  Database database = new_database(path, options());
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const Record record = numbered(t, i);
        const std::int64_t id = database.add(record);
        const auto stored = database.record(id);
        EXPECT_TRUE(stored && stored->schedule == record.schedule);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(database.records().size(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Journal, Processes, ::testing::Bool(), [](const auto& parameter) {
  return parameter.param ? "WriteAheadLog" : "Rollback";
});

}  // namespace
}  // namespace swgen::tuning_db
