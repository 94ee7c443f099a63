// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/spaces.h"

#include <random>
#include <stdexcept>

#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"
#include "tuner/space/space.h"

namespace swgen::fuzz {

std::vector<frontend::Workload> workloads() {
  base::Diagnostics errors;
  auto read = frontend::read_workload_file(SWGEN_FUZZ_SHAPES, ops::schemas(), {}, errors);
  if (errors.any()) throw std::runtime_error(errors.text());
  return read;
}

std::vector<schedule::Schedule> draw(const frontend::Workload& workload,
                                     const target::Target& target, int count, unsigned seed) {
  const tuner::ScheduleSpace space = tuner::derive_space(ops::seeds(workload), target);
  std::mt19937 random(seed);
  std::vector<schedule::Schedule> drawn;
  for (int i = 0; i < count && !space.empty(); ++i)
    drawn.push_back(space[random() % space.size()].schedule);
  return drawn;
}

}  // namespace swgen::fuzz
