// SPDX-License-Identifier: Apache-2.0
#include "tuner/search/search.h"

#include <algorithm>

namespace swgen::tuner {
namespace {

int different(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  if (a.size() != b.size()) return 1000;
  int n = 0;
  for (size_t i = 0; i < a.size(); ++i) n += a[i] != b[i] ? 1 : 0;
  return n;
}

}  // namespace

std::optional<size_t> Search::next() {
  ++turn_;
  if (turn_ % 3 == 2)
    if (const auto neighbour = best_neighbour()) return neighbour;
  if (turn_ % 3 == 0)
    if (const auto neglected = best_of_neglected()) return neglected;
  for (size_t i = 0; i < ranked_.size(); ++i)
    if (!done_[i]) return i;
  return std::nullopt;
}

std::optional<size_t> Search::best_neighbour() const {
  for (const auto& [seconds, centre] : fastest_)
    for (int reach = 1; reach <= 2; ++reach)
      for (size_t i = 0; i < ranked_.size(); ++i)
        if (!done_[i] && different(ranked_[i].choices, ranked_[centre].choices) <= reach &&
            ranked_[i].prediction.seconds < 1.5 * ranked_[centre].prediction.seconds)
          return i;
  return std::nullopt;
}

Search::Family Search::family(const RankedCandidate& c) {
  return {c.choices.begin(), c.choices.begin() + std::min<std::ptrdiff_t>(5, std::ssize(c.choices))};
}

std::optional<size_t> Search::best_of_neglected() const {
  std::optional<size_t> best;
  int fewest = 0;
  for (size_t i = 0; i < ranked_.size(); ++i) {
    if (done_[i] || ranked_[i].prediction.seconds > 1.5 * ranked_[0].prediction.seconds) continue;
    const auto found = tried_.find(family(ranked_[i]));
    const int tried = found == tried_.end() ? 0 : found->second;
    if (best && tried >= fewest) continue;
    best = i;
    fewest = tried;
  }
  return best;
}

void Search::tell(size_t candidate, double seconds) {
  done_[candidate] = true;
  ++tried_[family(ranked_[candidate])];
  ++since_better_;
  if (seconds > 0 && (best_ == 0 || seconds < 0.995 * best_)) {
    best_ = seconds;
    since_better_ = 0;
  }
  if (seconds <= 0) return;
  fastest_.emplace_back(seconds, candidate);
  std::sort(fastest_.begin(), fastest_.end());
  if (fastest_.size() > 4) fastest_.pop_back();
}

}  // namespace swgen::tuner
