// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/passes/stages.h"

namespace swgen::passes {
namespace {

TEST(Simplify, DropsLoopsOfOneIteration) {
  const Stages s = stages_of("{name: a, op: matmul, m: 6, n: 16, k: 4}",
                             "split(m,mo,mt,4) reorder(b,mo,mt,n,k) tensorize(mt,M) "
                             "tensorize(n,N) tensorize(k,K)");
  EXPECT_EQ(s.after.at("place_scratch"),
            "stage direct\n"
            "  for b in 0..1\n"
            "    for mo in 0..2\n"
            "      gemm m: mt=0..swgen_min(4, 6 - mo * 4)/4 n: n=0..16/16 k: k=0..4/4: "
            "C[b, mo * 4 + mt, n] += A[b, mo * 4 + mt, k] * B[b, k, n] first 1 last 1\n");
  EXPECT_EQ(s.after.at("simplify"),
            "stage direct\n"
            "  for mo in 0..2\n"
            "    gemm m: mt=0..swgen_min(4, 6 - mo * 4)/4 n: n=0..16/16 k: k=0..4/4: "
            "C[0, mo * 4 + mt, n] += A[0, mo * 4 + mt, k] * B[0, k, n] first 1 last 1\n");
}

TEST(Simplify, FoldsBoundsAndTheFirstAndLastOfReductions) {
  const Stages s = stages_of("{name: a, op: matmul, m: 3, n: 16, k: 4}",
                             "split(m,mo,mt,4) split(k,ko,kt,8) reorder(b,mo,ko,mt,n,kt) "
                             "tensorize(mt,M) tensorize(n,N) tensorize(kt,K)");
  EXPECT_NE(s.after.at("place_scratch").find("first ko == 0 last ko == 0"), std::string::npos);
  EXPECT_EQ(s.after.at("simplify"),
            "stage direct\n"
            "  gemm m: mt=0..3/4 n: n=0..16/16 k: kt=0..4/8: "
            "C[0, mt, n] += A[0, mt, kt] * B[0, kt, n] first 1 last 1\n");
}

TEST(Simplify, DropsVariablesFromTilesToo) {
  const Stages s = stages_of("{name: a, op: matmul, m: 4, n: 6, k: 5}",
                             "split(n,no,nt,8) reorder(b,no,m,nt,k) tensorize(m,M) "
                             "tensorize(nt,N) tensorize(k,K) stage(B,no,panel,1) parallel(no)");
  EXPECT_EQ(s.after.at("simplify"),
            "buffer B_tile: 40 elements workspace at byte 0\n"
            "stage direct\n"
            "  transfer k=0..5/5 nt=0..8/8: B_tile[0, k, nt] = B[0, k, nt] "
            "or 0 unless 0 <= nt < 6\n"
            "  gemm m: m=0..4/4 n: nt=0..6/8 k: k=0..5/5: "
            "C[0, m, nt] += A[0, m, k] * B_tile[0, k, nt] first 1 last 1\n");
}

}  // namespace
}  // namespace swgen::passes
