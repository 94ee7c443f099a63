// SPDX-License-Identifier: Apache-2.0
// Places instructions of a computing core on its two pipes: straight code by list scheduling, a loop by
// iterative modulo scheduling (Rau, MICRO 1994) on registers that are already assigned.
#pragma once

#include <string>
#include <vector>

namespace swgen::codegen::sw26010 {

enum class Pipe { p0, p1, either };

inline constexpr int kRegisters = 32;

/// One instruction. Resources are registers 0 to 31 and, above, whatever else must keep its order: the
/// buffers of register communication, words of the stack frame; those follow in the next cycle, whatever the latency.
struct Operation {
  std::string text;
  Pipe pipe = Pipe::p1;
  int latency = 1;  // cycles until what it writes can be read
  std::vector<int> reads, writes;
};

/// The operations in an order that issues in as few cycles as found; the cycles are those of the last issue + 1.
struct Straight {
  std::vector<Operation> operations;
  int cycles = 0;
};
Straight schedule_straight(const std::vector<Operation>& operations);

/// A loop whose iterations overlap. Iteration i's operations of stage s run with those of stage 0 of iteration i + s.
struct Loop {
  int interval = 0;  // cycles per iteration
  int stages = 0;
  struct Placed {
    Operation operation;
    int cycle = 0;  // within the interval
    int stage = 0;
  };
  std::vector<Placed> body;  // in issue order

  /// What runs before the body with stages 0 .. stages-2 filling up, and after it.
  std::vector<Operation> prologue() const;
  std::vector<Operation> epilogue() const;
};

/// `operations`: one iteration in program order. The last slot of P1 is left free for the branch. Throws base::InternalError when
/// no interval between `interval` and four times the least is found.
Loop schedule_loop(const std::vector<Operation>& operations, int interval = 0);

}  // namespace swgen::codegen::sw26010
