// SPDX-License-Identifier: Apache-2.0
// A scheduled program on the simulated core group: transfers by address and primitives by their cycles, without data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/target/target.h"
#include "runtime/sim/core_group.h"

namespace swgen::tuner {

struct Simulation {
  std::int64_t cycles = 0;  // of the slowest core group, from spawn to join
  double seconds = 0;
  std::int64_t core_groups = 1;
  std::int64_t memory_bytes = 0;  // of all tensors
  sim::GroupCounters counters;    // of the first core group
  std::vector<sim::Span> spans;   // where asked for
};

/// The box of the output that one core group computes.
struct Box {
  std::vector<std::int64_t> begin, end;
};

/// Runs the slave code that would be generated for `program` (for sw26010, after all passes). With `core_groups` > 1 the output
/// is cut along the dimension that leaves the least to the busiest, each group with its part of memory to itself.
/// Throws base::Infeasible as the code generator does.
Simulation simulate(const ir::Program& program, const ir::Seed& reference, const target::Target& target, std::int64_t core_groups, bool spans);

}  // namespace swgen::tuner
