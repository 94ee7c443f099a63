// SPDX-License-Identifier: Apache-2.0
// Linear forms over named variables: every address and tile corner of a Program is one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace swgen::ir {

/// constant + sum of coefficient * variable. No zero coefficients are kept; order is by name.
struct Linear {
  int64_t constant = 0;
  std::map<std::string, int64_t> terms;

  Linear() = default;
  explicit Linear(int64_t c) : constant(c) {}

  void add_term(const std::string& var, int64_t coefficient);
  void add(const Linear& other, int64_t scale = 1);
  int64_t coefficient(const std::string& var) const;
  bool uses(const std::string& var) const { return terms.count(var) != 0; }
};

}  // namespace swgen::ir
