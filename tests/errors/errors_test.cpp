// SPDX-License-Identifier: Apache-2.0
// Every file of cases/ is bad input; its .expected file holds all that the user sees.
// SWGEN_UPDATE_EXPECTED=1 rewrites the .expected files instead of comparing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/frontend/reader.h"
#include "tests/errors/cases.h"
#include "tests/unit/frontend/test_operators.h"

namespace swgen::frontend {
namespace {

std::string path_of(const std::string& file) { return std::string(SWGEN_ERROR_CASES) + "/" + file; }

std::string read_file(const std::string& file) {
  std::ifstream in(path_of(file), std::ios::binary);
  EXPECT_TRUE(in.is_open()) << "cannot open " << path_of(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class ErrorCases : public testing::TestWithParam<ErrorCase> {};

TEST_P(ErrorCases, GivesTheExpectedMessages) {
  const ErrorCase& c = GetParam();
  const std::string file = c.name + ".yaml";
  base::Diagnostics errors;
  const auto workloads =
      read_workloads(file, read_file(file), test_operators(), c.overrides, errors);
  EXPECT_TRUE(workloads.empty());
  EXPECT_TRUE(errors.any());
  if (std::getenv("SWGEN_UPDATE_EXPECTED") != nullptr)
    std::ofstream(path_of(c.name + ".expected"), std::ios::binary) << errors.text();
  EXPECT_EQ(errors.text(), read_file(c.name + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Frontend, ErrorCases, testing::ValuesIn(error_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(ErrorCaseList, IsSortedAndComplete) {
  std::vector<std::string> listed;
  for (const ErrorCase& c : error_cases()) listed.push_back(c.name);
  EXPECT_TRUE(std::is_sorted(listed.begin(), listed.end()));
  std::vector<std::string> present;
  for (const auto& entry : std::filesystem::directory_iterator(SWGEN_ERROR_CASES))
    if (entry.path().extension() == ".yaml") present.push_back(entry.path().stem().string());
  std::sort(present.begin(), present.end());
  EXPECT_EQ(listed, present);
}

}  // namespace
}  // namespace swgen::frontend
