// SPDX-License-Identifier: Apache-2.0
// The 8x8 mesh of computing cores, cycle by cycle: two pipes a core with in-order dual issue, and
// register communication along rows and columns with back-pressure.
//
// Issue rules: J. Fang, PhD thesis, Tsinghua University 2019, 3.1.4; Fang et al., IPDPS 2017, VI-A.
// Register communication: 11 cycles from put to get (thesis, 3.1.3), send and receive buffers of four
// vectors per core and direction (Zhao et al., TACO 2018, 2.2).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "assembly.h"
#include "core.h"

namespace swgen::sim {

inline constexpr int kSide = 8;
inline constexpr int kTransport = 11;
inline constexpr size_t kBuffer = 4;
inline constexpr int kBroadcast = 8;

/// Of one core. Stalled cycles are those in which nothing was issued, by what the oldest instruction waited for.
struct Counters {
  std::int64_t cycles = 0, instructions = 0, p0 = 0, p1 = 0, dual = 0;
  std::int64_t stalled_operands = 0, stalled_get = 0, stalled_put = 0, stalled_sync = 0;
};

class Mesh {
 public:
  explicit Mesh(const Assembly& program);

  Core& core(int row, int column) { return at(row, column).core; }
  const Counters& counters(int row, int column) { return at(row, column).counters; }

  /// Runs the function at `entry` on all cores until each returns or halts; the cycles of the last. Throws SimError with the place
  /// in the assembly text: an unknown entry, an address outside the scratchpad, cores that wait for ever, a message
  /// that nobody took, more than `most` cycles.
  std::int64_t run(const std::string& entry, std::int64_t most = 1'000'000'000);

 private:
  enum Direction { kRow, kColumn };
  enum class Stall { none, operands, get, put, sync };

  struct Message {
    Register value;
    int destination = kBroadcast;
    std::int64_t when = 0;  // in a send buffer: can leave; in a receive buffer: can be taken
  };

  struct Cell {
    int row = 0, column = 0;
    Core core;
    Counters counters;
    int position = 0;  // of the oldest instruction that is not issued
    bool running = false;
    std::array<std::int64_t, kRegisters> ready{};
    std::array<std::deque<Message>, 2> send, receive;  // by direction
    bool syncing = false;
    Direction sync_direction = kRow;
    unsigned sync_mask = 0;
    std::int64_t released = 0;
  };

  Cell& at(int row, int column) { return cells_[static_cast<size_t>(row * kSide + column)]; }
  Cell& along(Direction d, int line, int place) { return d == kRow ? at(line, place) : at(place, line); }

  void transport(std::int64_t now);
  bool launch(Direction d, int line, std::int64_t now);
  void step(Cell& cell, std::int64_t now);
  Stall stall_of(const Cell& cell, const Instruction& in, std::int64_t now) const;
  /// Issues the instruction; whether the next one in the text follows it.
  bool issue(Cell& cell, const Instruction& in, std::int64_t now);
  void send(Cell& cell, Direction d, const Register& value, int destination, std::int64_t when);
  void arrive(Cell& cell, Direction d, unsigned mask, std::int64_t now);
  [[noreturn]] void fail(const Cell& cell, int position, const std::string& what) const;
  [[noreturn]] void fail_stuck(std::int64_t now) const;

  const Assembly& program_;
  std::array<Cell, kSide * kSide> cells_;
  std::array<std::array<int, kSide>, 2> waiting_{};  // messages in send buffers, by direction and line
  std::int64_t active_ = 0;                          // the last cycle in which anything happened
};

}  // namespace swgen::sim
