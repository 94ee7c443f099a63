// SPDX-License-Identifier: Apache-2.0
// What the simulated core group is asked with: a target's numbers, and cycles of what generated slave code does to tiles: assembly functions as simulated,
// C around them as estimated.
#pragma once

#include <cstdint>

#include "compiler/ir/program.h"
#include "compiler/target/target.h"
#include "runtime/sim/core_group.h"

namespace swgen::tuner {

/// The numbers of a target as the timing layer takes them.
sim::GroupCosts group_costs(const target::Target& target);

/// Cycles of the mesh for one call of the generated primitive; extents of one core.
std::int64_t gemm_cycles(ir::Lanes lanes, bool overwrite, std::int64_t m8, std::int64_t n8, std::int64_t k8);

/// Rows of `length` elements between a packed raw tile and a double tile with rows of `pitch` (or turned), whole vectors or not.
struct Conversion {
  ir::DType dtype = ir::DType::f32;
  bool narrow = false, turned = false, vectors = true;
  std::int64_t rows = 0, length = 0, pitch = 0;
  auto operator<=>(const Conversion&) const = default;
};
std::int64_t conversion_cycles(const Conversion& c);

std::int64_t zero_cycles(std::int64_t elements);

/// Estimates of C code that the machine's compiler makes: index arithmetic of a transfer, a round of the loops.
inline constexpr std::int64_t kPlaceCycles = 80, kRoundCycles = 40;

}  // namespace swgen::tuner
