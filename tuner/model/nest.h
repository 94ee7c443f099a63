// SPDX-License-Identifier: Apache-2.0
// The shape of a scheduled contraction in numbers, read from the steps alone: no IR is built. Both
// models count with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace swgen::tuner {

struct NestPart {
  std::string name;
  int iter = 0;
  int64_t stride = 1, extent = 1;
  bool parallel = false;
};

struct NestStage {
  int tensor = -1;
  bool prepacked = false, output = false;
  int copies = 1;
  int depth = 0;           // loops outside of the transfer, after hoisting
  int64_t elements = 0;    // of the tile in its buffer
  int64_t trips = 0;       // executions of the transfer
};

struct Nest {
  const ir::Seed* seed = nullptr;
  const ir::Contraction* contraction = nullptr;
  std::vector<NestPart> loops;          // outer to inner
  std::vector<NestPart> m, n, k;        // tiles of the primitive
  std::vector<NestStage> stages;
  std::vector<ir::TensorLayout> layouts;  // by tensor
  ir::Lanes lanes = ir::Lanes::n;
  int64_t gather_elements = 0;          // moved by the seed's gather stages

  /// How often a body below the first `depth` loops runs, cut tiles counted as they are.
  int64_t trips(int depth) const;
  int64_t tile(const std::vector<NestPart>& parts) const;
  bool indexes(int tensor, int iter) const;
  /// Multiply-adds of the contraction; those that read the padding of an operand that is not staged
  /// are left out.
  int64_t multiply_adds() const;
};

/// Reads a schedule that apply() accepts; throws base::Infeasible like apply() where a step names
/// something that is not there.
Nest read_nest(const ir::Seed& seed, const schedule::Schedule& schedule);

}  // namespace swgen::tuner
