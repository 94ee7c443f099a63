// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "support.h"
#include "tuning_db/connection.h"
#include "tuning_db/file_system.h"

namespace swgen::tuning_db {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Mode = Database::Mode;

class Open : public ::testing::Test {
 protected:
  std::string error_when_opening(const std::string& path, Mode mode = Mode::read_write) {
    return error_of([&] { Database::open(path, mode); });
  }
  TemporaryFolder folder;
};

TEST_F(Open, CreatesAFileThatIsNotWorldWritableAndCleansUp) {
  const std::string path = folder.file("new.db");
  new_database(path);
  EXPECT_THAT(folder.names(), ElementsAre("new.db"));
  struct stat facts {};
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & S_IWOTH, 0u);
}

TEST_F(Open, KeepsContentsWhenOpenedAgain) {
  const std::string path = folder.file("kept.db");
  new_database(path).add(some_record("split(x,4)"));
  const Database again = Database::open(path, Mode::read_write);
  ASSERT_EQ(again.records().size(), 1u);
  EXPECT_EQ(again.records()[0].schedule, "split(x,4)");
}

TEST_F(Open, TakesAnEmptyFileAsNew) {
  const std::string path = folder.file("empty.db");
  write_file(path, "");
  EXPECT_TRUE(new_database(path).check().ok);
}

TEST_F(Open, AcceptsSpacesNonAsciiAndUriCharacters) {
  const std::string name = "a b?c=1#d%41\xc3\xbc&.db";
  new_database(folder.file(name)).add(some_record());
  EXPECT_THAT(folder.names(), ElementsAre(name));
  EXPECT_EQ(Database::open(folder.file(name), Mode::read_only).records().size(), 1u);
}

TEST_F(Open, RelativePathIsResolvedAtOpening) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Database database = new_database("relative.db");
  std::filesystem::current_path(before);
  EXPECT_EQ(database.path(), folder.file("relative.db"));
  EXPECT_EQ(Database::open(folder.file("relative.db"), Mode::read_only).workloads().size(), 1u);
}

TEST_F(Open, LinkIsFollowed) {
  std::filesystem::create_directory(folder.file("real"));
  Database database = new_database(folder.file("real/x.db"));
  std::filesystem::create_symlink("real/x.db", folder.file("link.db"));
  const Database reader = Database::open(folder.file("link.db"), Mode::read_only);
  EXPECT_EQ(reader.path(), folder.file("real/x.db"));
  database.add(some_record());
  EXPECT_EQ(reader.records().size(), 1u);
  EXPECT_THAT(folder.names(), ElementsAre("link.db", "real"));
}

TEST_F(Open, EmptyPath) {
  EXPECT_EQ(error_when_opening(""), "tuning database: the path is empty; give the name of a file");
}

TEST_F(Open, MissingFolder) {
  const std::string path = folder.file("missing/x.db");
  EXPECT_EQ(error_when_opening(path),
            path + ": cannot be opened: '" + folder.file("missing") +
                "' is not an existing folder; create the folder first or choose another path");
}

TEST_F(Open, FolderThatIsAFile) {
  write_file(folder.file("plain"), "text");
  EXPECT_THAT(error_when_opening(folder.file("plain/x.db")), HasSubstr("is not an existing folder"));
}

TEST_F(Open, PathThatIsAFolder) {
  for (const Mode mode : {Mode::read_write, Mode::read_only}) {
    EXPECT_EQ(error_when_opening(folder.path(), mode),
              folder.path() + ": is a folder, expected a file; give the name of a file inside it");
  }
}

TEST_F(Open, FileThatIsNotADatabase) {
  const std::string path = folder.file("notes.txt");
  const std::string contents = "These are notes, long enough to have the size of a header." +
                               std::string(200, '.');
  write_file(path, contents);
  for (const Mode mode : {Mode::read_write, Mode::read_only}) {
    EXPECT_THAT(error_when_opening(path, mode),
                AllOf(StartsWith(path + ": "), HasSubstr("file is not a database"),
                      HasSubstr("choose another file, or move this one away")));
  }
  EXPECT_EQ(read_file(path), contents);
}

TEST_F(Open, DatabaseOfAnotherProgramStaysAsItIs) {
  const std::string path = folder.file("photos.db");
  execute_raw(path, "PRAGMA application_id = 7; CREATE TABLE photos (id)");
  const std::string contents = read_file(path);
  for (const Mode mode : {Mode::read_write, Mode::read_only}) {
    EXPECT_EQ(error_when_opening(path, mode),
              path + ": is an SQLite database of another program (application_id 7, expected "
                     "1937205060); choose another file for the tuning database");
  }
  EXPECT_EQ(read_file(path), contents);
}

TEST_F(Open, LogOfAnotherProgramStaysAsItIs) {
  const std::string path = folder.file("photos.db");
  execute_raw(path, "PRAGMA journal_mode = WAL; CREATE TABLE photos (id)");
  const std::string contents = read_file(path);
  EXPECT_THAT(error_of([&] {
                Database::open(path, Mode::read_write, {std::chrono::milliseconds(1000), false});
              }),
              HasSubstr("is an SQLite database of another program"));
  EXPECT_EQ(read_file(path), contents);
}

