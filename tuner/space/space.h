// SPDX-License-Identifier: Apache-2.0
// The schedules that are tried: derived from how a contraction's iterators index its operands and
// from the facts of the target. Enumerable and countable without building any program.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/frontend/workload.h"
#include "compiler/ir/seed.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace swgen::tuner {

/// A schedule and the choices it was built from; two candidates that differ in one choice are
/// neighbours.
struct Candidate {
  schedule::Schedule schedule;
  std::vector<int64_t> choices;
};

using ScheduleSpace = std::vector<Candidate>;

/// All candidates of all algorithms, in a fixed order, each once.
ScheduleSpace derive_space(const std::vector<ir::Seed>& seeds, const target::Target& target);

/// The spaces of machines with caches (lanes along an output iterator, lanes along K) and with scratchpads.
void derive_cached(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out);
void derive_dots(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out);
void derive_scratch(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out);

}  // namespace swgen::tuner
