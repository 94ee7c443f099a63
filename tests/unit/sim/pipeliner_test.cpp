// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/pipeliner.h"

#include <gtest/gtest.h>

namespace swgen::codegen::sw26010 {
namespace {

std::string texts(const std::vector<Operation>& operations) {
  std::string out;
  for (const Operation& o : operations) out += (out.empty() ? "" : " ") + o.text;
  return out;
}

TEST(Straight, HidesLatenciesBehindWhatIsIndependent) {
  // a and b are loads, x needs a, y needs b: y's load before x.
  const Straight s = schedule_straight({{"a", Pipe::p1, 4, {0}, {1}}, {"x", Pipe::p0, 7, {1}, {2}}, {"b", Pipe::p1, 4, {0}, {3}},
                                        {"y", Pipe::p0, 7, {3}, {4}}});
  EXPECT_EQ(texts(s.operations), "a b x y");
  EXPECT_EQ(s.cycles, 6);
}

TEST(Straight, KeepsWhatReadsBeforeWhatWrites) {
  const Straight s = schedule_straight({{"use", Pipe::p0, 7, {1}, {2}}, {"load", Pipe::p1, 4, {0}, {1}}, {"again", Pipe::p0, 7, {1}, {3}}});
  EXPECT_EQ(texts(s.operations), "use load again");
  EXPECT_EQ(s.cycles, 5);
}

TEST(Straight, TheMostUrgentGoesFirst) {
  const Straight s = schedule_straight({{"store", Pipe::p1, 1, {5}, {40}}, {"load", Pipe::p1, 4, {0}, {1}}, {"sum", Pipe::p0, 7, {1}, {2}}});
  EXPECT_EQ(texts(s.operations), "load store sum");
}

TEST(Loop, IterationsOverlap) {
  // load -> multiply -> store takes 12 cycles, but each pipe is needed for two: an iteration every three, with the branch.
  const Loop loop = schedule_loop({{"load", Pipe::p1, 4, {0}, {1}}, {"mul", Pipe::p0, 7, {1}, {2}}, {"store", Pipe::p1, 1, {2}, {40}}});
  EXPECT_GE(loop.stages, 2);
  int p1 = 0;
  for (const Loop::Placed& p : loop.body) p1 += p.operation.pipe == Pipe::p1 ? 1 : 0;
  EXPECT_LE(p1 + 1, loop.interval);
  // One register for each value: a load waits for the use of the last, and a product for the store of its predecessor.
  EXPECT_GE(loop.interval, 4);
}

TEST(Loop, PrologueAndEpilogueMakeWholeIterations) {
  const std::vector<Operation> body = {{"load", Pipe::p1, 4, {0}, {1}}, {"sum", Pipe::p0, 7, {1, 2}, {2}}};
  const Loop loop = schedule_loop(body);
  EXPECT_EQ(loop.interval, 7);  // the sum waits for itself
  EXPECT_EQ(loop.prologue().size() + loop.epilogue().size(), body.size() * static_cast<size_t>(loop.stages - 1));
}

TEST(Loop, EveryDependenceHoldsInTheInterval) {
  std::vector<Operation> body;
  for (int i = 0; i < 4; ++i) body.push_back({"load" + std::to_string(i), Pipe::p1, 4, {10}, {i}});
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j) body.push_back({"fma", Pipe::p0, 7, {i, 20 + 2 * i + j}, {20 + 2 * i + j}});
  body.push_back({"step", Pipe::either, 1, {10, 11}, {10}});
  const Loop loop = schedule_loop(body);
  EXPECT_EQ(loop.interval, 8);
  const auto time = [&](const Loop::Placed& p) { return p.stage * loop.interval + p.cycle; };
  for (const Loop::Placed& a : loop.body)
    for (const Loop::Placed& b : loop.body) {
      if (a.operation.text.rfind("load", 0) != 0 || b.operation.text != "fma" || b.operation.reads[0] != a.operation.writes[0]) continue;
      EXPECT_GE(time(b), time(a) + 4);                  // the value is there
      EXPECT_LE(time(b), time(a) + loop.interval);      // and not yet that of the next iteration
    }
}

}  // namespace
}  // namespace swgen::codegen::sw26010
