// SPDX-License-Identifier: Apache-2.0
// The state of one computing core and what instructions do to it, without time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa.h"

namespace swgen::sim {

inline constexpr std::int64_t kScratchBytes = 64 << 10;

/// 256 bits: four doubles, or an integer in the lowest 64. Floats are held widened, one in each 64-bit lane.
struct Register {
  std::array<std::uint64_t, 4> bits{};

  double lane(int i) const { return std::bit_cast<double>(bits[static_cast<size_t>(i)]); }
  void set_lane(int i, double v) { bits[static_cast<size_t>(i)] = std::bit_cast<std::uint64_t>(v); }
  std::int64_t integer() const { return static_cast<std::int64_t>(bits[0]); }
  static Register of(std::int64_t value) { return {{static_cast<std::uint64_t>(value), 0, 0, 0}}; }
};

struct Core {
  std::array<Register, kRegisters> registers{};
  std::vector<std::byte> scratch = std::vector<std::byte>(kScratchBytes);

  const Register& read(int r) const { return registers[static_cast<size_t>(r)]; }
  void write(int r, const Register& value) {
    if (r != kZero) registers[static_cast<size_t>(r)] = value;
  }
};

/// The value that an arithmetic instruction gives. Its sources are in `core`.
Register compute(const Core& core, const Instruction& in);

/// Address of a load or store; throws std::out_of_range with what is wrong when it leaves the scratchpad or is not aligned.
std::int64_t address_of(const Core& core, const Instruction& in);
Register load(const Core& core, const Instruction& in);
void store(Core& core, const Instruction& in);

/// Whether a conditional branch is taken.
bool taken(const Core& core, const Instruction& in);

}  // namespace swgen::sim
