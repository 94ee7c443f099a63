// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/base/error.h"
#include "compiler/ops/operators.h"
#include "tuner/space/space.h"
#include "tuner/tune.h"

namespace swgen::tuner {

std::vector<RankedCandidate> rank_candidates(const frontend::Workload& workload, const target::Target& target,
                                             int threads, std::map<std::string, int>* reasons) {
  const std::vector<ir::Seed> seeds = ops::seeds(workload);
  std::vector<RankedCandidate> ranked;
  for (const Candidate& c : derive_space(seeds, target)) {
    const std::string algorithm = c.schedule.algorithm("");
    for (const ir::Seed& seed : seeds) {
      if (seed.algorithm != algorithm) continue;
      try {
        ranked.push_back({schedule::to_text(c.schedule), c.choices, predict(seed, c.schedule, target, threads)});
      } catch (const base::Infeasible& e) {
        if (reasons != nullptr) ++(*reasons)[e.what()];
      }
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedCandidate& a, const RankedCandidate& b) {
    return a.prediction.seconds < b.prediction.seconds;
  });
  return ranked;
}

}  // namespace swgen::tuner