TEST_F(Open, DatabaseWithTablesButWithoutApplicationId) {
  const std::string path = folder.file("plain.db");
  execute_raw(path, "CREATE TABLE photos (id)");
  EXPECT_THAT(error_when_opening(path), HasSubstr("of another program (application_id 0, expected"));
}

TEST_F(Open, NewerSchema) {
  const std::string path = folder.file("newer.db");
  new_database(path);
  execute_raw(path, "PRAGMA user_version = 99");
  for (const Mode mode : {Mode::read_write, Mode::read_only}) {
    EXPECT_EQ(error_when_opening(path, mode),
              path + ": has schema version 99, newer than the version 1 known to this program; use a "
                     "newer swgen, or another database file");
  }
}

TEST_F(Open, FolderWithoutWritePermission) {
  const std::string path = folder.file("fixed.db");
  new_database(path);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_EQ(run_in_child([&] {
              drop_privileges();
              const std::string error = error_when_opening(path);
              return error == path + ": cannot be opened for writing: the folder '" + folder.path() +
                                  "' is not writable and the journal is kept beside the file; open "
                                  "it read-only, or choose a path in a writable folder"
                         ? 0
                         : 1;
            }),
            0);
}

TEST_F(Open, FileWithoutWritePermission) {
  const std::string path = folder.file("fixed.db");
  new_database(path);
  std::filesystem::permissions(path, std::filesystem::perms(0444));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0777));
  EXPECT_EQ(run_in_child([&] {
              drop_privileges();
              return error_when_opening(path) == path +
                                                     ": cannot be opened for writing: the file is not "
                                                     "writable; make it writable or open it read-only"
                         ? 0
                         : 1;
            }),
            0);
}

TEST_F(Open, BusyDatabaseNamesTheCause) {
  const std::string path = folder.file("busy.db");
  Database database = new_database(path, {std::chrono::milliseconds(50), true});
  Connection other(path, file_uri(path, "mode=rw"), Connection::Access::read_write_create,
                   std::chrono::milliseconds(50));
  {
    const Transaction held(other, Transaction::Kind::write);
    EXPECT_EQ(error_of([&] { database.add(some_record()); }),
              path + ": cannot execute `BEGIN IMMEDIATE`: database is locked; another process holds the "
                     "database; wait for it to finish or raise the busy time-out");
  }
  EXPECT_EQ(database.add(some_record()), 1);
}

TEST_F(Open, UsesTheLogOnlyWhenAllowedAndLocal) {
  const std::string path = folder.file("mode.db");
  const bool local = is_on_local_file_system(folder.path());
  new_database(path);
  EXPECT_EQ(query_raw(path, "PRAGMA journal_mode"), local ? "wal" : "delete");
  new_database(path, {std::chrono::milliseconds(1000), false}).add(some_record());
  EXPECT_EQ(query_raw(path, "PRAGMA journal_mode"), "delete");
  EXPECT_EQ(Database::open(path, Mode::read_write).records().size(), 1u);
}

TEST_F(Open, RollbackJournalNeedsNoSharedMemory) {
  const std::string path = folder.file("converted.db");
  {
    Connection connection(path, file_uri(path, "mode=rwc"), Connection::Access::read_write_create,
                          std::chrono::milliseconds(100));
    ASSERT_TRUE(use_write_ahead_log(connection, std::chrono::milliseconds(100)));
    connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (42)");
  }
  Connection connection(path, file_uri(path, "mode=rw"), Connection::Access::read_write_create,
                        std::chrono::milliseconds(100));
  ASSERT_TRUE(connection.has_wal_header());
  use_rollback_journal(connection);
  EXPECT_FALSE(connection.has_wal_header());
  EXPECT_EQ(connection.integer("SELECT x FROM t"), 42);
  EXPECT_THAT(folder.names(), ElementsAre("converted.db"));
  execute_raw(path, "INSERT INTO t VALUES (43)");  // the exclusive lock is gone
}

TEST_F(Open, LogThatCannotBeUsedFallsBack) {
  const std::string path = folder.file("refused.db");
  // SQLite follows no link here, so there is no shared memory to be had.
  std::filesystem::create_symlink("nowhere", path + "-shm");
  Database database = new_database(path);
  EXPECT_EQ(database.add(some_record()), 1);
  EXPECT_EQ(query_raw(path, "PRAGMA journal_mode"), "delete");
}

TEST(FileSystem, KnowsLocalOnes) {
  EXPECT_TRUE(is_local_file_system(0xEF53));       // ext4
  EXPECT_TRUE(is_local_file_system(0x01021994));   // tmpfs
  EXPECT_TRUE(is_local_file_system(0x9123683E));   // btrfs, above 2^31
  EXPECT_FALSE(is_local_file_system(0x6969));      // nfs
  EXPECT_FALSE(is_local_file_system(0xFF534D42));  // cifs
  EXPECT_FALSE(is_local_file_system(0x01021997));  // 9p
  EXPECT_FALSE(is_local_file_system(0x65735546));  // fuse
  EXPECT_FALSE(is_local_file_system(0x0BD00BD0));  // lustre
  EXPECT_FALSE(is_on_local_file_system("/no/such/folder"));
}

TEST(FileSystem, EncodesUris) {
  EXPECT_EQ(file_uri("/a b/c?d%.db", "mode=ro"), "file:///a%20b/c%3Fd%25.db?mode=ro");
}

}  // namespace
}  // namespace swgen::tuning_db
