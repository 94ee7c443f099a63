// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/scalars.h"

#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/frontend/suggest.h"

namespace swgen::frontend {
namespace {

// Decimal without leading zeros: 010 is eight to some YAML readers and ten to others.
bool looks_whole(const std::string& text) {
  const size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (text.size() == sign || (text[sign] == '0' && text.size() > sign + 1)) return false;
  return std::all_of(text.begin() + sign, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<int64_t> read_integer(const Node& node, int64_t minimum, base::Diagnostics& errors) {
  if (node.is_refused()) return std::nullopt;
  std::string expected = base::cat("a whole number >= ", minimum);
  if (node.kind == Node::Kind::plain && looks_whole(node.text)) {
    const bool fits = node.text.size() <= 12;  // enough for kMaxValue, safe for stoll
    const int64_t value = fits ? std::stoll(node.text) : kMaxValue + 1;
    const bool negative = node.text[0] == '-';
    if (fits && value >= minimum && value <= kMaxValue) return value;
    if (!negative && value > kMaxValue) expected += base::cat(" and <= ", kMaxValue);
  }
  errors.error(node.at, "found " + describe(node) + ", expected " + expected);
  return std::nullopt;
}

std::optional<double> read_decimal(const Node& node, base::Diagnostics& errors) {
  if (node.is_refused()) return std::nullopt;
  const size_t point = node.text.find('.');
  const std::string whole = node.text.substr(0, point), rest = point == std::string::npos ? "0" : node.text.substr(point + 1);
  const auto digits = [](const std::string& s) {
    return !s.empty() && s.size() < 12 && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (node.kind == Node::Kind::plain && looks_whole(whole) && digits(whole) && digits(rest)) {
    const double value = std::stod(whole + "." + rest);
    if (value > 0) return value;
  }
  errors.error(node.at, "found " + describe(node) + ", expected a decimal number above 0, without exponent");
  return std::nullopt;
}

std::optional<bool> read_boolean(const Node& node, base::Diagnostics& errors) {
  if (node.is_refused()) return std::nullopt;
  if (node.kind == Node::Kind::plain && node.text == "true") return true;
  if (node.kind == Node::Kind::plain && node.text == "false") return false;
  errors.error(node.at, "found " + describe(node) + ", expected true or false");
  return std::nullopt;
}

std::optional<std::string> read_text(const Node& node, const std::string& expected,
                                     base::Diagnostics& errors) {
  if (node.is_refused()) return std::nullopt;
  if (node.is_text() && !node.text.empty()) return node.text;
  errors.error(node.at, "found " + describe(node) + ", expected " + expected);
  return std::nullopt;
}

std::optional<size_t> read_choice(const Node& node, const std::vector<std::string>& choices,
                                  const std::string& remark, base::Diagnostics& errors) {
  if (node.is_refused()) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), node.text);
  if (node.is_text() && found != choices.end()) return found - choices.begin();
  const std::string near = node.is_text() && choices.size() > 1 ? nearest(node.text, choices) : "";
  errors.error(node.at, "found " + describe(node) + ", expected " + one_of(choices) + remark +
                            (near.empty() ? "" : "; did you mean '" + near + "'?"));
  return std::nullopt;
}

}  // namespace swgen::frontend
