// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/frontend/compute_extents.h"
#include "tests/unit/frontend/test_reading.h"

namespace swgen::frontend {
namespace {

using Extents = std::vector<int64_t>;
using Names = std::vector<std::string>;

Workload read(const std::string& expr, const std::string& extents, const std::string& more = "") {
  return read_one("name: c, compute: \"" + expr + "\", extents: " + extents + more);
}

Extents iter_extents(const Workload& w) {
  Extents out;
  for (const ir::Iter& iter : w.compute->contraction.iters) out.push_back(iter.extent);
  return out;
}

Names iter_names(const Workload& w) {
  Names out;
  for (const ir::Iter& iter : w.compute->contraction.iters) out.push_back(iter.name);
  return out;
}

const char* kConv = "Y[n,o,y,x] += X[n,i,y*2+p,x*2+q] * W[o,i,p,q]";

TEST(Compute, ReadsAMatrixProduct) {
  const Workload w = read("Y[n,o] += X[n,i] * W[i,o]", "{n: 8, o: 16, i: 32}");
  EXPECT_EQ(w.op, "compute");
  ASSERT_TRUE(w.compute);
  const ComputeExpr& c = *w.compute;
  EXPECT_EQ(c.text, "Y[n,o]+=X[n,i]*W[i,o]");
  EXPECT_EQ(iter_names(w), (Names{"n", "o", "i"}));
  EXPECT_EQ(iter_extents(w), (Extents{8, 16, 32}));
  ASSERT_EQ(c.tensors.size(), 3u);
  EXPECT_EQ(c.tensors[0].name, "Y");
  EXPECT_EQ(c.tensors[0].role, ir::Role::output);
  EXPECT_EQ(c.tensors[0].dims, (Names{"n", "o"}));
  EXPECT_EQ(c.tensors[0].extents, (Extents{8, 16}));
  EXPECT_EQ(c.tensors[1].role, ir::Role::input);
  EXPECT_EQ(c.tensors[1].dims, (Names{"d0", "d1"}));
  EXPECT_EQ(c.tensors[1].extents, (Extents{8, 32}));
  EXPECT_EQ(c.tensors[2].role, ir::Role::constant);
  EXPECT_EQ(c.tensors[2].extents, (Extents{32, 16}));
  EXPECT_EQ(c.contraction.a.tensor, 1);
  EXPECT_EQ(c.contraction.a.index[1].coefficient(2), 1);
  EXPECT_EQ(c.contraction.b.tensor, 2);
  EXPECT_EQ(c.contraction.b.index[1].coefficient(1), 1);
  EXPECT_FALSE(c.contraction.relu);
}

TEST(Compute, InfersTensorsFromIterators) {
  const Workload w = read(kConv, "{n: 1, o: 4, i: 3, y: 5, x: 6, p: 3, q: 2}");
  EXPECT_EQ(iter_names(w), (Names{"n", "o", "y", "x", "i", "p", "q"}));
  EXPECT_EQ(w.compute->tensors[1].extents, (Extents{1, 3, 11, 12}));
  EXPECT_EQ(w.compute->tensors[2].extents, (Extents{4, 3, 3, 2}));
  const ir::AffineIndex& row = w.compute->contraction.a.index[2];
  EXPECT_EQ(row.constant, 0);
  EXPECT_EQ(row.terms, (std::vector<std::pair<int, int64_t>>{{2, 2}, {5, 1}}));
}

TEST(Compute, InfersIteratorsFromTensors) {
  const Workload w = read(kConv, "{X: [1, 64, 56, 56], W: [32, 64, 3, 3], y: 28, x: 28}");
  EXPECT_EQ(iter_extents(w), (Extents{1, 32, 28, 28, 64, 3, 3}));
  EXPECT_EQ(w.compute->tensors[1].extents, (Extents{1, 64, 56, 56}));  // as declared, 57 are read
  const Workload by_output = read("Y[n,o] += X[n,i] * W[i,o]", "{Y: [2, 3], W: [4, 3]}");
  EXPECT_EQ(iter_extents(by_output), (Extents{2, 3, 4}));
}

TEST(Compute, ADeclaredIteratorWinsOverTheTensor) {
  const Workload w = read("Y[n,o] += X[n,i] * W[i,o]", "{n: 8, o: 16, i: 30, X: [8, 32]}");
  EXPECT_EQ(iter_extents(w), (Extents{8, 16, 30}));
  EXPECT_EQ(w.compute->tensors[1].extents, (Extents{8, 32}));
  EXPECT_EQ(w.compute->tensors[2].extents, (Extents{30, 16}));
}

TEST(Compute, NormalizesIndices) {
  const Workload w = read(" Y[ n,o ]+=X[-3 + i*2*3 - -n + i, 2 - i + 8] *W[i + o - 1, -i+7*n]",
                          "{n: 2, o: 3, i: 4}");
  EXPECT_EQ(w.compute->text, "Y[n,o]+=X[n+7*i-3,-i+10]*W[o+i-1,7*n-i]");
  EXPECT_EQ(w.compute->tensors[1].extents, (Extents{1 + 21 - 3 + 1, 11}));
  EXPECT_EQ(w.compute->tensors[2].extents, (Extents{2 + 3 - 1 + 1, 8}));
}

TEST(Compute, ConstantIndicesAreAllowedOnTheRight) {
  const Workload w = read("Y[n,o] += X[n,3] * W[0,o]", "{n: 2, o: 3}");
  EXPECT_EQ(w.compute->text, "Y[n,o]+=X[n,3]*W[0,o]");
  EXPECT_EQ(w.compute->tensors[1].extents, (Extents{2, 4}));
  EXPECT_EQ(w.compute->tensors[2].extents, (Extents{1, 3}));
}

TEST(Compute, TakesReluAndLayoutAny) {
  const Workload w = read("Y[n,o] += X[n,i] * W[i,o]", "{n: 8, o: 16, i: 32}",
                          ", epilogue: [relu], layout: any, dtype: f64");
  EXPECT_TRUE(w.relu);
  EXPECT_TRUE(w.compute->contraction.relu);
  EXPECT_EQ(w.layout, Layout::any);
  EXPECT_EQ(w.dtype, ir::DType::f64);
}

TEST(Compute, ReadsPlainAndBlockScalars) {
  const auto workloads = read_good(R"(workloads:
  - name: a
    compute: Y[n,o] += X[n,i] * W[i,o]
    extents: {n: 1, o: 2, i: 3}
  - name: b
    compute: |
      Y[n,o] += X[n,i]
        * W[i,o]
    extents: {n: 1, o: 2, i: 3}
)");
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_EQ(workloads[0].compute->text, workloads[1].compute->text);
}

}  // namespace
}  // namespace swgen::frontend
