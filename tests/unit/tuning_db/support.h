// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the tuning database.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuning_db/database.h"

namespace swgen::tuning_db {

/// A folder that disappears with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> names() const;  ///< sorted names of what is in it

 private:
  std::string path_;
};

/// 64 times the same hex digit.
std::string key_of(char digit);

/// Rows that the records below refer to.
WorkloadRow some_workload();
TargetRow some_target();

/// An ok measurement of some_workload() on some_target().
Record some_record(const std::string& schedule = "", double seconds = 1e-3);

/// A new database with some_workload() and some_target() in it.
Database new_database(const std::string& path, const OpenOptions& options = {});

/// Runs SQL on the file behind the library's back, without its checks.
void execute_raw(const std::string& path, const std::string& sql);

/// First column of the rows, joined by newlines.
std::string query_raw(const std::string& path, const std::string& sql);

void write_file(const std::string& path, const std::string& contents);
std::string read_file(const std::string& path);

/// The message of the DatabaseError that `call` throws, or "no error".
std::string error_of(const std::function<void()>& call);

/// Runs `body` in a child process and returns its exit status, or 128 + signal. An exception is
/// printed and gives 99.
int run_in_child(const std::function<int()>& body);

/// For children: root may write anywhere, so become an ordinary user.
void drop_privileges();

}  // namespace swgen::tuning_db
