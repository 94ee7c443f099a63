// SPDX-License-Identifier: Apache-2.0
// Lets the programs of one comparison run in turn, after seeing that they compute the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/compare/plan.h"

namespace swgen::bench {

/// A program that takes part. `name` is unique in its comparison.
struct Contestant {
  std::string name;
  std::vector<std::string> argv;
};

struct Rounds {
  /// By contestant: GFLOP/s of each round, the median of a slice of executions.
  std::map<std::string, std::vector<double>> gflops;
  /// By contestant: the `impl` of its ready line.
  std::map<std::string, std::string> impl;
  int disturbed = 0;   ///< rounds during which other processes were busy; repeated, not counted
  bool noisy = false;  ///< most rounds were disturbed, so that these count as well
};

/// Name of the FMA peak among the contestants; it takes no part in the check of equal work.
inline constexpr const char* kPeak = "peak";

/// Runs `repeats` rounds, repeating disturbed ones up to twice as many times again. All programs
/// are alive throughout, one computes at a time. Throws PeerError, also where two of them disagree
/// about the work or its result.
Rounds run_rounds(const std::vector<Contestant>& contestants, int repeats, int threads);

/// What `run_rounds` compares: answers of `check`, each with its `exact`. Empty, or what differs.
struct CheckAnswer {
  std::string name;
  double sum = 0, abs = 0;
  bool exact = false;
};
std::string disagreement(const CheckAnswer& a, const CheckAnswer& b);

double median(std::vector<double> values);

}  // namespace swgen::bench
