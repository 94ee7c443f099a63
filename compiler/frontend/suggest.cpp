// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/suggest.h"

#include <algorithm>
#include <cstddef>

#include "compiler/base/text.h"

namespace swgen::frontend {
namespace {

// Levenshtein distance by one row of its table.
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(const std::string& found, const std::vector<std::string>& choices) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, found.size() / 3) + 1;
  for (const std::string& choice : choices) {
    // Lengths alone bound the distance; this keeps a huge key from costing quadratic time.
    if (found.size() > choice.size() + best_distance) continue;
    const size_t distance = edit_distance(found, choice);
    if (distance >= best_distance || distance >= choice.size()) continue;
    best = choice;
    best_distance = distance;
  }
  return best;
}

std::string one_of(const std::vector<std::string>& choices) {
  if (choices.empty()) return "nothing";
  return (choices.size() == 1 ? "" : "one of ") + base::join(choices, ", ");
}

std::string expected_one_of(const std::string& found, const std::vector<std::string>& choices) {
  const std::string near = choices.size() > 1 ? nearest(found, choices) : "";
  return "expected " + one_of(choices) + (near.empty() ? "" : "; did you mean '" + near + "'?");
}

}  // namespace swgen::frontend
