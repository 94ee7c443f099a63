// SPDX-License-Identifier: Apache-2.0
// What staging refuses, where buffers are placed, and the order of the passes.
#include <gtest/gtest.h>

#include "tests/unit/passes/stages.h"

namespace swgen::passes {
namespace {

const char kMatmul[] = "{name: a, op: matmul, m: 8, n: 16, k: 4}";
const char kConv[] = "{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 6, kernel: 3}";

struct Refused {
  const char* workload;
  const char* schedule;
  const char* target;
  const char* reason;
};

TEST(Staging, RefusesWithTheReason) {
  const Refused cases[] = {
      {kConv, "stage(W,n,prepacked,1)", "x86-avx2",
       "stage(W): only constants are prepacked, at root"},
      {kMatmul, "stage(B,root,prepacked,1)", "x86-avx2",
       "stage(B): only constants are prepacked, at root"},
      {kConv, "stage(X,n,nchx,1)", "x86-avx2",
       "stage(X): found layout 'nchx', expected prepacked, panel or an order of its dimensions"},
      {kMatmul, "stage(B,b,panel,1) stage(B,m,panel,1)", "x86-avx2", "stage(B): is staged twice"},
      {kMatmul,
       "split(k,ko,kt,2) reorder(b,m,ko,n,kt) tensorize(n,N) tensorize(kt,K) stage(C,ko,bmn,1)",
       "x86-avx2", "stage(C): an output is staged outside of all reduction loops, not below ko"},
      {"{name: a, op: matmul, m: 8, n: 16, k: 4, epilogue: [bias]}", "stage(bias,root,panel,1)",
       "x86-avx2", "stage(bias): the stage does not use this tensor"},
      {kConv, "algo(im2col) im2col.stage(X,root,nchw,1)", "x86-avx2",
       "stage(X): only operands of a contraction can be staged"},
      {kMatmul, "stage(B,b,panel,2)", "x86-avx2",
       "double buffering needs a scratchpad with asynchronous transfers"},
      {"{name: a, op: conv2d, in_channels: 4, out_channels: 6, input: 6, kernel: 3, groups: 2}",
       "split(o,oo,ot,2) reorder(n,oo,g,y,x,ot,i,p,q) tensorize(x,M) tensorize(ot,N) "
       "tensorize(i,K) tensorize(p,K) tensorize(q,K) stage(Y,oo,nhwc,1)",
       "x86-avx2", "stage(Y): an output tile with holes can't be written back"},
  };
  for (const Refused& c : cases)
    EXPECT_EQ(stages_of(c.workload, c.schedule, c.target).refused, c.reason) << c.schedule;
}

TEST(Staging, AnOutputTileEndsWithItsGroup) {
  // 3 channels a group in tiles of 4: the fourth belongs to the next group.
  const Stages s = stages_of(
      "{name: a, op: conv2d, in_channels: 4, out_channels: 6, input: 6, kernel: 3, groups: 2}",
      "split(o,oo,ot,4) reorder(n,g,oo,y,x,ot,i,p,q) tensorize(x,M) tensorize(ot,N) "
      "tensorize(i,K) tensorize(p,K) tensorize(q,K) stage(Y,oo,nhwc,1)");
  const std::string& text = s.after.at("boundary");
  EXPECT_NE(text.find("Y[box_Y_n + n, box_Y_c + g * 3 + oo * 4, box_Y_h, box_Y_w] ="),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("if 0 <= box_Y_c + oo * 4 < 3"), std::string::npos) << text;
}

TEST(Place, BuffersFollowEachOtherInLinesOf64Bytes) {
  const Stages s = stages_of("{name: a, op: matmul, m: 8, n: 12, k: 3}",
                             "split(n,no,nt,4) reorder(b,no,m,nt,k) tensorize(m,M) "
                             "tensorize(nt,N) tensorize(k,K) stage(A,b,panel,1) "
                             "stage(B,no,panel,1)");
  EXPECT_EQ(s.after.at("place_scratch").substr(0, s.after.at("place_scratch").find("stage direct")),
            "buffer A_tile: 24 elements workspace at byte 0\n"
            "buffer B_tile: 12 elements workspace at byte 128\n");
}

TEST(Place, ScratchpadsHaveAnEnd) {
  const std::string matmul = "{name: a, op: matmul, m: 2048, n: 2048, k: 2048}";
  const auto steps = [](int m, int n, int k) {
    return base::cat("split(m,mo,mt,", m, ") split(n,no,nt,", n, ") split(k,ko,kt,", k,
                     ") reorder(b,mo,no,ko,mt,nt,kt) tensorize(mt,M) tensorize(nt,N) "
                     "tensorize(kt,K) stage(A,ko,panel,2) stage(B,ko,panel,2) stage(C,no,panel,1)");
  };
  EXPECT_EQ(stages_of(matmul, steps(128, 128, 64), "sw26010").refused, "");
  // Per core and element: two copies of 4 bytes and one of 8 for A and B, 4 and 8 for C.
  const int64_t bytes = 512 * 128 / 64 * 16 + 128 * 512 / 64 * 16 + 512 * 512 / 64 * 12;
  EXPECT_EQ(stages_of(matmul, steps(512, 512, 128), "sw26010").refused,
            base::cat("tiles need ", bytes, " bytes of scratchpad, ",
                      target::find_target("sw26010").scratch_bytes, " are there"));
}

TEST(Place, OnlyDoubleBufferedTransfersAreAhead) {
  const Stages s = stages_of(
      "{name: a, op: matmul, m: 256, n: 256, k: 256}",
      "split(m,mo,mt,128) split(n,no,nt,128) split(k,ko,kt,64) reorder(b,mo,no,ko,mt,nt,kt) "
      "tensorize(mt,M) tensorize(nt,N) tensorize(kt,K) stage(A,ko,panel,2) stage(B,ko,panel,1) "
      "stage(C,no,panel,1)",
      "sw26010");
  ASSERT_EQ(s.refused, "");
  const std::string &before = s.after.at("boundary"), &after = s.after.at("prefetch");
  EXPECT_EQ(before.find("ahead"), std::string::npos);
  EXPECT_EQ(after.find("transfer ahead"), after.rfind("transfer ahead"));
  EXPECT_EQ(after.substr(after.find("transfer ahead"), 200).find("A_tile") != std::string::npos,
            true);
}

TEST(Passes, RunInTheOrderOfTheTable) {
  std::vector<std::string> names;
  for (const Pass& pass : pass_table()) names.push_back(pass.name);
  EXPECT_EQ(names, (std::vector<std::string>{"infer_transfers", "hoist", "boundary", "prefetch",
                                             "place_scratch", "simplify"}));
}

}  // namespace
}  // namespace swgen::passes
