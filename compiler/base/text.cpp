// SPDX-License-Identifier: Apache-2.0
#include "compiler/base/text.h"

#include <cctype>

#include "compiler/base/error.h"

namespace swgen::base {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (char c : text) {
    if (c == separator) {
      parts.push_back(part);
      part.clear();
    } else {
      part += c;
    }
  }
  parts.push_back(part);
  return parts;
}

std::string identifier(const std::string& name) {
  std::string out;
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += c;
    else if (out.empty() || out.back() != '_')
      out += '_';
  }
  return out;
}

std::string fill(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [key, value] : values) {
    const std::string mark = "@" + key + "@";
    for (size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  const size_t open = text.find('@');
  if (open != std::string::npos && text.find('@', open + 1) != std::string::npos)
    throw InternalError("a template has a placeholder without a value near '" +
                        text.substr(open, 24) + "'");
  return text;
}

}  // namespace swgen::base
