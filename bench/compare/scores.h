// SPDX-License-Identifier: Apache-2.0
// What the rounds of a comparison say, and the floors that they are held against.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/compare/plan.h"
#include "bench/compare/rounds.h"

namespace swgen::bench {

/// Of one comparison. GFLOP/s are medians over rounds, ratios medians of each round's ratio.
struct Scores {
  std::string workload, layout, schedule;
  bool plain_twin = false;
  double peak = 0;
  std::vector<std::pair<std::string, double>> builds;  // by compiler, in the order asked for
  double swgen = 0;                                    // the slowest build
  std::optional<std::string> onednn_layout;            // the fastest one
  std::optional<double> onednn, openblas;
  std::optional<double> vs_onednn, vs_openblas;  // of the slowest build
  std::optional<double> build_ratio;             // second compiler to first
  std::optional<double> speedup;                 // to one thread, first compiler
  int disturbed = 0;
  bool noisy = false;
};

/// Names of contestants: the kernel built by `compiler`, and its one-thread form.
std::string build_name(const std::string& compiler);
std::string one_thread_name(const std::string& compiler);

Scores score(const Comparison& comparison, const std::vector<std::string>& compilers,
             const Rounds& rounds);

/// A floor held against all comparisons that it is about.
struct FloorResult {
  std::string floor;  // "3x3 convolution / oneDNN"
  double least = 0;
  int count = 0, passed = 0;
  double worst = 0;
  std::string worst_workload;
  bool pass() const { return count > 0 && passed == count; }
};

/// `plan` and `scores` run in parallel. Floors that nothing of the plan is about have count 0.
std::vector<FloorResult> judge(const std::vector<Comparison>& plan,
                               const std::vector<Scores>& scores);

}  // namespace swgen::bench
