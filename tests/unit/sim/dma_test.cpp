// SPDX-License-Identifier: Apache-2.0
// The DMA engine and the clocks of a core group.
#include "runtime/sim/dma.h"

#include <gtest/gtest.h>

#include "runtime/sim/core_group.h"

namespace swgen::sim {
namespace {

/// Round numbers: a line of a get takes 6 cycles where contiguous, 7 in aligned blocks, 8 in others; of a put 5.
DmaCosts costs() {
  DmaCosts c;
  c.get_start = 20000;
  c.put_start = 10000;
  c.get_line_contiguous = 600;
  c.get_line_aligned = 700;
  c.get_line_unaligned = 800;
  c.put_line = 500;
  c.put_narrow = 300;
  c.turn_block = 400;
  return c;
}

TEST(DmaEngine, ABlockTouchesWholeLines) {
  DmaEngine engine(costs());
  EXPECT_EQ(engine.lines_of({false, 0, 128, 0, 1}), 1);
  EXPECT_EQ(engine.lines_of({false, 4, 128, 0, 1}), 2);
  EXPECT_EQ(engine.lines_of({false, 48, 80, 4096, 10}), 10);
  EXPECT_EQ(engine.lines_of({false, 48, 84, 4096, 10}), 20);
  EXPECT_EQ(engine.lines_of({false, 0, 96, 96, 4}), 6);  // at 0, 96, 192, 288: lines 1, 2, 2, 1
}

TEST(DmaEngine, TheChannelServesInTheOrderOfArrival) {
  DmaEngine engine(costs());
  EXPECT_EQ(engine.issue(0, {false, 0, 1280, 0, 1}, 0).done, 60 + 200);
  EXPECT_EQ(engine.issue(1, {false, 0, 128, 256, 10}, 0).done, 60 + 70 + 200);
  EXPECT_EQ(engine.issue(2, {false, 16, 64, 256, 10}, 0).done, 60 + 70 + 80 + 200);
  EXPECT_EQ(engine.issue(3, {false, 0, 128, 0, 1}, 1000).done, 1000 + 6 + 200);
  EXPECT_EQ(engine.gets().lines, 31);
  EXPECT_EQ(engine.gets().requests, 4);
}

TEST(DmaEngine, PartialLinesOfStridedPutsCostTwice) {
  EXPECT_EQ(DmaEngine(costs()).issue(0, {true, 0, 128, 256, 10}, 0).done, 50 + 100);
  EXPECT_EQ(DmaEngine(costs()).issue(0, {true, 16, 128, 1024, 10}, 0).done, 200 + 100);  // two lines each, both in part
  EXPECT_EQ(DmaEngine(costs()).issue(0, {true, 0, 64, 1024, 10}, 0).done, 100 + 100);
  EXPECT_EQ(DmaEngine(costs()).issue(0, {true, 0, 32, 0, 1}, 0).done, 8 + 100);
}

TEST(DmaEngine, TheFourthRequestOfACoreWaits) {
  DmaEngine engine(costs());
  const DmaRequest big = {false, 0, 128 * 100, 0, 1};  // 600 cycles
  EXPECT_EQ(engine.issue(0, big, 0).accepted, 0);
  EXPECT_EQ(engine.issue(0, big, 0).accepted, 0);
  EXPECT_EQ(engine.issue(0, big, 0).accepted, 0);
  EXPECT_EQ(engine.issue(0, big, 0).accepted, 0);     // the first is sent out at once
  EXPECT_EQ(engine.issue(0, big, 0).accepted, 600);   // when the second is
  EXPECT_EQ(engine.issue(1, big, 0).accepted, 0);
}

TEST(DmaEngine, TurnsBetweenReadingAndWriting) {
  DmaEngine alone(costs()), beside(costs());
  const std::int64_t put = alone.issue(0, {true, 0, 128, 256, 8}, 0).done;
  beside.issue(1, {false, 0, 128, 256, 8}, 0);
  EXPECT_EQ(beside.issue(0, {true, 0, 128, 256, 8}, 0).done, put + 56 + 8);  // after the get; a quarter of 8 blocks at 4 cycles
  DmaEngine later(costs());
  later.issue(1, {false, 0, 128, 256, 8}, 0);
  EXPECT_EQ(later.issue(0, {true, 0, 128, 256, 8}, 5000).done, 5000 + put);  // the get is done
}

TEST(CoreGroup, ComputesWhileTransfersAreUnderWay) {
  GroupCosts c;
  c.dma = costs();
  c.spawn = 1000;
  c.join = 500;
  std::vector<Span> spans;
  CoreGroup group(c, &spans);
  std::array<DmaRequest, kCores> requests{};
  for (std::size_t i = 0; i < kCores; ++i) requests[i] = {false, static_cast<std::int64_t>(i) * 1280, 1280, 0, 1};
  const CoreGroup::Reply reply = group.transfer(requests, "get");  // 64 x 10 lines of 6 cycles, and 200
  group.compute(2000, "work");
  EXPECT_EQ(group.now(), 3000);
  group.wait(reply);
  EXPECT_EQ(group.now(), 1000 + 3840 + 200);
  group.compute_together(100, "gemm");
  EXPECT_EQ(group.finish(), 1000 + 3840 + 200 + 100 + 500);
  EXPECT_EQ(group.counters().primitive_calls, 1);
  EXPECT_EQ(group.counters().gets.bytes, 64 * 1280);
  EXPECT_EQ(group.counters().compute, 2100);
  EXPECT_FALSE(spans.empty());
  for (const Span& s : spans) EXPECT_LT(s.begin, s.end);
}

}  // namespace
}  // namespace swgen::sim
