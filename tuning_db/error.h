// SPDX-License-Identifier: Apache-2.0
// The one exception of the tuning database.
#pragma once

#include <stdexcept>
#include <string>

namespace swgen::tuning_db {

/// Message: `FILE: what failed; what to do about it`.
class DatabaseError : public std::runtime_error {
 public:
  DatabaseError(const std::string& file, const std::string& problem, const std::string& advice);
};

/// A DatabaseError that stems from an SQLite call; code() is SQLite's extended result code.
class SqliteError : public DatabaseError {
 public:
  /// `action` completes "cannot ..."; `detail` is SQLite's own message.
  SqliteError(const std::string& file, int code, const std::string& action, const std::string& detail);
  int code() const { return code_; }
  int primary_code() const { return code_ & 0xff; }

 private:
  int code_;
};

}  // namespace swgen::tuning_db
