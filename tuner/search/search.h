// SPDX-License-Identifier: Apache-2.0
// Which candidate is measured next: in turn the best predicted one, the best predicted neighbour of
// the fastest measured ones, and the best predicted of the family tried least. Deterministic given
// what was measured.
#pragma once

#include <map>
#include <optional>
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

  /// Whether nothing better (by half a percent) came in the last `kPatience` candidates.
  bool settled() const { return since_better_ >= kPatience; }
  static constexpr int kPatience = 80;

 private:
  /// Candidates that share the coarse choices, which come first: layout, lanes, order of loops, vectors.
  using Family = std::vector<int64_t>;
  static Family family(const RankedCandidate& c);
  std::optional<size_t> best_of_neglected() const;
  std::optional<size_t> best_neighbour() const;

  const std::vector<RankedCandidate>& ranked_;
  std::vector<bool> done_;
  std::vector<std::pair<double, size_t>> fastest_;  // at most 4, fastest first
  std::map<Family, int> tried_;
  double best_ = 0;
  int since_better_ = 0;
  int turn_ = 0;
};

}  // namespace swgen::tuner
