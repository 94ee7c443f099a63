// SPDX-License-Identifier: Apache-2.0
// Writes C and C++ with the braces right by construction.
#pragma once

#include <functional>
#include <sstream>
#include <string>

namespace swgen::codegen {

class Writer {
 public:
  /// One line at the present depth; an empty text is an empty line.
  template <class... Args>
  void line(const Args&... args) {
    std::ostringstream text;
    static_cast<void>((text << ... << args));
    if (!text.str().empty()) out_ << std::string(2 * depth_, ' ') << text.str();
    out_ << '\n';
  }

  /// `head {`, the body one deeper, `}`.
  void braces(const std::string& head, const std::function<void()>& body,
              const std::string& tail = "") {
    line(head, head.empty() ? "{" : " {");
    ++depth_;
    body();
    --depth_;
    line("}", tail);
  }

  /// Preprocessor lines start in column one.
  void directive(const std::string& text) { out_ << text << '\n'; }

  std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
  int depth_ = 0;
};

}  // namespace swgen::codegen
