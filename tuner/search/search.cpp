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
  if (turn_ % 2 == 0)
    if (const auto neighbour = best_neighbour()) return neighbour;
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

void Search::tell(size_t candidate, double seconds) {
  done_[candidate] = true;
  if (seconds <= 0) return;
  fastest_.emplace_back(seconds, candidate);
  std::sort(fastest_.begin(), fastest_.end());
  if (fastest_.size() > 4) fastest_.pop_back();
}

}  // namespace swgen::tuner
