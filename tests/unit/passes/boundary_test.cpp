// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/passes/stages.h"

namespace swgen::passes {
namespace {

/// The first line that contains `part`, without its indentation.
std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(part) != std::string::npos) return line.substr(line.find_first_not_of(' '));
  return "";
}

/// From " k:" or the like up to the accumulation.
std::string tiles(const std::string& text) {
  const std::string line = line_with(text, "gemm");
  return line.substr(0, line.find(": C["));
}

TEST(Boundary, LeavesWhatDividesAlone) {
  const Stages s = stages_of("{name: a, op: matmul, m: 8, n: 16, k: 4}",
                             "split(m,mo,mt,4) reorder(b,mo,mt,n,k) tensorize(mt,M) "
                             "tensorize(n,N) tensorize(k,K)");
  EXPECT_EQ(s.after.at("boundary"), s.after.at("hoist"));
}

TEST(Boundary, CutsTheLastTile) {
  const Stages s = stages_of("{name: a, op: matmul, m: 10, n: 16, k: 5}",
                             "split(m,mo,mt,4) split(k,ko,kt,2) reorder(b,mo,ko,mt,n,kt) "
                             "tensorize(mt,M) tensorize(n,N) tensorize(kt,K)");
  EXPECT_EQ(tiles(s.after.at("hoist")), "gemm m: mt=0..4/4 n: n=0..16/16 k: kt=0..2/2");
  EXPECT_EQ(tiles(s.after.at("boundary")),
            "gemm m: mt=0..swgen_min(4, 10 - mo * 4)/4 n: n=0..16/16 "
            "k: kt=0..swgen_min(2, 5 - ko * 2)/2");
}

TEST(Boundary, CutsLoopsInsideOfLoops) {
  // 10 = 2 blocks of 2 tiles of 4: the second block has one tile, which is cut.
  const Stages s = stages_of("{name: a, op: matmul, m: 10, n: 16, k: 5}",
                             "split(m,mo,mt,4) split(mo,mb,mm,2) reorder(b,mb,mm,mt,n,k) "
                             "tensorize(mt,M) tensorize(n,N) tensorize(k,K)");
  const std::string& text = s.after.at("boundary");
  EXPECT_EQ(line_with(text, "for mb"), "for mb in 0..2");
  EXPECT_EQ(line_with(text, "for mm"), "for mm in 0..swgen_min(2, (13 - mb * 8) / 4)");
  EXPECT_NE(tiles(text).find("mt=0..swgen_min(4, swgen_max(10 - mb * 8 - mm * 4, 0))/4"),
            std::string::npos);
}

TEST(Boundary, BlocksThatDivideTheExtentAreNeverCut) {
  // 40 = one tile of 24 and a cut one of 16: two blocks of 8 are left in it, both whole.
  const Stages s = stages_of("{name: a, op: matmul, m: 4, n: 40, k: 5}",
                             "split(n,no,nt,24) split(nt,nv,nl,8) reorder(b,no,m,nv,nl,k) "
                             "tensorize(m,M) tensorize(nv,N) tensorize(nl,N) tensorize(k,K)");
  EXPECT_EQ(tiles(s.after.at("boundary")),
            "gemm m: m=0..4/4 n: nv=0..swgen_min(3, (47 - no * 24) / 8)/3 nl=0..8/8 k: k=0..5/5");
}

const char kConv[] =
    "{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 6, kernel: 3, padding: 1}";

TEST(Boundary, SkipsTapsInThePaddingOfAnUnstagedOperand) {
  const Stages s = stages_of(kConv, "");
  EXPECT_NE(line_with(s.after.at("boundary"), "gemm")
                .find("k: i=0..4/4 p=swgen_max(1 - y, 0)..swgen_min(3, swgen_max(7 - y, 0))/3 "
                      "q=swgen_max(1 - x, 0)..swgen_min(3, swgen_max(7 - x, 0))/3:"),
            std::string::npos);
}

TEST(Boundary, GuardsProductsWhereATileReachesIntoThePadding) {
  const Stages rows = stages_of(kConv, "split(x,xo,xt,3) reorder(n,y,xo,xt,o,i,p,q) tensorize(xt,M) tensorize(o,N) "
                                       "tensorize(i,K) tensorize(p,K) tensorize(q,K)");
  const std::string gemm = line_with(rows.after.at("boundary"), "gemm");
  EXPECT_NE(gemm.find("p=swgen_max(1 - y, 0)..swgen_min(3, swgen_max(7 - y, 0))/3 q=0..3/3"), std::string::npos) << gemm;
  EXPECT_NE(gemm.find(" if 0 <= q + xo * 3 + xt - 1 < 6 first"), std::string::npos) << gemm;
  const Stages taps = stages_of("{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 6, kernel: 4, "
                                "padding: 1}",
                                "split(q,qo,qt,2) reorder(n,y,x,o,i,p,qo,qt) tensorize(o,N) tensorize(i,K) "
                                "tensorize(p,K) tensorize(qo,K) tensorize(qt,K)");
  EXPECT_NE(line_with(taps.after.at("boundary"), "gemm").find(" if 0 <= qo * 2 + qt + x - 1 < 6 first"),
            std::string::npos);
}

TEST(Boundary, DropsGuardsThatAlwaysHold) {
  const std::string steps =
      "reorder(n,y,x,o,i,p,q) tensorize(x,M) tensorize(o,N) tensorize(i,K) tensorize(p,K) "
      "tensorize(q,K) stage(X,y,nchw,1)";
  const Stages padded = stages_of(kConv, steps);
  EXPECT_EQ(line_with(padded.after.at("boundary"), "transfer"),
            "transfer box_X_n=0..1/1 box_X_c=0..4/4 box_X_h=0..3/3 box_X_w=0..8/8: "
            "X_tile[box_X_n + n, box_X_c, box_X_h + y - 1, box_X_w - 1] = "
            "X[box_X_n + n, box_X_c, box_X_h + y - 1, box_X_w - 1] "
            "or 0 unless 0 <= box_X_h + y - 1 < 6 or 0 unless 0 <= box_X_w - 1 < 6");
  const Stages inside = stages_of(
      "{name: a, op: conv2d, in_channels: 4, out_channels: 8, input: 6, kernel: 3}", steps);
  EXPECT_EQ(line_with(inside.after.at("boundary"), "transfer").find("unless"), std::string::npos);
}

TEST(Boundary, GuardsOfTwoBoxesDoNotMix) {
  // Rows of X are read past its end (0..14 of 14), rows of Y are not (0..7 of 7 with a cut).
  const Stages s = stages_of(
      "{name: a, op: conv2d, in_channels: 4, out_channels: 16, input: 14, kernel: 1, stride: 2}",
      "split(y,yo,yt,4) reorder(n,yo,x,yt,o,i,p,q) tensorize(yt,M) tensorize(o,N) tensorize(i,K) "
      "tensorize(p,K) tensorize(q,K) stage(X,n,nchw,1) stage(Y,n,nhwc,1)");
  EXPECT_NE(line_with(s.after.at("boundary"), "transfer box_X").find("0 <= box_X_h < 14"),
            std::string::npos);
  EXPECT_NE(line_with(s.after.at("boundary"), "transfer box_Y").find("if 0 <= box_Y_h < 7"),
            std::string::npos);
}

}  // namespace
}  // namespace swgen::passes
