// SPDX-License-Identifier: Apache-2.0
// Trips and tiles of schedules, counted by hand.
#include "tuner/model/nest.h"

#include <gtest/gtest.h>

#include "compiler/base/error.h"
#include "tests/unit/tuner/support.h"
#include "tuner/model/model.h"

namespace swgen::tuner {
namespace {

const char kMatmul[] = "{name: a, op: matmul, batch: 2, m: 10, n: 20, k: 7}";

class NestTest : public testing::Test {
 protected:
  Nest nest(const std::string& workload, const std::string& schedule) {
    seed_ = ops::seeds(workload_of(workload))[0];
    return read_nest(seed_, schedule::parse(schedule));
  }
  ir::Seed seed_;
};

TEST_F(NestTest, ThePlainNest) {
  const Nest n = nest(kMatmul, "");
  ASSERT_EQ(n.loops.size(), 3u);
  ASSERT_EQ(n.k.size(), 1u);
  EXPECT_EQ(n.trips(0), 1);
  EXPECT_EQ(n.trips(1), 2);
  EXPECT_EQ(n.trips(3), 2 * 10 * 20);
  EXPECT_EQ(n.tile(n.k), 7);
}

TEST_F(NestTest, TripsCountCutBlocks) {
  // m = 10 in tiles of 4: three, the last is cut; n = 20 in blocks of 2 tiles of 8: three tiles,
  // not four.
  const Nest n = nest(kMatmul,
                      "split(m,mo,mt,4) split(n,no,nt,8) split(no,nb,nm,2) "
                      "reorder(b,mo,nb,nm,mt,nt,k) tensorize(mt,M) tensorize(nt,N) tensorize(k,K)");
  EXPECT_EQ(n.trips(1), 2);
  EXPECT_EQ(n.trips(2), 2 * 3);
  EXPECT_EQ(n.trips(3), 2 * 3 * 2);
  EXPECT_EQ(n.trips(4), 2 * 3 * 3);
  EXPECT_EQ(n.tile(n.m), 4);
  EXPECT_EQ(n.tile(n.n), 8);
}

TEST_F(NestTest, StagesAreHoistedAsFarAsTheyGo) {
  const Nest n = nest(kMatmul,
                      "split(m,mo,mt,4) split(n,no,nt,8) reorder(b,no,mo,mt,nt,k) tensorize(mt,M) "
                      "tensorize(nt,N) tensorize(k,K) stage(A,mo,panel,1) stage(B,mo,panel,1)");
  ASSERT_EQ(n.stages.size(), 2u);
  EXPECT_EQ(n.stages[0].depth, 3);  // A depends on the innermost loop
  EXPECT_EQ(n.stages[0].trips, 2 * 3 * 3);
  EXPECT_EQ(n.stages[0].elements, 4 * 7);
  EXPECT_EQ(n.stages[1].depth, 2);  // B does not
  EXPECT_EQ(n.stages[1].trips, 2 * 3);
  EXPECT_EQ(n.stages[1].elements, 7 * 8);
}

TEST_F(NestTest, ParallelLoopsHoldTheirStages) {
  const Nest n = nest(kMatmul,
                      "split(m,mo,mt,4) reorder(b,mo,mt,n,k) tensorize(mt,M) tensorize(n,N) "
                      "tensorize(k,K) stage(B,mo,panel,1) parallel(mo)");
  EXPECT_EQ(n.stages[0].depth, 2);
  EXPECT_EQ(n.stages[0].trips, 2 * 3);
}

TEST_F(NestTest, BoxesCoverTheWindow) {
  const Nest n = nest(
      "{name: a, op: conv2d, in_channels: 3, out_channels: 8, input: 9, kernel: 3, stride: 2, "
      "padding: 1}",
      "split(x,xo,xt,2) reorder(n,y,xo,xt,o,i,p,q) tensorize(xt,M) tensorize(o,N) tensorize(i,K) "
      "tensorize(p,K) tensorize(q,K) stage(X,xo,nchw,1) stage(W,root,prepacked,1)");
  // Channels, rows of the kernel, and columns of two windows that overlap.
  EXPECT_EQ(n.stages[0].elements, 3 * 3 * 5);
  EXPECT_EQ(n.stages[0].trips, 5 * 3);
  EXPECT_TRUE(n.stages[1].prepacked);
  EXPECT_EQ(n.stages[1].trips, 1);
}

TEST_F(NestTest, WorkSumsTheStages) {
  nest(kMatmul, "");
  const Work work = count_work(
      seed_,
      schedule::parse("split(n,no,nt,8) reorder(b,no,m,nt,k) tensorize(m,M) tensorize(nt,N) "
                      "tensorize(k,K) stage(A,b,panel,1) stage(B,no,panel,1)"),
      target::find_target("x86-avx2"));
  EXPECT_EQ(work.multiply_adds, 2 * 10 * 20 * 7);
  EXPECT_EQ(work.transfers, 2 + 2 * 3);
  EXPECT_EQ(work.transfer_bytes, 4 * (2 * 70 + 6 * 56));
  EXPECT_EQ(work.scratch_bytes, 320 + 256);  // 280 and 224 in lines of 64
}

TEST_F(NestTest, UnknownNamesAreInfeasible) {
  const auto reason = [&](const std::string& schedule) -> std::string {
    try {
      nest(kMatmul, schedule);
    } catch (const base::Infeasible& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason("split(x,xo,xi,4)"), "no loop 'x'");
  EXPECT_EQ(reason("stage(Z,root,panel,1)"), "no operand 'Z'");
  EXPECT_EQ(reason("stage(A,root,bmx,1)"), "no layout 'bmx'");
  EXPECT_EQ(reason("layout(A,bmx)"), "no layout 'bmx' of A");
}

}  // namespace
}  // namespace swgen::tuner
