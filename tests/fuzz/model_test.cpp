// SPDX-License-Identifier: Apache-2.0
// What the model counts from the steps alone equals what the final Program does, on 1,000 schedules
// drawn from the derived spaces of every target, taps skipped in the padding included.
#include "tuner/model/model.h"

#include <gtest/gtest.h>

#include "compiler/base/text.h"
#include "compiler/compile.h"
#include "tests/fuzz/count.h"
#include "tests/fuzz/spaces.h"
#include "tuner/model/nest.h"

namespace swgen::fuzz {
namespace {

constexpr int kSchedules = 1000;

std::string work_text(int64_t multiply_adds, int64_t transfers, int64_t bytes, int64_t scratch,
                      int64_t gathered) {
  return base::cat("multiply-adds ", multiply_adds, ", transfers ", transfers, ", bytes ", bytes,
                   ", scratch ", scratch, ", gathered ", gathered);
}

class Model : public testing::TestWithParam<std::string> {};

TEST_P(Model, CountsWhatTheProgramDoes) {
  const target::Target target = target::find_target(GetParam());
  const std::vector<frontend::Workload> shapes = workloads();
  ASSERT_GE(shapes.size(), 25u);
  int compared = 0, infeasible = 0;
  // Workloads take turns until enough schedules were feasible.
  for (unsigned round = 0; compared < kSchedules && round < 20; ++round) {
    for (const frontend::Workload& workload : shapes) {
      for (const schedule::Schedule& s : draw(workload, target, 25, 2026 + round)) {
        if (compared == kSchedules) break;
        const std::string text = schedule::to_text(s);
        const Lowered lowered = lower(workload, s, target);
        if (!lowered.program) {
          ++infeasible;
          continue;
        }
        const ir::Program& program = *lowered.program;
        const Counted found = count(program);
        const tuner::Work work = tuner::count_work(program.seed, s, target);
        const int64_t scratch =
            target.has_scratch ? program.scratch_bytes : program.workspace_bytes;
        ++compared;
        ASSERT_EQ(work_text(work.multiply_adds, work.transfers, work.transfer_bytes,
                            work.scratch_bytes, tuner::read_nest(program.seed, s).gather_elements),
                  work_text(found.multiply_adds, found.transfers, found.transfer_bytes, scratch,
                            found.gather_points))
            << frontend::canonical_text(workload) << "\n  schedule \"" << text << '"';
      }
    }
  }
  EXPECT_EQ(compared, kSchedules) << infeasible << " were infeasible";
  RecordProperty("infeasible", infeasible);
}

INSTANTIATE_TEST_SUITE_P(Targets, Model, testing::ValuesIn(kTargets),
                         [](const auto& info) { return base::identifier(info.param); });

}  // namespace
}  // namespace swgen::fuzz
