// SPDX-License-Identifier: Apache-2.0
// Small helpers to build and take apart text.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace swgen::base {

/// Concatenates everything that streams.
template <class... Args>
std::string cat(const Args&... args) {
  std::ostringstream out;
  (out << ... << args);
  return out.str();
}

template <class Range>
std::string join(const Range& parts, const std::string& separator) {
  std::ostringstream out;
  bool first = true;
  for (const auto& part : parts) {
    if (!first) out << separator;
    out << part;
    first = false;
  }
  return out.str();
}

std::vector<std::string> split(const std::string& text, char separator);

/// `name` with every run of characters outside [A-Za-z0-9] turned into one `_`.
std::string identifier(const std::string& name);

/// Whether emitted code gives the name a meaning of its own: keywords of C and C++, and what kernels declare.
bool is_reserved(const std::string& name);

/// Replaces each `@KEY@` of `text` by its value; a key without a value is an internal error.
std::string fill(std::string text, const std::vector<std::pair<std::string, std::string>>& values);

}  // namespace swgen::base
