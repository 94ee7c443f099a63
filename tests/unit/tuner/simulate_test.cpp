// SPDX-License-Identifier: Apache-2.0
// Programs on the simulated core group: the same cycles every time, never below what the machine needs, and what the model predicts.
#include "tuner/simulate/program.h"

#include <gtest/gtest.h>

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <cmath>

#include "compiler/base/diagnostics.h"
#include "compiler/compile.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"
#include "tuner/simulate/trace.h"
#include "tuner/tune.h"

namespace swgen::tuner {
namespace {

frontend::Workload workload(const std::string& fields) {
  base::Diagnostics errors;
  const auto all = frontend::read_workloads("test.yaml", "workloads:\n  - {name: w, " + fields + "}\n", ops::schemas(), {}, errors);
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

const target::Target& machine() {
  static const target::Target t = target::find_target("sw26010");
  return t;
}

Simulation run(const frontend::Workload& w, const std::string& schedule, std::int64_t groups = 1, bool spans = false) {
  const Lowered lowered = lower(w, schedule::parse(schedule), machine());
  EXPECT_TRUE(lowered.program.has_value()) << lowered.infeasible;
  return simulate(*lowered.program, seed_for(w, {}), machine(), groups, spans);
}

const char* const kWorkloads[] = {"op: conv2d, batch: 1, in_channels: 64, out_channels: 96, input: [30, 30], kernel: 3, padding: 1, layout: any",
                                  "op: conv2d, batch: 32, in_channels: 64, out_channels: 64, input: [10, 10], kernel: 3, layout: any",
                                  "op: conv2d, batch: 2, in_channels: 3, out_channels: 32, input: [28, 28], kernel: 5, stride: 2, padding: 2",
                                  "op: matmul, m: 500, n: 300, k: 700", "op: matmul, m: 256, n: 256, k: 512, dtype: f64"};

TEST(Simulate, GivesTheSameCyclesAndStaysAboveTheFloor) {
  for (const char* fields : kWorkloads) {
    const frontend::Workload w = workload(fields);
    const std::vector<RankedCandidate> ranked = rank_candidates(w, machine(), 1, nullptr);
    ASSERT_FALSE(ranked.empty());
    const Simulation first = run(w, ranked[0].schedule), again = run(w, ranked[0].schedule);
    EXPECT_EQ(first.cycles, again.cycles) << fields;
    const ir::Seed seed = seed_for(w, {});
    const double at_peak = static_cast<double>(ir::flops(seed)) / (machine().peak_gflops * 1e9), at_bandwidth = static_cast<double>(ir::compulsory_bytes(seed)) / 37e9;
    EXPECT_GT(first.seconds, at_peak) << fields;
    EXPECT_GT(first.seconds, at_bandwidth) << fields;
    EXPECT_GE(first.counters.gets.lines * 128, first.counters.gets.bytes);
    EXPECT_GT(first.memory_bytes, 0);
  }
}

TEST(Simulate, TheModelPredictsIt) {
  std::vector<double> errors;
  for (const char* fields : kWorkloads) {
    const frontend::Workload w = workload(fields);
    const std::vector<RankedCandidate> ranked = rank_candidates(w, machine(), 1, nullptr);
    double best = 0, of_first = 0;  // of all, and of those that tune simulates
    for (size_t i = 0; i < ranked.size(); i = i < 10 ? i + 1 : i + ranked.size() / 10) {
      const Lowered lowered = lower(w, schedule::parse(ranked[i].schedule), machine());
      if (!lowered.program) continue;
      const double seconds = simulate(*lowered.program, seed_for(w, {}), machine(), 1, false).seconds;
      errors.push_back(std::fabs(ranked[i].prediction.seconds / seconds - 1));
      best = best > 0 ? std::min(best, seconds) : seconds;
      if (i < 10) of_first = best;
    }
    EXPECT_LE(of_first, 1.02 * best) << fields;
  }
  std::sort(errors.begin(), errors.end());
  ASSERT_GE(errors.size(), 50u);
  EXPECT_LE(errors[errors.size() / 2], 0.08);
  EXPECT_LE(errors[errors.size() * 8 / 10], 0.19);
}

TEST(Simulate, CoreGroupsShareTheOutput) {
  const frontend::Workload w = workload("op: conv2d, batch: 128, in_channels: 128, out_channels: 128, input: [18, 18], kernel: 3, layout: any");
  const std::string schedule = rank_candidates(w, machine(), 4, nullptr).at(0).schedule;
  const Simulation one = run(w, schedule, 1), four = run(w, schedule, 4);
  EXPECT_LT(four.seconds, 0.3 * one.seconds);
  EXPECT_GT(four.seconds, 0.25 * one.seconds);
  EXPECT_EQ(four.counters.primitive_calls * 4, one.counters.primitive_calls);
}

TEST(Simulate, ATraceIsJsonWithTracksAndSpansInOrder) {
  const frontend::Workload w = workload("op: matmul, m: 256, n: 128, k: 128");
  const Simulation s = run(w, rank_candidates(w, machine(), 1, nullptr).at(0).schedule, 1, true);
  auto parsed = llvm::json::parse(trace_json(s, machine().clock_ghz));
  ASSERT_TRUE(static_cast<bool>(parsed));
  const llvm::json::Array* events = parsed->getAsObject()->getArray("traceEvents");
  ASSERT_NE(events, nullptr);
  int names = 0, gemms = 0;
  for (const llvm::json::Value& e : *events) {
    const llvm::json::Object& o = *e.getAsObject();
    names += o.getString("ph") == llvm::Optional<llvm::StringRef>("M") ? 1 : 0;
    if (o.getString("ph") != llvm::Optional<llvm::StringRef>("X")) continue;
    gemms += o.getString("name") == llvm::Optional<llvm::StringRef>("gemm") ? 1 : 0;
    EXPECT_GT(*o.getNumber("dur"), 0);
    EXPECT_LE(*o.getNumber("ts") + *o.getNumber("dur"), 1e6 * s.seconds + 1e-6);
  }
  EXPECT_EQ(names, 9);
  EXPECT_EQ(gemms, 8 * s.counters.primitive_calls);
}

}  // namespace
}  // namespace swgen::tuner
