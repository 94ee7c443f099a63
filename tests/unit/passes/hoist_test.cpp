// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/passes/stages.h"

namespace swgen::passes {
namespace {

const char kMatmul[] = "{name: a, op: matmul, m: 8, n: 16, k: 4}";
const char kSteps[] =
    "split(n,no,nt,8) split(m,mo,mt,4) reorder(b,no,mo,mt,nt,k) tensorize(mt,M) tensorize(nt,N) "
    "tensorize(k,K) stage(B,mo,panel,1)";

/// The kinds of statements with their depth, without the details: "for b", "transfer", "gemm".
std::string outline(const std::string& text) {
  std::istringstream lines(text.substr(text.find("stage direct\n")));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("stage", 0) == 0) continue;
    const size_t indent = line.find_first_not_of(' ');
    std::istringstream words(line);
    std::string first, second, third;
    words >> first >> second >> third;
    if (first == "parallel") first += " for " + third;
    if (first == "for") first += " " + second;
    out += std::string(indent - 2, ' ') + first + "\n";
  }
  return out;
}

TEST(Hoist, MovesATransferPastLoopsItDoesNotUse) {
  const Stages s = stages_of(kMatmul, kSteps);
  EXPECT_EQ(outline(s.after.at("infer_transfers")),
            "for b\n"
            "  for no\n"
            "    for mo\n"
            "      transfer\n"
            "      gemm\n");
  EXPECT_EQ(outline(s.after.at("hoist")),
            "for b\n"
            "  for no\n"
            "    transfer\n"
            "    for mo\n"
            "      gemm\n");
}

TEST(Hoist, StopsAtParallelLoops) {
  // A thread fills its own tile, although the tile does not depend on the shared loop.
  const Stages s = stages_of(kMatmul, std::string(kSteps) + " parallel(mo)");
  EXPECT_EQ(outline(s.after.at("hoist")),
            "for b\n"
            "  for no\n"
            "    parallel for mo\n"
            "      transfer\n"
            "      gemm\n");
}

TEST(Hoist, OutputsLeaveBehindTheLoop) {
  const Stages s = stages_of(
      "{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 4, kernel: 1}",
      "reorder(n,o,y,x,i,p,q) tensorize(x,M) tensorize(o,N) tensorize(i,K) tensorize(p,K) "
      "tensorize(q,K) stage(X,y,nchw,1) stage(Y,n,nhwc,1)");
  EXPECT_EQ(outline(s.after.at("hoist")),
            "for n\n"
            "  for y\n"
            "    transfer\n"
            "    gemm\n"
            "  transfer\n");
}

TEST(Hoist, MovesOutOfSeveralLoops) {
  // A[b,m,k] below two loops over n.
  const Stages s = stages_of(
      kMatmul,
      "split(n,no,nt,4) split(no,na,nb,2) reorder(b,na,nb,m,nt,k) tensorize(m,M) tensorize(nt,N) "
      "tensorize(k,K) stage(A,nb,panel,1)");
  EXPECT_EQ(outline(s.after.at("hoist")),
            "for b\n"
            "  transfer\n"
            "  for na\n"
            "    for nb\n"
            "      gemm\n");
}

}  // namespace
}  // namespace swgen::passes
