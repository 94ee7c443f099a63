// SPDX-License-Identifier: Apache-2.0
// The GEMM primitive of the core mesh as assembly of the computing cores, in the syntax that sw5as reads.
#pragma once

#include <string>

namespace swgen::codegen::sw26010 {

/// A function `name`(a, b, c, m8, n8, k8) in registers $16 to $21, double precision, C += A * B on the 8x8 mesh. A core holds, in its
/// scratchpad, A[k][m], B[k][n] and C[n][m] of its row and column: m8, n8, k8 elements, m8 a multiple of 16, n8 of 4, k8 at least 1.
/// In step s the cores of column s send their A along the rows and those of row s their B along the columns. Lanes run along m: 4
/// vectors of A times 4 values of B stay in registers over all k of a step. With `lanes_n` the roles of A and B, of m and n and of
/// rows and columns are exchanged: B[k][n] in vectors along the columns, C[m][n], n8 a multiple of 16, m8 of 4.
/// Registers 9 to 15, 26, 29 and 30 (the stack pointer) are as before when it returns.
std::string gemm_assembly(const std::string& name, bool lanes_n);

}  // namespace swgen::codegen::sw26010
