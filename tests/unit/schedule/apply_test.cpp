// SPDX-License-Identifier: Apache-2.0
// Each step of a schedule: what it does, and the message of each illegal use.
#include <gtest/gtest.h>

#include "compiler/base/error.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"
#include "compiler/schedule/schedule.h"

namespace swgen::schedule {
namespace {

const char kMatmul[] = "{name: a, op: matmul, m: 8, n: 16, k: 4}";
const char kConv[] = "{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 5, kernel: 3}";
const char kConvAny[] =
    "{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 5, kernel: 3, layout: any}";

ir::Seed seed_of(const std::string& workload, size_t algorithm) {
  base::Diagnostics errors;
  const auto read = frontend::read_workloads("a.yaml", "workloads:\n  - " + workload + "\n",
                                             ops::schemas(), {}, errors);
  if (errors.any()) throw std::runtime_error(errors.text());
  return ops::seeds(read.at(0)).at(algorithm);
}

std::string text_of(const std::string& schedule) {
  return ir::to_text(apply(seed_of(kMatmul, 0), parse(schedule)));
}

struct Refused {
  const char* workload;
  size_t algorithm;
  const char* schedule;
  const char* message;

  friend void PrintTo(const Refused& r, std::ostream* out) { *out << r.schedule; }
};

class Illegal : public testing::TestWithParam<Refused> {};

TEST_P(Illegal, SaysWhy) {
  const ir::Seed seed = seed_of(GetParam().workload, GetParam().algorithm);
  try {
    apply(seed, parse(GetParam().schedule));
    FAIL() << "expected a refusal";
  } catch (const base::Infeasible& e) {
    EXPECT_STREQ(e.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layout, Illegal,
    testing::ValuesIn(std::vector<Refused>{
        {kMatmul, 0, "layout(Z,mn)", "layout(Z,mn): no tensor 'Z', expected one of C, A, B"},
        {kMatmul, 0, "layout(C,bmx)", "layout(C,bmx): expected an order of bmn"},
        {kMatmul, 0, "layout(C,bnm)", "layout(C,bnm): the workload fixes the layout of C"},
        {kConv, 0, "layout(X,nhwc)", "layout(X,nhwc): the workload fixes the layout of X"},
        {kConvAny, 0, "layout(X,nChwc)", "layout(X,nChwc): expected an order of nchw"}}));

INSTANTIATE_TEST_SUITE_P(
    Split, Illegal,
    testing::ValuesIn(std::vector<Refused>{
        {kMatmul, 0, "split(x,xo,xi,4)",
         "split(x,xo,xi,4): no loop 'x', expected one of b, m, n, k"},
        {kMatmul, 0, "split(m,mo,mi,0)",
         "split(m,mo,mi,0): found '0', expected a whole number from 1 to 999999999"},
        {kMatmul, 0, "split(m,mo,mi,-4)",
         "split(m,mo,mi,-4): found '-4', expected a whole number from 1 to 999999999"},
        {kMatmul, 0, "split(m,mo,mi,1234567890)",
         "split(m,mo,mi,1234567890): found '1234567890', expected a whole number from 1 to 999999999"},
        {kMatmul, 0, "split(m,n,mi,4)", "split(m,n,mi,4): 'n' is taken"},
        {kMatmul, 0, "split(m,mo,k,4)", "split(m,mo,k,4): 'k' is taken"},
        {kMatmul, 0, "split(m,x,x,4)", "split(m,x,x,4): outer and inner need two names"},
        {kMatmul, 0, "split(m,mo,mi,4) split(m,mp,mq,2)",
         "split(m,mp,mq,2): no loop 'm', expected one of b, mo, mi, n, k"}}));

INSTANTIATE_TEST_SUITE_P(
    Reorder, Illegal,
    testing::ValuesIn(std::vector<Refused>{
        {kMatmul, 0, "reorder(b,m,n)", "reorder(b,m,n): expected every loop once: b, m, n, k"},
        {kMatmul, 0, "reorder(b,m,n,n)", "reorder(b,m,n,n): expected every loop once: b, m, n, k"},
        {kMatmul, 0, "reorder(b,m,n,k,k)",
         "reorder(b,m,n,k,k): expected every loop once: b, m, n, k"},
        {kMatmul, 0, "split(m,mo,mi,4) reorder(b,m,n,k)",
         "reorder(b,m,n,k): expected every loop once: b, mo, mi, n, k"}}));

INSTANTIATE_TEST_SUITE_P(
    Tensorize, Illegal,
    testing::ValuesIn(std::vector<Refused>{
        {kMatmul, 0, "tensorize(x,M)", "tensorize(x,M): no loop 'x', expected one of b, m, n, k"},
        {kMatmul, 0, "tensorize(m,Q)", "tensorize(m,Q): found 'Q', expected M, N or K"},
        {kMatmul, 0, "tensorize(k,M)", "tensorize(k,M): a reduction can only be K"},
        {kMatmul, 0, "tensorize(m,K)", "tensorize(m,K): an output iterator can be M or N"},
        {kMatmul, 0, "tensorize(m,M) tensorize(m,N)",
         "tensorize(m,N): no loop 'm', expected one of b, n, k"},
        {kConv, 1, "im2col.tensorize(y,M)", "tensorize(y,M): a gather has no GEMM primitive"}}));

INSTANTIATE_TEST_SUITE_P(
    StageStep, Illegal,
    testing::ValuesIn(std::vector<Refused>{
        {kMatmul, 0, "stage(Z,root,panel,1)",
         "stage(Z,root,panel,1): no tensor 'Z', expected one of C, A, B"},
        {kMatmul, 0, "stage(A,x,panel,1)",
         "stage(A,x,panel,1): no loop 'x', expected root or one of b, m, n"},
        {kMatmul, 0, "tensorize(m,M) stage(A,m,panel,1)",
         "stage(A,m,panel,1): no loop 'm', expected root or one of b, n, k"},
        {kMatmul, 0, "stage(A,root,panel,two)",
         "stage(A,root,panel,two): found 'two', expected a whole number from 1 to 999999999"}}));

INSTANTIATE_TEST_SUITE_P(
    VectorizeAndParallel, Illegal,
    testing::ValuesIn(std::vector<Refused>{
        {kMatmul, 0, "vectorize(k)", "vectorize(k): found 'k', expected M, N or K"},
        {kMatmul, 0, "parallel(x)", "parallel(x): no loop 'x', expected one of b, m, n, k"},
        {kMatmul, 0, "parallel(k)", "parallel(k): 'k' is a reduction"},
        {kMatmul, 0, "parallel(b,n)", "parallel(b,n): expected neighbouring loops in their order"},
        {kMatmul, 0, "parallel(m,b)", "parallel(m,b): expected neighbouring loops in their order"},
        {kMatmul, 0, "gemm.parallel(m)", "parallel(m): no stage 'gemm', expected one of direct"},
        {kConv, 1, "direct.parallel(n)",
         "parallel(n): no stage 'direct', expected one of gemm, im2col"}}));

TEST(Apply, TheEmptyScheduleIsThePlainNest) {
  EXPECT_EQ(text_of(""),
            "program direct schedule \"\"\n"
            "stage direct\n"
            "  for b in 0..1\n"
            "    for m in 0..8\n"
            "      for n in 0..16\n"
            "        gemm m: 1 n: 1 k: k=0..4/4: C[b, m, n] += A[b, m, k] * B[b, k, n]"
            " first 1 last 1\n");
}

TEST(Apply, StepsShapeTheNest) {
  const std::string steps =
      "split(m,mo,mi,3) split(k,ko,ki,2) reorder(b,mo,ko,n,mi,ki) tensorize(mi,M) "
      "tensorize(n,N) tensorize(ki,K) stage(B,mo,panel,1) parallel(b,mo)";
  EXPECT_EQ(text_of(steps),
            "program direct schedule \"" + steps + "\"\n" +
                "stage direct\n"
                "  parallel for b in 0..1\n"
                "    parallel for mo in 0..3\n"
                "      stage B as panel\n"
                "        for ko in 0..2\n"
                "          gemm m: mi=0..3/3 n: n=0..16/16 k: ki=0..2/2: C[b, mi + mo * 3, n] += "
                "A[b, mi + mo * 3, ki + ko * 2] * B[b, ki + ko * 2, n]"
                " first ko == 0 last ko == 1\n");
}

TEST(Apply, TheOperandWithTheLanesComesSecond) {
  // Lanes over m: the roles of A and B are exchanged.
  EXPECT_NE(text_of("tensorize(n,M) tensorize(m,N) tensorize(k,K)")
                .find("gemm m: n=0..16/16 n: m=0..8/8 k: k=0..4/4: C[b, m, n] += B[b, k, n] * "
                      "A[b, m, k]"),
            std::string::npos);
}

TEST(Apply, LayoutsOfFreeTensors) {
  const ir::Program program = apply(seed_of(kConvAny, 0), parse("layout(Y,nChw8c) layout(X,nhwc)"));
  const std::vector<std::string> dims = {"n", "c", "h", "w"};
  EXPECT_EQ(program.layouts[0].text(dims), "nChw8c");
  EXPECT_EQ(program.layouts[1].text(dims), "nhwc");
}

TEST(Apply, AGatherIsOneTransferBelowItsParallelLoops) {
  const std::string text =
      ir::to_text(apply(seed_of(kConv, 1), parse("algo(im2col) im2col.parallel(n)")));
  EXPECT_NE(text.find("stage im2col\n"
                      "  parallel for n in 0..1\n"
                      "    transfer o=0..1/1 y=0..3/3 x=0..3/3 i=0..4/4 p=0..3/3 q=0..3/3: "
                      "columns[n, i, p, q, y, x] = X[n, i, p + y, q + x]"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace swgen::schedule
