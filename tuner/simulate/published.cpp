// SPDX-License-Identifier: Apache-2.0
#include "tuner/simulate/published.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compiler/codegen/sw26010/gemm_assembly.h"
#include "compiler/target/targets.h"
#include "runtime/sim/core_group.h"
#include "runtime/sim/primitive.h"
#include "tuner/model/tables.h"
#include "tuner/simulate/costs.h"

namespace swgen::tuner::published {
namespace {

using codegen::sw26010::PublishedBody;
using sim::CoreGroup;
using sim::DmaRequest;
using Requests = std::array<DmaRequest, sim::kCores>;

constexpr std::int64_t kScratch = 1024;     // where operands begin; their contents do not matter for time
constexpr std::int64_t kCall = 300;         // cycles around a call of the primitive; fitted to Fig. 4.8 of the thesis
constexpr std::int64_t kConvert = 11;       // of an element, in a loop of loads (4) and conversions (7) that do not overlap
constexpr std::int64_t kStreamElement = 1;  // of an element of STREAM's loop
constexpr std::int64_t kStreamRound = 2400; // of a round outside of transfers and loop; fitted to swCandle's contiguous STREAM
constexpr std::int64_t kMalloc = 16;        // bytes from a line's begin to an array of the public swDNN tests

sim::GroupCosts machine() { return group_costs(target::sw26010()); }

/// Of a test that times inside of the cores.
sim::GroupCosts bare() {
  sim::GroupCosts costs = machine();
  costs.spawn = costs.join = costs.issue = 0;
  return costs;
}

template <class Request>
Requests each(Request request) {
  Requests all;
  for (int c = 0; c < sim::kCores; ++c) all[static_cast<std::size_t>(c)] = request(c / 8, c % 8);
  return all;
}

/// The slice of a matrix that a core holds: `rows` lines of `run` contiguous bytes, cut 8 x 8 over mesh positions (y, x).
DmaRequest slice(bool put, std::int64_t base, std::int64_t rows, std::int64_t run, std::int64_t pitch, int y, int x) {
  return {put, base + y * (rows / 8) * pitch + x * (run / 8), run / 8, pitch, rows / 8};
}

std::int64_t gemm_cycles(PublishedBody body, std::int64_t m, std::int64_t n, std::int64_t k) {
  static sim::Primitive compiled("compiled", codegen::sw26010::published_gemm_assembly("compiled", false, PublishedBody::compiled));
  static sim::Primitive pipelined("pipelined", codegen::sw26010::published_gemm_assembly("pipelined", false, PublishedBody::pipelined));
  return (body == PublishedBody::compiled ? compiled : pipelined).cycles({kScratch, kScratch, kScratch, m / 8, n / 8, k / 8}) + kCall;
}

std::int64_t blocks_of(std::int64_t extent, std::int64_t block) { return (extent + block - 1) / block; }

Transfer timed(const Requests& requests) {
  CoreGroup group(bare());
  group.wait(group.transfer(requests, "transfer"));
  Transfer t;
  for (const DmaRequest& r : requests) t.bytes += r.bytes();
  t.cycles = group.finish();
  return t;
}

}  // namespace

std::int64_t contiguous_cycles(bool put, std::int64_t bytes) {
  return timed(each([&](int y, int x) { return DmaRequest{put, (8 * y + x) * bytes, bytes, bytes, 1}; })).cycles;
}

Transfer strided_get(std::int64_t block) {
  const std::int64_t count = std::max<std::int64_t>(1, 8192 / block), pitch = 8192;
  return timed(each([&](int y, int x) { return DmaRequest{false, 48 + (8 * y + x) * count * pitch, block, pitch, std::max<std::int64_t>(2, count)}; }));
}

Transfer ten_blocks(std::int64_t block, std::int64_t pitch) {
  const std::int64_t far = (10 * pitch + sim::kLineBytes) / sim::kLineBytes * sim::kLineBytes;
  return timed(each([&](int y, int x) { return DmaRequest{false, (8 * y + x) * far, block, pitch, 10}; }));
}

/// Nothing keeps the cores in step: at any time as many get as their share of the round is, and the others put. A round is
/// `reads` + 1 turns in each of which every core does its next transfer.
Transfer stream_round(int reads, std::int64_t bytes, std::int64_t block, std::int64_t gap) {
  CoreGroup group(bare());
  for (int turn = 0; turn <= reads; ++turn) {
    group.wait(group.transfer(each([&](int y, int x) {
      const int core = 8 * y + x, array = (core + turn) % (reads + 1);
      return DmaRequest{array == reads, array * (std::int64_t{1} << 30) + core * (std::int64_t{1} << 24), block, block + gap, bytes / block};
    }), "stream"));
  }
  group.compute(bytes / 8 * kStreamElement, "loop");
  return {sim::kCores * bytes * (reads + 1), group.finish() + kStreamRound};
}

std::int64_t ldm_gemm_cycles(std::int64_t m, std::int64_t n, std::int64_t k) { return gemm_cycles(PublishedBody::pipelined, m, n, k); }

/// Tiles are always whole: where one leaves the matrix, it comes from a zero-padded copy of the border, which the
/// cores make beforehand (thesis, 6.2.3: what swGEMM calls lightweight padding).
std::int64_t swgemm_cycles(std::int64_t M, std::int64_t N, std::int64_t K, Blocking b) {
  constexpr std::int64_t kElement = 4, kA = 0, kB = std::int64_t{1} << 36, kC = std::int64_t{1} << 37;
  CoreGroup group(machine());
  const std::int64_t in_n = blocks_of(N, b.n), in_m = blocks_of(M, b.m), in_k = blocks_of(K, b.k);
  const auto a = [&](std::int64_t m, std::int64_t k) {  // [K][M]
    return each([&](int y, int x) { return slice(false, kA + (k * b.k * M + m * b.m) * kElement, b.k, b.m * kElement, M * kElement, x, y); });
  };
  const auto bb = [&](std::int64_t n, std::int64_t k) {  // [K][N]
    return each([&](int y, int x) { return slice(false, kB + (k * b.k * N + n * b.n) * kElement, b.k, b.n * kElement, N * kElement, y, x); });
  };
  const auto c = [&](std::int64_t n, std::int64_t m) {  // [M][N]
    return each([&](int y, int x) { return slice(true, kC + (m * b.m * N + n * b.n) * kElement, b.m, b.n * kElement, N * kElement, y, x); });
  };
  const auto copy = [&](std::int64_t lines, std::int64_t run, std::int64_t pitch) {  // of a border strip, cut over the cores
    for (const bool put : {false, true})
      group.wait(group.transfer(each([&](int y, int x) {
        return DmaRequest{put, (8 * y + x) * blocks_of(lines, sim::kCores) * pitch, run, pitch, blocks_of(lines, sim::kCores)};
      }), "border"));
  };
  const auto borders = [&](std::int64_t rows, std::int64_t runs, std::int64_t row_block, std::int64_t run_block) {
    if (runs % run_block != 0) copy(rows, runs % run_block * kElement, runs * kElement);
    if (rows % row_block != 0) copy(rows % row_block, runs * kElement, runs * kElement);
  };
  borders(K, M, b.k, b.m);
  borders(K, N, b.k, b.n);
  const std::int64_t gemm = gemm_cycles(PublishedBody::pipelined, b.n, b.m, b.k);
  const std::int64_t widen = (b.m + b.n) * b.k / sim::kCores * kConvert, narrow = b.m * b.n / sim::kCores * kConvert;
  group.wait(group.transfer(a(0, 0), "get A"));
  group.wait(group.transfer(bb(0, 0), "get B"));
  for (std::int64_t n = 0; n < in_n; ++n)
    for (std::int64_t m = 0; m < in_m; ++m) {
      group.compute(b.m * b.n / sim::kCores / 4, "zero");
      for (std::int64_t k = 0; k < in_k; ++k) {
        std::int64_t next_k = k + 1, next_m = m, next_n = n;
        if (next_k == in_k) {
          next_k = 0;
          if (++next_m == in_m) next_m = 0, ++next_n;
        }
        CoreGroup::Reply next_a, next_b;
        if (next_n < in_n) {
          next_a = group.transfer(a(next_m, next_k), "get A");
          next_b = group.transfer(bb(next_n, next_k), "get B");
        }
        group.compute(widen, "widen");
        group.compute_together(gemm, "gemm");
        group.wait(next_a);
        group.wait(next_b);
      }
      group.compute(narrow, "narrow");
      group.wait(group.transfer(c(n, m), "put C"));
    }
  borders(M, N, b.m, b.n);
  return group.finish();
}

/// src/sw_sgemm_std.c of the public swGEMM: all blockings that fit 60 KB; the larger of fitted arithmetic and transfers at a
/// table's rates, plus the first tiles.
Blocking swgemm_blocking(std::int64_t M, std::int64_t N, std::int64_t K) {
  Blocking best;
  double least = std::numeric_limits<double>::max();
  for (std::int64_t n = 128; n <= 2048; n += 128)
    for (std::int64_t m = 32; m <= 2048; m += 32)
      for (std::int64_t k = 32; k <= 2048; k += 32) {
        if (8 * (2 * n * k + 2 * k * m + n * m) / 64 >= 60 * 1024) continue;
        const double N_ = static_cast<double>(blocks_of(N, n)), M_ = static_cast<double>(blocks_of(M, m)), K_ = static_cast<double>(blocks_of(K, k));
        const auto d = [](std::int64_t v) { return static_cast<double>(v); };
        const double call = (9.55371467e-9 * d(n) + 4.80294349e-10 * d(m * n) + 3.85210279e-11 * d(m * k) * d(n) + 1.36105221e-5) / 10;
        const double rate_n = strided_dma_rate(d(n) / 8 * 4), rate_m = strided_dma_rate(d(m) / 8 * 4);
        const double in = 4 * (d(m * k) / rate_m + d(k * n) / rate_n), out = 4 * d(m * n) / rate_n;
        const double time = std::max(N_ * M_ * K_ * call, N_ * M_ * (K_ * in + out)) + in;
        if (time < least) {
          least = time;
          best = {n, m, k};
        }
      }
  return best;
}

std::int64_t swdnn_batch_cycles(const Convolution& s, std::int64_t strip) {
  constexpr std::int64_t kElement = 8, kInput = kMalloc, kWeights = (std::int64_t{1} << 36) + kMalloc, kOutput = (std::int64_t{1} << 37) + kMalloc;
  CoreGroup group(machine());
  const std::int64_t in_columns = s.columns + s.kernel - 1;
  const auto input = [&](std::int64_t row, std::int64_t column) {  // [row][column][in][batch]
    return each([&](int y, int x) {
      return slice(false, kInput + (row * in_columns + column) * s.in * s.batch * kElement, s.in, s.batch * kElement, s.batch * kElement, x, y);
    });
  };
  const auto weights = [&](std::int64_t row) {  // [row][tap][out][in]; the taps of a row in one request each
    std::array<Requests, 16> taps{};
    for (std::int64_t t = 0; t < s.kernel; ++t)
      taps[static_cast<std::size_t>(t)] = each([&](int y, int x) {
        return slice(false, kWeights + (row * s.kernel + t) * s.out * s.in * kElement, s.out, s.in * kElement, s.in * kElement, x, y);
      });
    return taps;
  };
  const auto output = [&](std::int64_t row, std::int64_t column) {  // [row][column][out][batch]
    return each([&](int y, int x) {
      return slice(true, kOutput + (row * s.columns + column) * s.out * s.batch * kElement, s.out, s.batch * kElement, s.batch * kElement, x, y);
    });
  };
  const auto get_weights = [&](std::int64_t row) {
    CoreGroup::Reply last;
    const auto taps = weights(row);
    for (std::int64_t t = 0; t < s.kernel; ++t) last = group.transfer(taps[static_cast<std::size_t>(t)], "get weights");
    return last;
  };
  const std::int64_t gemm = gemm_cycles(PublishedBody::compiled, s.batch, s.out, s.in);
  for (std::int64_t start = 0; start < s.columns; start += strip) {
    const std::int64_t width = std::min(strip, s.columns - start);
    for (std::int64_t row = 0; row < s.rows; ++row) {
      group.compute(width * s.batch * s.out / sim::kCores / 4, "zero");
      group.wait(get_weights(0));
      group.wait(group.transfer(input(row, start), "get input"));
      for (std::int64_t kr = 0; kr < s.kernel; ++kr) {
        CoreGroup::Reply next_weights;
        if (kr + 1 < s.kernel) next_weights = get_weights(kr + 1);
        for (std::int64_t ci = 0; ci < width + s.kernel - 1; ++ci) {
          CoreGroup::Reply next_input;
          if (ci + 1 < width + s.kernel - 1)
            next_input = group.transfer(input(row + kr, start + ci + 1), "get input");
          else if (kr + 1 < s.kernel)
            next_input = group.transfer(input(row + kr + 1, start), "get input");
          for (std::int64_t kc = 0; kc < s.kernel; ++kc)
            if (ci - kc >= 0 && ci - kc < width) group.compute_together(gemm, "gemm");
          group.wait(next_input);
        }
        group.wait(next_weights);
      }
      for (std::int64_t column = start; column < start + width; ++column) group.wait(group.transfer(output(row, column), "put output"));
    }
  }
  return group.finish();
}

}  // namespace swgen::tuner::published
