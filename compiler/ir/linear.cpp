// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/linear.h"

namespace swgen::ir {

void Linear::add_term(const std::string& var, int64_t coefficient) {
  if (coefficient == 0) return;
  const int64_t sum = terms[var] += coefficient;
  if (sum == 0) terms.erase(var);
}

void Linear::add(const Linear& other, int64_t scale) {
  constant += other.constant * scale;
  for (const auto& [var, c] : other.terms) add_term(var, c * scale);
}

int64_t Linear::coefficient(const std::string& var) const {
  const auto found = terms.find(var);
  return found == terms.end() ? 0 : found->second;
}

}  // namespace swgen::ir
