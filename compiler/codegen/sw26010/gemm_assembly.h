// SPDX-License-Identifier: Apache-2.0
// The GEMM primitive of the mesh as assembly text of a computing core.
//
// A core holds A[k][m], B[k][n] and, with lanes along m, C[n][m], with lanes along n, C[m][n] of its row (m) and
// column (n). In step s of eight the cores of column s send their A along the rows, those of row s their B along
// the columns. Arguments in $16 to $21: addresses of A, B and C (32-byte aligned), and the extents of one core: m and n,
// of which the one with the lanes is a multiple of 16 and the other of 4, and k >= 1.
#pragma once

#include <string>

namespace swgen::codegen::sw26010 {

struct GemmVariant {
  bool lanes_n = false;
  bool overwrite = false;  // C = A * B; else C += A * B
};

/// A tile of 4 vectors x 4 values of C stays in registers over all eight steps. What is lost at a step is the way of messages:
/// whoever sends next, core (s,s) first, is two messages of 11 cycles behind the one that sent before.
std::string gemm_assembly(const std::string& name, GemmVariant variant);

/// How published kernels do it, to compare with them: the steps outside, all tiles in each of them (C += A * B).
enum class PublishedBody {
  compiled,   // what the machine's compiler makes of C: operands, then multiply-adds, then count and branch
  pipelined,  // 17 cycles for 16 multiply-adds (Zhao et al., TACO 2018)
};
std::string published_gemm_assembly(const std::string& name, bool lanes_n, PublishedBody body);

}  // namespace swgen::codegen::sw26010
