// SPDX-License-Identifier: Apache-2.0
// The results for people and for machines.
#pragma once

#include <ostream>
#include <vector>

#include "bench/compare/scores.h"

namespace swgen::bench {

struct Report {
  std::string target;
  int threads = 1;
  std::vector<std::string> compilers;
  std::vector<Scores> scores;
  std::vector<FloorResult> floors;
};

/// A row per workload, the numbers of a plain twin at the end of its row; then a line per floor.
void print_table(std::ostream& out, const Report& report);

/// One object: peak_gflops, threads, target, results[] (workload, layout, schedule,
/// swgen{gflops, percent_of_peak}, builds{}, peers{name: {gflops, ratio}}, ...), floors[]. Ratios
/// are of the slowest build to the peer.
void print_json(std::ostream& out, const Report& report);

}  // namespace swgen::bench
