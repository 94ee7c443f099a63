// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "tests/unit/structure/rules.h"

namespace swgen::structure {
namespace {

struct Argument {
  std::string text;
  size_t line;
};

struct Command {
  std::string name;
  std::vector<Argument> arguments;
};

/// Splits CMake text into commands. Quotes group; parentheses inside a command are dropped.
class CMakeReader {
 public:
  explicit CMakeReader(const SourceFile& file) {
    for (const std::string& line : file.lines) text_ += line + "\n";
  }

  std::vector<Command> run() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#')
        at_ = text_.find('\n', at_);
      else if (c == '"')
        quoted();
      else if (c == '(' && depth_++ == 0)
        open();
      else if (c == ')' && --depth_ == 0)
        close();
      else if (c == '(' || c == ')' || std::isspace(static_cast<unsigned char>(c)) || c == ';')
        end_word();
      else
        word_ += c;
      if (text_[at_] == '\n') ++line_;
    }
    return commands_;
  }

 private:
  void quoted() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      if (text_[at_] == '\n') ++line_;
      word_ += text_[at_];
    }
  }
  void open() {
    commands_.push_back({word_, {}});
    word_.clear();
  }
  void close() { end_word(); }
  void end_word() {
    // Outside of a command a word is its name, and blanks may follow it.
    if (depth_ == 0 && text_[at_] != ')') return;
    if (!word_.empty()) commands_.back().arguments.push_back({word_, line_});
    word_.clear();
  }

  std::string text_, word_;
  std::vector<Command> commands_;
  size_t at_ = 0, line_ = 1;
  int depth_ = 0;
};

/// These name sources but build nothing.
bool is_list(const Command& command) {
  static const std::set<std::string> others = {
      "add_custom_command",          "configure_file", "file", "install", "message", "set_property",
      "set_source_files_properties", "string"};
  return others.count(command.name) == 0;
}

/// A variable's value: generated, or chosen by the configuration.
bool is_generated(const std::string& argument) { return argument.find('$') != std::string::npos; }

/// The path below the CMake file's folder, where it says so in a variable.
std::string plain(std::string argument) {
  for (const std::string prefix : {"${CMAKE_CURRENT_LIST_DIR}/", "${CMAKE_CURRENT_SOURCE_DIR}/"})
    if (starts_with(argument, prefix)) return argument.substr(prefix.size());
  return argument;
}

bool is_source(const std::string& argument) {
  static const std::regex pattern(R"(^[A-Za-z0-9_.][A-Za-z0-9_./+-]*\.(cpp|c)$)");
  return std::regex_match(argument, pattern);
}

void check_order(const std::string& path, const Command& command, std::vector<Violation>& found) {
  std::string last;
  for (const Argument& argument : command.arguments) {
    const std::string text = plain(argument.text);
    if (is_source(text)) {
      if (text < last)
        found.push_back(
            {path, argument.line,
             "build lists: found " + text + " after " + last + ", expected a sorted list"});
      last = text;
    } else if (is_generated(text) && !last.empty()) {
      found.push_back(
          {path, argument.line,
           "build lists: found " + text + " after " + last + ", expected generated sources first"});
    } else {
      last.clear();
    }
  }
}

bool is_inside(const std::string& path, const std::string& folder) {
  return folder.empty() || starts_with(path, folder + "/");
}

}  // namespace

std::vector<Violation> check_build_lists(const SourceTree& tree) {
  std::vector<Violation> found;
  std::set<std::string> listed;
  for (const auto& [path, file] : tree) {
    if (!is_build_file(path)) continue;
    for (const Command& command : CMakeReader(file).run()) {
      if (!is_list(command)) continue;
      check_order(path, command, found);
      for (const Argument& argument : command.arguments) {
        if (!is_source(plain(argument.text))) continue;
        const std::string source = resolve(folder_of(path), plain(argument.text));
        if (tree.count(source) == 0)
          found.push_back(
              {path, argument.line,
               "build lists: found " + plain(argument.text) + ", expected a file of that name"});
        if (is_inside(source, folder_of(path))) listed.insert(source);
      }
    }
  }
  for (const auto& [path, file] : tree)
    if (is_compiled(path) && listed.count(path) == 0)
      found.push_back({path, 1,
                       "build lists: found no mention, expected one in a CMakeLists.txt or .cmake "
                       "file of its folder or one above"});
  return found;
}

}  // namespace swgen::structure
