// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdio>

#include "compiler/base/error.h"

namespace swgen::cli {
namespace {

std::string pad(const std::string& cell, size_t width, Table::Align align) {
  const std::string blanks(width - std::min(width, cell.size()), ' ');
  return align == Table::Align::left ? cell + blanks : blanks + cell;
}

}  // namespace

void print_json(std::ostream& out, const llvm::json::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream(stream, 2).value(value);
  out << stream.str() << '\n';
}

llvm::json::Value json_text(const std::string& text) {
  return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text);
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> row) {
  base::require(row.size() == columns_.size(), "a row of a table has one cell per column");
  rows_.push_back(std::move(row));
}

void Table::print(std::ostream& out, const std::string& indent) const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(column.title.size());
  for (const auto& row : rows_)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const auto print_row = [&](const auto& cell) {
    std::string line = indent;
    for (size_t i = 0; i < columns_.size(); ++i)
      line += (i == 0 ? "" : "  ") + pad(cell(i), widths[i], columns_[i].align);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  print_row([&](size_t i) { return columns_[i].title; });
  for (const auto& row : rows_) print_row([&](size_t i) { return row[i]; });
}

std::string format_seconds(double seconds) {
  if (seconds == 0) return "-";
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
  const Unit* unit = std::find_if(std::begin(kUnits), std::end(kUnits) - 1,
                                  [&](const Unit& u) { return seconds >= u.seconds; });
  const double value = seconds / unit->seconds;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s",
                value >= 100  ? 0
                : value >= 10 ? 1
                              : 2,
                value, unit->name);
  return text;
}

std::string format_number(double value, int decimals) {
  if (value == 0) return "-";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

}  // namespace swgen::cli
