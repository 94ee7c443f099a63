// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/structure/source_tree.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace swgen::structure {
namespace {

namespace fs = std::filesystem;

bool is_skipped(const std::string& folder) {
  const std::string name = fs::path(folder).filename().string();
  if (starts_with(folder, "build") || folder == "out" || (name[0] == '.' && folder != ".ci"))
    return true;
  if (!starts_with(folder, "tests/")) return false;
  return name == "cases" || name == "fixtures" || name == "expected" ||
         starts_with(folder, "tests/golden/");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Walks C++ text once; every method consumes one construct that begins at `at_`.
class Blanker {
 public:
  explicit Blanker(std::string text) : text_(std::move(text)) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (is_at("//"))
        blank_until(text_.find('\n', at_));
      else if (is_at("/*"))
        blank_until(after("*/", at_ + 2));
      else if (text_[at_] == '"' && is_raw())
        raw_string();
      else if (text_[at_] == '"' || (text_[at_] == '\'' && !follows_word()))
        literal(text_[at_]);
      else
        ++at_;
    }
    return text_;
  }

 private:
  bool is_at(const char* mark) const { return text_.compare(at_, 2, mark) == 0; }
  // A quote after a digit separates digits.
  bool follows_word() const { return at_ > 0 && is_word(text_[at_ - 1]); }
  bool is_raw() const { return at_ > 0 && text_[at_ - 1] == 'R'; }

  size_t after(const std::string& mark, size_t from) const {
    const size_t found = text_.find(mark, from);
    return found == std::string::npos ? found : found + mark.size();
  }

  void blank_until(size_t end) {
    for (; at_ < end && at_ < text_.size(); ++at_)
      if (text_[at_] != '\n') text_[at_] = ' ';
  }

  void raw_string() {
    const size_t open = text_.find('(', at_);
    if (open == std::string::npos) {
      at_ = text_.size();
      return;
    }
    const std::string close = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
    blank_until(after(close, open));
  }

  void literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }

  std::string text_;
  size_t at_ = 0;
};

}  // namespace

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

bool ends_with(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

bool is_compiled(const std::string& path) {
  return ends_with(path, ".cpp") || ends_with(path, ".c");
}

bool is_cpp(const std::string& path) {
  return is_compiled(path) || ends_with(path, ".h") || ends_with(path, ".inc");
}

bool is_build_file(const std::string& path) {
  return fs::path(path).filename() == "CMakeLists.txt" || ends_with(path, ".cmake");
}

std::string folder_of(const std::string& path) {
  return fs::path(path).parent_path().generic_string();
}

std::string resolve(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().generic_string();
}

std::string blank_comments(const std::string& text) { return Blanker(text).run(); }

SourceTree read_tree(const std::string& root) {
  SourceTree tree;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    const std::string path = fs::relative(entry->path(), root).generic_string();
    if (entry->is_directory() && is_skipped(path)) entry.disable_recursion_pending();
    if (!entry->is_regular_file()) continue;
    std::ifstream in(entry->path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    SourceFile file{path, lines_of(text.str()), {}};
    if (is_cpp(path)) file.code = lines_of(blank_comments(text.str()));
    tree.emplace(path, std::move(file));
  }
  return tree;
}

}  // namespace swgen::structure
