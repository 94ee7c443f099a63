// SPDX-License-Identifier: Apache-2.0
// Measurements that others made on SW26010, repeated on the simulated core group: their transfers, their GEMM
// bodies, their plans. All results are simulated cycles (1.45 GHz).
#pragma once

#include <cstdint>

#include "compiler/ir/seed.h"

namespace swgen::tuner::published {

inline constexpr double kHertz = 1.45e9;

/// 64 cores each move `bytes`, one after the other in memory, in one transfer (Fang et al., IPDPS 2017, Table II).
std::int64_t contiguous_cycles(bool put, std::int64_t bytes);

/// 64 cores each get 8 KB in blocks of `block` bytes that begin 48 bytes into a line (swGEMM's table of rates).
struct Transfer {
  std::int64_t bytes = 0, cycles = 0;
};
Transfer strided_get(std::int64_t block);

/// 64 cores each get ten blocks whose beginnings lie `pitch` bytes apart (J. Fang, PhD thesis, Tsinghua 2019, Fig. 3.7).
Transfer ten_blocks(std::int64_t block, std::int64_t pitch);

/// One round of STREAM on slices far apart: `reads` gets, the loop, one put; each waited for (swCandle). Blocks of `block`
/// bytes with gaps of `gap`, `bytes` in all per core and array.
Transfer stream_round(int reads, std::int64_t bytes, std::int64_t block, std::int64_t gap);

/// One call of the GEMM primitive on operands in scratch, double precision, 17-cycle body (thesis, Fig. 4.8).
std::int64_t ldm_gemm_cycles(std::int64_t m, std::int64_t n, std::int64_t k);

/// swGEMM (thesis, 4.2): loops n, m, k over blocks, A and B double-buffered, float widened in scratch, C put after k.
struct Blocking {
  std::int64_t n = 128, m = 32, k = 32;
};
std::int64_t swgemm_cycles(std::int64_t m, std::int64_t n, std::int64_t k, Blocking blocking);
/// The blocking that its tuner picks.
Blocking swgemm_blocking(std::int64_t m, std::int64_t n, std::int64_t k);

/// swDNN's batch-size-aware plan (IPDPS 2017, Alg. 2, as in its version 12): double precision, compiled body.
struct Convolution {
  std::int64_t batch = 128, in = 128, out = 128, kernel = 3, rows = 16, columns = 16;  // of the output
};
std::int64_t swdnn_batch_cycles(const Convolution& c, std::int64_t strip);

}  // namespace swgen::tuner::published
