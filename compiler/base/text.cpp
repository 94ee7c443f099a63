// SPDX-License-Identifier: Apache-2.0
#include "compiler/base/text.h"

#include <cctype>
#include <set>

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

bool is_reserved(const std::string& name) {
  static const std::set<std::string> reserved = {
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
      "const", "constexpr", "const_cast", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
      "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace",
      "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
      "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual",
      "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // Variables and functions of emitted kernels.
      "args", "begin", "bias", "end", "first", "ldm", "last", "main", "own", "pa", "packed", "pb", "pc", "plain", "reference", "run", "scratch", "sum",
      "sums", "task", "threads", "va", "vb", "width", "workspace", "xa", "zero"};
  return reserved.count(name) != 0;
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
