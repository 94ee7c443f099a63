// SPDX-License-Identifier: Apache-2.0
// Which candidate is measured next: in turn the best predicted one, and the best predicted neighbour
// of the fastest measured ones. Deterministic given what was measured.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "tuner/tune.h"

namespace swgen::tuner {

class Search {
 public:
  explicit Search(const std::vector<RankedCandidate>& ranked) : ranked_(ranked), done_(ranked.size(), false) {}

  /// Position in the ranking, or nothing when all were tried.
  std::optional<size_t> next();

  /// `seconds` <= 0: the candidate failed.
  void tell(size_t candidate, double seconds);

 private:
  std::optional<size_t> best_neighbour() const;

  const std::vector<RankedCandidate>& ranked_;
  std::vector<bool> done_;
  std::vector<std::pair<double, size_t>> fastest_;  // at most 4, fastest first
  int turn_ = 0;
};

}  // namespace swgen::tuner
