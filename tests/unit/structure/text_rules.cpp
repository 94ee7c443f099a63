// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <regex>

#include "tests/unit/structure/rules.h"

namespace swgen::structure {
namespace {

constexpr size_t kMostLines = 500;

const std::string kLicense = "SPDX-License-Identifier: Apache-2.0";

bool is_script(const SourceFile& file) {
  return !file.lines.empty() && starts_with(file.lines[0], "#!");
}

/// Files of a kind that is written by hand and can hold a comment.
bool is_source(const SourceFile& file) {
  const std::string name = std::filesystem::path(file.path).filename().string();
  return is_cpp(file.path) || is_build_file(file.path) || is_script(file) || name == "Makefile" ||
         ends_with(name, ".in") || ends_with(name, ".sql") || ends_with(name, ".S");
}

/// `code` compares a target's name: target.name == ..., ... != target->name, ... == "x86".
bool compares_target_name(const std::string& code) {
  static const std::regex left(R"(\b\w*[Tt]arget\w*(\(\))?\s*(\.|->)\s*name(\(\))?\s*[!=]=)");
  static const std::regex right(
      R"([!=]=\s*(\w+(\.|->))*\w*[Tt]arget\w*(\(\))?\s*(\.|->)\s*name\b)");
  static const std::regex text(R"re([!=]=\s*"(x86|sw26010)|"(x86|sw26010)[^"]*"\s*[!=]=)re");
  if (code.find("==") == std::string::npos && code.find("!=") == std::string::npos) return false;
  return std::regex_search(code, left) || std::regex_search(code, right) ||
         std::regex_search(code, text);
}

bool may_ask_for_names(const std::string& path) {
  for (const char* folder :
       {"compiler/codegen/", "compiler/target/", "tuner/model/", "tests/", "bench/", "examples/"})
    if (starts_with(path, folder)) return true;
  return false;
}

}  // namespace

std::vector<Violation> check_length(const SourceTree& tree) {
  std::vector<Violation> found;
  for (const auto& [path, file] : tree)
    if (is_source(file) && file.lines.size() > kMostLines)
      found.push_back({path, kMostLines + 1,
                       "length: found " + std::to_string(file.lines.size()) +
                           " lines, expected at most " + std::to_string(kMostLines)});
  return found;
}

std::vector<Violation> check_license(const SourceTree& tree) {
  std::vector<Violation> found;
  for (const auto& [path, file] : tree) {
    if (!is_source(file)) continue;
    const size_t first = is_script(file) ? 1 : 0;
    const std::string line = first < file.lines.size() ? file.lines[first] : "";
    // The last form is for the slave compilers, whose C has no line comments.
    bool good = line == "/* " + kLicense + " */";
    for (const char* comment : {"// ", "# ", "-- "}) good = good || line == comment + kLicense;
    if (!good)
      found.push_back({path, first + 1,
                       "license: found '" + line + "', expected a comment that says " + kLicense});
  }
  return found;
}

std::vector<Violation> check_target_names(const SourceTree& tree) {
  std::vector<Violation> found;
  for (const auto& [path, file] : tree) {
    if (may_ask_for_names(path)) continue;
    for (size_t i = 0; i < file.code.size(); ++i)
      if (compares_target_name(file.code[i]))
        found.push_back(
            {path, i + 1,
             "target names: found a comparison with a target's name, expected one of its facts "
             "(names are for compiler/codegen, compiler/target and tuner/model)"});
  }
  return found;
}

}  // namespace swgen::structure
