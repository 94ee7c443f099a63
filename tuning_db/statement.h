// SPDX-License-Identifier: Apache-2.0
// Internal: RAII over an SQLite connection, statement and transaction. Failures throw SqliteError.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tuning_db/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace swgen::tuning_db {

class Connection {
 public:
  enum class Access { read_write_create, read_only };

  /// Opens `uri` (an SQLite `file:` URI); `path` is what messages call the file. The busy time-out is
  /// set before anything touches the file.
  Connection(const std::string& path, const std::string& uri, Access access,
             std::chrono::milliseconds busy_timeout);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::string& path() const { return path_; }
  void execute(const std::string& script);
  std::int64_t integer(const std::string& sql);  ///< first column of the first row
  std::string text(const std::string& sql);      ///< first column of the first row
  std::int64_t last_insert_id() const;
  std::int64_t changes() const;  ///< rows changed by the last statement
  bool writable() const;
  bool has_wal_header() const;  ///< the file itself says that it is in write-ahead-log mode
  [[noreturn]] void fail(int code, const std::string& action) const;

 private:
  friend class Statement;
  friend class Transaction;
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// One prepared statement; columns and parameters count from 0.
class Statement {
 public:
  template <typename... Values>
  Statement(Connection& connection, std::string_view sql, const Values&... values)
      : Statement(connection, sql, Prepared{}) {
    (bind(values), ...);
  }
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  bool step();  ///< true when there is a row to read
  void run();   ///< for statements without rows
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::vector<double> doubles(int column) const;  ///< throws DatabaseError on a broken length
  const std::string& path() const { return connection_.path(); }

 private:
  struct Prepared {};
  Statement(Connection& connection, std::string_view sql, Prepared);
  void bind(std::string_view value);
  void bind(std::int64_t value);
  void bind(int value) { bind(static_cast<std::int64_t>(value)); }
  void bind(double value);
  void bind(const std::vector<double>& values);
  void bound(int code);

  Connection& connection_;
  sqlite3_stmt* handle_ = nullptr;
  int parameter_ = 0;
};

/// Rolled back on destruction unless committed. `write` is BEGIN IMMEDIATE: the busy time-out does not
/// help a reader that turns into a writer.
class Transaction {
 public:
  enum class Kind { read, write };
  Transaction(Connection& connection, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace swgen::tuning_db
