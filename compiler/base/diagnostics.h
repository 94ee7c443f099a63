// SPDX-License-Identifier: Apache-2.0
// Errors of the user's input, with the place they were found at. Collected, then printed together.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace swgen::base {

/// A place in a text the user gave. `line` and `column` count from 1; 0 means "the whole text".
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Diagnostic {
  SourceLocation at;
  std::string message;
};

/// Collects errors. Printing gives `file:line:col: error: message`, the source line and a caret, in
/// the order of places.
class Diagnostics {
 public:
  /// Makes the text of `file` known, so that its lines can be quoted.
  void add_source(const std::string& file, std::string text) { sources_[file] = std::move(text); }

  void error(SourceLocation at, std::string message) {
    errors_.push_back({std::move(at), std::move(message)});
  }

  bool any() const { return !errors_.empty(); }
  const std::vector<Diagnostic>& errors() const { return errors_; }

  void print(std::ostream& out) const;
  std::string text() const;

 private:
  std::vector<Diagnostic> errors_;
  std::map<std::string, std::string> sources_;
};

}  // namespace swgen::base
