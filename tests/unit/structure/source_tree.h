// SPDX-License-Identifier: Apache-2.0
// The repository's text files in memory, as the structure rules read them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace swgen::structure {

struct SourceFile {
  std::string path;                ///< relative to the root, with '/'
  std::vector<std::string> lines;  ///< as they are
  std::vector<std::string> code;   ///< C and C++ only: comments and raw strings blanked
};

/// By path.
using SourceTree = std::map<std::string, SourceFile>;

/// Reads what belongs to the project: skips build*/, out/, hidden folders except .ci, and test data
/// (folders named cases, fixtures or expected below tests/, and those in tests/golden/).
SourceTree read_tree(const std::string& root);

bool is_cpp(const std::string& path);         ///< .h .cpp .c .inc
bool is_compiled(const std::string& path);    ///< .cpp .c
bool is_build_file(const std::string& path);  ///< CMakeLists.txt and .cmake

bool starts_with(const std::string& text, const std::string& prefix);
bool ends_with(const std::string& text, const std::string& suffix);

/// The folder of `path`, "" at the root.
std::string folder_of(const std::string& path);

/// `path` relative to `folder`, both relative to the root, with "." and ".." resolved.
std::string resolve(const std::string& folder, const std::string& path);

/// C++ with comments and raw strings blanked; lines stay where they are.
std::string blank_comments(const std::string& text);

}  // namespace swgen::structure
