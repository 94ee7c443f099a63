// SPDX-License-Identifier: Apache-2.0
#include "tuner/space/space.h"

#include <algorithm>
#include <set>

namespace swgen::tuner {

ScheduleSpace derive_space(const std::vector<ir::Seed>& seeds, const target::Target& target) {
  ScheduleSpace all;
  for (const ir::Seed& seed : seeds) {
    if (seed.covered) continue;
    if (target.has_scratch) {
      derive_scratch(seed, target, all);
    } else {
      derive_cached(seed, target, all);
      derive_dots(seed, target, all);
    }
  }
  // The plain nest is always right; where nothing else fits it is what there is.
  if (!target.has_scratch) all.push_back({{{{"", "algo", {seeds[0].algorithm}}}}, {}});
  ScheduleSpace unique;
  std::set<std::string> seen;
  for (Candidate& c : all)
    if (seen.insert(schedule::to_text(c.schedule)).second) unique.push_back(std::move(c));
  return unique;
}

}  // namespace swgen::tuner
