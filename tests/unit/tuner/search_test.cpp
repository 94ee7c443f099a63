// SPDX-License-Identifier: Apache-2.0
// Which candidate is measured next: the best predicted and the neighbours of the fastest in turn.
#include "tuner/search/search.h"

#include <gtest/gtest.h>

namespace swgen::tuner {
namespace {

RankedCandidate candidate(std::vector<int64_t> choices, double predicted) {
  RankedCandidate c;
  c.choices = std::move(choices);
  c.prediction.seconds = predicted;
  return c;
}

/// Ranked by prediction; 3 and 4 are neighbours of each other, all others differ in three choices.
std::vector<RankedCandidate> ranking() {
  return {candidate({1, 1, 1}, 1.0), candidate({2, 2, 2}, 1.1), candidate({3, 3, 3}, 1.2),
          candidate({4, 4, 4}, 1.3), candidate({4, 4, 5}, 1.4), candidate({6, 6, 6}, 1.5)};
}

std::vector<size_t> order(const std::vector<RankedCandidate>& ranked,
                          const std::vector<double>& measured) {
  Search search(ranked);
  std::vector<size_t> tried;
  while (const auto next = search.next()) {
    tried.push_back(*next);
    search.tell(*next, measured[*next]);
  }
  return tried;
}

using Order = std::vector<size_t>;

TEST(Search, FollowsTheRankingWhereNothingIsNear) {
  std::vector<RankedCandidate> ranked = ranking();
  ranked.erase(ranked.begin() + 4);
  EXPECT_EQ(order(ranked, {5, 4, 3, 2, 1}), (Order{0, 1, 2, 3, 4}));
}

TEST(Search, TriesNeighboursOfTheFastestInTurn) {
  std::vector<RankedCandidate> ranked = ranking();
  ranked.push_back(candidate({1, 1, 7}, 1.45));
  // 6 differs from the first in one choice only, and the first is the fastest so far.
  EXPECT_EQ(order(ranked, {1, 2, 2, 2, 2, 2, 2}), (Order{0, 6, 1, 2, 3, 4, 5}));
}

TEST(Search, LeavesNeighboursThatArePredictedFarSlower) {
  std::vector<RankedCandidate> ranked = ranking();
  ranked.push_back(candidate({1, 1, 7}, 1.51));  // not within 1.5 times the first
  EXPECT_EQ(order(ranked, {1, 2, 2, 2, 2, 2, 2}), (Order{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Search, AFailureIsNoCentre) {
  std::vector<RankedCandidate> ranked = ranking();
  ranked.push_back(candidate({1, 1, 7}, 1.45));
  EXPECT_EQ(order(ranked, {0, 2, 2, 2, 2, 2, 2}), (Order{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Search, GivesNeglectedFamiliesATurn) {
  // The first five choices name the family; 1 and 2 share that of 0, 3 has its own.
  const std::vector<RankedCandidate> ranked = {
      candidate({0, 0, 0, 0, 1, 0}, 1.0), candidate({0, 0, 0, 0, 1, 3}, 1.1), candidate({0, 0, 0, 0, 1, 4}, 1.2),
      candidate({9, 9, 0, 9, 2, 0}, 1.4), candidate({8, 8, 0, 8, 2, 0}, 1.6)};
  EXPECT_EQ(order(ranked, {1, 2, 2, 2, 2}), (Order{0, 1, 3, 2, 4}));  // 4 is predicted too slow for a turn
}

TEST(Search, SettlesWhenNothingBetterComes) {
  std::vector<RankedCandidate> ranked(200, candidate({1}, 1.0));
  Search search(ranked);
  search.tell(0, 1.0);
  search.tell(1, 0.9);
  for (size_t i = 0; i < Search::kPatience; ++i) {
    EXPECT_FALSE(search.settled());
    search.tell(2 + i, i % 2 == 0 ? 0.899 : 0);  // a failure, or better by less than half a percent
  }
  EXPECT_TRUE(search.settled());
}

TEST(Search, GoesOnWhereAnEarlierRunStopped) {
  const std::vector<RankedCandidate> ranked = ranking();
  Search search(ranked);
  search.tell(0, 3.0);
  search.tell(3, 1.0);
  EXPECT_EQ(*search.next(), 1u);
  search.tell(1, 2.0);
  EXPECT_EQ(*search.next(), 4u);  // beside 3, the fastest
}

TEST(Search, EndsWhenAllWereTried) {
  const std::vector<RankedCandidate> none;
  EXPECT_FALSE(Search(none).next().has_value());
  EXPECT_EQ(order(ranking(), {1, 1, 1, 1, 1, 1}).size(), 6u);
}

}  // namespace
}  // namespace swgen::tuner
