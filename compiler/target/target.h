// SPDX-License-Identifier: Apache-2.0
// A Target: numbers and flags of a machine. Facts, never names, steer everything outside codegen,
// this folder and tuner/model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/seed.h"

namespace swgen::target {

/// Shape rules of a core mesh's GEMM primitive on scratchpad tiles.
struct MeshGemm {
  int64_t lanes_multiple = 128;  // of the vectorized output dimension
  int64_t other_multiple = 32;   // of the other output dimension
  int64_t k_multiple = 8;
};

/// Transfers between main memory and scratchpads, in cycles of one channel for all cores. A block touches whole lines.
struct Dma {
  int64_t line_bytes = 128;
  double get_start = 0, put_start = 0;  // until the first line is there
  double get_contiguous = 0;            // per line: one run a request,
  double get_aligned = 0;               // blocks that begin on lines,
  double get_unaligned = 0;             // other blocks
  double put = 0;                       // per line
  double put_narrow = 0;                // on top, for a run below half a line
  double turn_block = 0, turn_bytes = 0, turn_line = 0;  // between reading and writing: per block, per line's worth of it up to one, per line
  double issue = 0;                     // of a core, per request
};

struct Target {
  std::string name;   // "x86", "sw26010"
  std::string level;  // "generic", "avx2", "avx512"; "" where there is one only

  int64_t vector_bytes = 16;
  int vector_registers = 16;
  double clock_ghz = 0;
  double peak_gflops = 0;  // of one thread (x86) or one core group (sw26010), f32
  double peak_gflops_f64 = 0;

  // Cached machines: capacity and sustained bandwidth of one core per level; the last is memory.
  std::vector<int64_t> cache_bytes;
  std::vector<double> cache_gbps;

  double memory_gbps = 0;  // main memory, all cores of the target
  std::vector<std::string> given;  // names of the numbers that a machine file gave: calibration leaves them

  // Machines with scratchpads: a mesh of cores, each with `scratch_bytes` for data.
  bool has_scratch = false;
  int mesh_rows = 1, mesh_cols = 1;
  int64_t scratch_bytes = 0;
  int64_t scratch_alignment = 32;
  ir::DType compute_dtype_f32 = ir::DType::f32;  // what an f32 tile is widened to in scratch
  MeshGemm mesh_gemm;
  Dma dma;
  double launch_cycles = 0;  // to start the cores and to join them

  /// Elements of `t` in one vector register.
  int64_t lanes(ir::DType t) const { return vector_bytes / ir::size_of(t); }
};

/// Looks up "x86" (best level of this machine), "x86-avx2", "x86-avx512", "x86-generic", "sw26010".
/// Throws base::UserError naming the legal choices.
Target find_target(const std::string& name);

std::vector<std::string> target_names();

/// Names every number of the target that changes code or speed; stored with each measurement.
std::string fingerprint(const Target& target);

}  // namespace swgen::target
