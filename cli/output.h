// SPDX-License-Identifier: Apache-2.0
// What commands print: tables for people, JSON for machines.
#pragma once

#include <llvm/Support/JSON.h>

#include <ostream>
#include <string>
#include <vector>

namespace swgen::cli {

/// Prints `value` indented, with keys in alphabetical order and a newline at the end.
void print_json(std::ostream& out, const llvm::json::Value& value);

/// `text` as JSON; bytes that are no UTF-8 are replaced.
llvm::json::Value json_text(const std::string& text);

/// Columns aligned by blanks, under a line of titles.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns);

  /// One cell per column.
  void add(std::vector<std::string> row);

  void print(std::ostream& out, const std::string& indent = "") const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// "12.3 us", with three significant digits; "-" for 0.
std::string format_seconds(double seconds);

/// With `decimals` digits after the point; "-" for 0.
std::string format_number(double value, int decimals);

}  // namespace swgen::cli
