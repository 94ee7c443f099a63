// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <gtest/gtest.h>

#include <sstream>

#include "compiler/base/error.h"

namespace swgen::cli {
namespace {

TEST(TableTest, AlignsAndTrims) {
  Table table({{"name"}, {"n", Table::Align::right}, {"text"}});
  table.add({"a", "1", ""});
  table.add({"longer", "100", "x"});
  std::ostringstream out;
  table.print(out, "> ");
  EXPECT_EQ(out.str(),
            "> name      n  text\n"
            "> a         1\n"
            "> longer  100  x\n");
}

TEST(TableTest, RowsHaveACellPerColumn) {
  Table table({{"name"}});
  EXPECT_THROW(table.add({"a", "b"}), base::InternalError);
}

TEST(FormatTest, SecondsHaveThreeDigits) {
  EXPECT_EQ(format_seconds(0), "-");
  EXPECT_EQ(format_seconds(1.5), "1.50 s");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(123.4e-6), "123 us");
  EXPECT_EQ(format_seconds(5e-9), "0.01 us");
}

TEST(FormatTest, Numbers) {
  EXPECT_EQ(format_number(0, 2), "-");
  EXPECT_EQ(format_number(12.345, 1), "12.3");
}

TEST(JsonTest, KeepsDoublesAndReplacesBadBytes) {
  std::ostringstream out;
  print_json(out, llvm::json::Object{{"b", 0.1}, {"a", json_text("x\xff\"")}});
  EXPECT_EQ(out.str(), "{\n  \"a\": \"x\xEF\xBF\xBD\\\"\",\n  \"b\": 0.10000000000000001\n}\n");
}

}  // namespace
}  // namespace swgen::cli
