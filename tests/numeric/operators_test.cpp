// SPDX-License-Identifier: Apache-2.0
// Every operator on every level of x86, and on the emulated core group of SW26010, against plain
// loops in double and against Halide, on integer data, so that every order of summation must give
// the same bits. Schedules per shape: the plain nests, the model's first choice, one that reads padding
// in place and three drawn from its space.
#include <gtest/gtest.h>

#include "compiler/target/targets.h"
#include "tests/numeric/harness.h"
#include "tests/oracle/oracle.h"

namespace swgen::numeric {
namespace {

oracle::Conv2d conv2d_of(const frontend::Workload& w) {
  oracle::Conv2d op;
  op.batch = w.value("batch");
  op.in_channels = w.value("in_channels");
  op.out_channels = w.value("out_channels");
  op.groups = w.value("groups");
  for (int d = 0; d < 2; ++d) {
    op.input[d] = w.value("input", d);
    op.kernel[d] = w.value("kernel", d);
    op.stride[d] = w.value("stride", d);
    op.dilation[d] = w.value("dilation", d);
    op.padding[d] = {w.value("padding", 2 * d), w.value("padding", 2 * d + 1)};
  }
  op.bias = w.bias;
  op.relu = w.relu;
  return op;
}

oracle::Matmul matmul_of(const frontend::Workload& w) {
  oracle::Matmul op;
  op.batch = w.value("batch");
  op.m = w.value("m");
  op.n = w.value("n");
  op.k = w.value("k");
  op.transpose_a = w.value("transpose_a") != 0;
  op.transpose_b = w.value("transpose_b") != 0;
  op.bias = w.bias;
  op.relu = w.relu;
  return op;
}

struct References {
  std::vector<double> naive, halide;
};

template <typename T, typename Op>
References compute_references(const Op& op, int64_t first, int64_t second, int64_t bias) {
  const std::vector<T> a = operand<T>(first, 0), b = operand<T>(second, 1),
                       c = operand<T>(op.bias ? bias : 0, 2);
  const auto spans = [&](auto f) {
    return f(op, std::span<const T>(a), std::span<const T>(b), std::span<const T>(c));
  };
  const auto halide = spans([](const auto&... args) { return oracle::halide(args...); });
  return {spans([](const auto&... args) { return oracle::naive(args...); }),
          {halide.begin(), halide.end()}};
}

template <typename T>
References references(const frontend::Workload& w) {
  if (w.op == "matmul") {
    const oracle::Matmul op = matmul_of(w);
    return compute_references<T>(op, op.batch * op.m * op.k, op.batch * op.k * op.n, op.n);
  }
  const oracle::Conv2d op = conv2d_of(w);
  return compute_references<T>(
      op, op.batch * op.in_channels * op.input[0] * op.input[1],
      op.out_channels * op.in_channels / op.groups * op.kernel[0] * op.kernel[1], op.out_channels);
}

References references_of(const frontend::Workload& w) {
  return w.dtype == ir::DType::f32 ? references<float>(w) : references<double>(w);
}

struct Case {
  std::string file, target;
  size_t least_shapes;

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.file << " on " << c.target; }
};

class Operators : public testing::TestWithParam<Case> {};

TEST_P(Operators, EqualTheReferences) {
  const target::Target target = target::find_target(GetParam().target);
  if (!target.has_scratch && !target::x86_level_runs_here(target.level))
    GTEST_SKIP() << "this processor lacks " << target.level;
  const std::vector<frontend::Workload> shapes = read_shapes(GetParam().file);
  ASSERT_GE(shapes.size(), GetParam().least_shapes);
  Refusals refusals;
  int runs = 0;
  for (size_t s = 0; s < shapes.size(); ++s) {
    const References expected = references_of(shapes[s]);
    ASSERT_EQ(difference(expected.halide, expected.naive), "") << shapes[s].name;
    // On the emulated core group: the model's first choice and one of the last algorithm.
    const auto tried =
        candidates(shapes[s], target, target.has_scratch ? 1 : 3, static_cast<unsigned>(s), refusals);
    EXPECT_GE(tried.size(), target.has_scratch ? 1u : 2u) << shapes[s].name << ": too few feasible schedules";
    for (const Candidate& candidate : tried) {
      // One thread runs in each case; 2 and 3 take turns, starting with either.
      const int threads = target.has_scratch ? 1 : 2 + runs % 2;
      ++runs;
      const Outcome outcome = run(shapes[s], candidate, target, threads);
      const std::string what = frontend::canonical_text(shapes[s]) + "\n  schedule \"" +
                               candidate.schedule + "\" threads " + std::to_string(threads);
      const std::string failure = outcome.failure.empty()
                                      ? difference(outcome.output, expected.naive)
                                      : outcome.failure;
      if (!failure.empty()) ADD_FAILURE() << what << "\n  " << failure;
    }
  }
  // The tiniest shapes have no schedule but the plain nest.
  EXPECT_GE(runs, static_cast<int>((target.has_scratch ? 1 : 4) * shapes.size()));
  EXPECT_LE(refusals.count() * 3, refusals.drawn) << testing::PrintToString(refusals.reasons);
  RecordProperty("runs", runs);
  RecordProperty("infeasible", refusals.count());
}

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::string& target : x86_targets()) {
    out.push_back({"conv2d.yaml", target, 40});
    out.push_back({"matmul.yaml", target, 40});
    out.push_back({"f64.yaml", target, 10});
  }
  return out;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.file.substr(0, info.param.file.find('.')) + "_" + info.param.target.substr(4);
}

INSTANTIATE_TEST_SUITE_P(X86, Operators, testing::ValuesIn(cases()), name_of);

const Case kMeshCases[] = {
    {"conv2d.yaml", "sw26010", 40}, {"f64.yaml", "sw26010", 10}, {"matmul.yaml", "sw26010", 40}};

std::string mesh_name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.file.substr(0, info.param.file.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Sw26010, Operators, testing::ValuesIn(kMeshCases), mesh_name_of);

}  // namespace
}  // namespace swgen::numeric
