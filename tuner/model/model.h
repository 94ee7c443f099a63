// SPDX-License-Identifier: Apache-2.0
// Predicts the time of a schedule in closed form, with its terms. Builds no IR; microseconds per call.
#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace swgen::tuner {

/// One part of a prediction. Terms that overlap with others are shown but not added.
struct Term {
  std::string name;
  double seconds = 0;
  std::string detail;
};

/// Work counted from the schedule; a property test compares it with the final Program.
struct Work {
  int64_t multiply_adds = 0;   // of the primitives, cut tiles at their real size
  int64_t transfers = 0;       // executions of transfers between memory and tiles
  int64_t transfer_bytes = 0;  // of their tiles
  int64_t scratch_bytes = 0;   // tiles of one core (scratchpads) or thread
};

struct Prediction {
  double seconds = 0;
  double low = 0, high = 0;  // interval in which the time is expected
  Work work;
  std::vector<Term> terms;
  std::string limit;  // what binds, and what would lift it; "" where the model does not tell
};

/// Throws base::Infeasible with the reason when the schedule does not fit seed or target.
Prediction predict(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target,
                   int threads);

Work count_work(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target);

// One per kind of machine.
Prediction predict_cached(const ir::Seed&, const schedule::Schedule&, const target::Target&, int threads);
Prediction predict_scratch(const ir::Seed&, const schedule::Schedule&, const target::Target&, int core_groups);

}  // namespace swgen::tuner
