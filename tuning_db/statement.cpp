// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/statement.h"

#include <sqlite3.h>

#include <bit>
#include <utility>

namespace swgen::tuning_db {

Connection::Connection(const std::string& path, const std::string& uri, Access access,
                       std::chrono::milliseconds busy_timeout)
    : path_(path) {
  const int flags = access == Access::read_only ? SQLITE_OPEN_READONLY
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code =
      sqlite3_open_v2(uri.c_str(), &handle_, flags | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string detail = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
    sqlite3_close(handle_);
    throw SqliteError(path_, code, "open the database", detail);
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, static_cast<int>(busy_timeout.count()));
}

Connection::~Connection() { sqlite3_close(handle_); }

void Connection::execute(const std::string& script) {
  const int code = sqlite3_exec(handle_, script.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code, "execute `" + script.substr(0, script.find('\n')) + "`");
}

std::int64_t Connection::integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Connection::text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.text(0) : std::string();
}

std::int64_t Connection::last_insert_id() const { return sqlite3_last_insert_rowid(handle_); }

std::int64_t Connection::changes() const { return sqlite3_changes(handle_); }

bool Connection::writable() const { return sqlite3_db_readonly(handle_, "main") == 0; }

bool Connection::has_wal_header() const {
  // Read through SQLite's own file: opening and closing the file here would drop the POSIX locks that
  // other connections of this process hold on it. Bytes 18 and 19 of the header are the format's
  // write and read version, 2 = write-ahead log (https://www.sqlite.org/fileformat2.html).
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return false;
  if (!file || !file->pMethods) return false;
  unsigned char versions[2] = {0, 0};
  const int code = file->pMethods->xRead(file, versions, sizeof versions, 18);
  return code == SQLITE_OK && versions[1] == 2;
}

void Connection::fail(int code, const std::string& action) const {
  throw SqliteError(path_, code, action, sqlite3_errmsg(handle_));
}

Statement::Statement(Connection& connection, std::string_view sql, Prepared) : connection_(connection) {
  const int code = sqlite3_prepare_v2(connection.handle_, sql.data(), static_cast<int>(sql.size()),
                                      &handle_, nullptr);
  if (code != SQLITE_OK) connection.fail(code, "prepare `" + std::string(sql) + "`");
}

Statement::~Statement() { sqlite3_finalize(handle_); }

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) connection_.fail(code, std::string("run `") + sqlite3_sql(handle_) + "`");
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

double Statement::real(int column) const { return sqlite3_column_double(handle_, column); }

std::string Statement::text(int column) const {
  const auto* begin = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  return begin ? std::string(begin, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)))
               : std::string();
}

std::vector<double> Statement::doubles(int column) const {
  const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(handle_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  if (size % sizeof(double) != 0) {
    throw DatabaseError(path(), "samples have a length of " + std::to_string(size) +
                                    " bytes, expected a multiple of 8",
                        "the record is damaged; measure it again");
  }
  std::vector<double> values(size / sizeof(double));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits = 0;
    for (std::size_t b = 0; b < 8; ++b) bits |= static_cast<std::uint64_t>(bytes[8 * i + b]) << (8 * b);
    values[i] = std::bit_cast<double>(bits);
  }
  return values;
}

void Statement::bound(int code) {
  if (code != SQLITE_OK) {
    connection_.fail(code, "bind parameter " + std::to_string(parameter_) + " of `" +
                               sqlite3_sql(handle_) + "`");
  }
}

void Statement::bind(std::string_view value) {
  // A null pointer would bind NULL, the empty text is a value.
  const char* data = value.data() ? value.data() : "";
  bound(sqlite3_bind_text64(handle_, ++parameter_, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(std::int64_t value) { bound(sqlite3_bind_int64(handle_, ++parameter_, value)); }

void Statement::bind(double value) { bound(sqlite3_bind_double(handle_, ++parameter_, value)); }

void Statement::bind(const std::vector<double>& values) {
  std::string bytes;
  bytes.reserve(values.size() * sizeof(double));
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int b = 0; b < 8; ++b) bytes.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
  }
  bound(sqlite3_bind_blob64(handle_, ++parameter_, bytes.c_str(), bytes.size(), SQLITE_TRANSIENT));
}

Transaction::Transaction(Connection& connection, Kind kind) : connection_(connection) {
  connection.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // A failed rollback has nothing to undo: SQLite rolled back by itself.
  if (open_) sqlite3_exec(connection_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace swgen::tuning_db
