// SPDX-License-Identifier: Apache-2.0
// The rules of the repository's structure that a test can read off its files.
#pragma once

#include <string>
#include <vector>

#include "tests/unit/structure/source_tree.h"

namespace swgen::structure {

struct Violation {
  std::string path;
  size_t line;  ///< from 1
  std::string message;
};

/// "path:line: message", as editors and compilers show it.
std::string to_string(const Violation& violation);

struct Rule {
  const char* name;  ///< an identifier: the name of its test
  std::vector<Violation> (*check)(const SourceTree&);
};

const std::vector<Rule>& rule_table();

// include_rules.cpp: what may include what.
std::vector<Violation> check_folder_order(const SourceTree& tree);
std::vector<Violation> check_passes(const SourceTree& tree);
std::vector<Violation> check_third_party_homes(const SourceTree& tree);

// text_rules.cpp: what stands in a file.
std::vector<Violation> check_length(const SourceTree& tree);
std::vector<Violation> check_license(const SourceTree& tree);
std::vector<Violation> check_target_names(const SourceTree& tree);

// build_rules.cpp: what the CMake files list.
std::vector<Violation> check_build_lists(const SourceTree& tree);

}  // namespace swgen::structure
