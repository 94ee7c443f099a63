// SPDX-License-Identifier: Apache-2.0
#include "mesh.h"

#include <algorithm>
#include <stdexcept>

namespace swgen::sim {
namespace {

constexpr std::int64_t kPatience = 1000;  // cycles without any event: longer than every latency
constexpr int kSyncLatency = 14;

bool fits(const Opcode& o, Pipe pipe) { return o.pipe == pipe || o.pipe == Pipe::either; }

/// The pipes of two instructions of one cycle; false when both need the same.
bool pair_pipes(const Opcode& older, const Opcode& younger, Pipe& first) {
  if (older.pipe == Pipe::either)
    first = younger.pipe == Pipe::p1 ? Pipe::p0 : Pipe::p1;  // where the younger fits both, the older takes P1
  else
    first = older.pipe;
  return fits(younger, first == Pipe::p0 ? Pipe::p1 : Pipe::p0);
}

bool sends(Op op) { return op == Op::putr || op == Op::putc || (op >= Op::vldr && op <= Op::lddec); }

}  // namespace

Mesh::Mesh(const Assembly& program) : program_(program) {
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) {
      at(r, c).row = r;
      at(r, c).column = c;
    }
}

std::int64_t Mesh::run(const std::string& entry, std::int64_t most) {
  const auto found = program_.labels.find(entry);
  if (found == program_.labels.end()) throw SimError(program_.file + ": error: found no label '" + entry + "' to begin at");
  for (Cell& cell : cells_) {
    cell.position = found->second;
    cell.running = true;
    cell.counters = {};
    cell.ready.fill(0);
    cell.syncing = false;
    cell.released = 0;
  }
  active_ = 0;
  std::int64_t now = 0;
  for (bool any = true; any; ++now) {
    if (now > most) throw SimError(program_.file + ": error: found no end after " + std::to_string(most) + " cycles");
    if (now - active_ > kPatience) fail_stuck(now);
    transport(now);
    any = false;
    for (Cell& cell : cells_) {
      if (!cell.running) continue;
      step(cell, now);
      any = true;
    }
  }
  for (const Cell& cell : cells_)
    for (int d : {kRow, kColumn})
      if (!cell.receive[static_cast<size_t>(d)].empty() || !cell.send[static_cast<size_t>(d)].empty())
        throw SimError(program_.file + ": error: found a message along the " + (d == kRow ? "row" : "column") + " that core (" +
                       std::to_string(cell.row) + "," + std::to_string(cell.column) + ") never took, expected a get for every put");
  return now - 1;
}

void Mesh::transport(std::int64_t now) {
  for (Direction d : {kRow, kColumn})
    for (int line = 0; line < kSide; ++line)
      if (waiting_[d][static_cast<size_t>(line)] > 0 && launch(d, line, now)) --waiting_[d][static_cast<size_t>(line)];
}

/// One message a cycle on each bus: the one that has waited longest, if all its receivers have room.
bool Mesh::launch(Direction d, int line, std::int64_t now) {
  Cell* sender = nullptr;
  for (int p = 0; p < kSide; ++p) {
    Cell& cell = along(d, line, p);
    if (cell.send[d].empty() || cell.send[d].front().when > now) continue;
    if (sender == nullptr || cell.send[d].front().when < sender->send[d].front().when) sender = &cell;
  }
  if (sender == nullptr) return false;
  const Message message = sender->send[d].front();
  const auto receives = [&](const Cell& cell, int place) {
    return message.destination == kBroadcast ? &cell != sender : place == message.destination;
  };
  for (int p = 0; p < kSide; ++p)
    if (receives(along(d, line, p), p) && along(d, line, p).receive[d].size() == kBuffer) return false;
  sender->send[d].pop_front();
  for (int p = 0; p < kSide; ++p)
    if (receives(along(d, line, p), p)) along(d, line, p).receive[d].push_back({message.value, 0, now + kTransport - 1});
  active_ = now;
  return true;
}

void Mesh::step(Cell& cell, std::int64_t now) {
  const auto count = static_cast<int>(program_.instructions.size());
  if (cell.position >= count) fail(cell, count - 1, "found the end of the text, expected ret");
  cell.counters.cycles = now + 1;
  const Instruction& older = program_.instructions[static_cast<size_t>(cell.position)];
  const Stall stall = stall_of(cell, older, now);
  switch (stall) {
    case Stall::none: break;
    case Stall::operands: ++cell.counters.stalled_operands; return;
    case Stall::get: ++cell.counters.stalled_get; return;
    case Stall::put: ++cell.counters.stalled_put; return;
    case Stall::sync: ++cell.counters.stalled_sync; return;
  }
  active_ = now;
  Pipe pipe = older.opcode->pipe == Pipe::p0 ? Pipe::p0 : Pipe::p1;
  const auto book = [&](Pipe p) { ++(p == Pipe::p0 ? cell.counters.p0 : cell.counters.p1); };
  const Instruction* younger = cell.position + 1 < count ? &program_.instructions[static_cast<size_t>(cell.position) + 1] : nullptr;
  if (younger != nullptr && !pair_pipes(*older.opcode, *younger->opcode, pipe)) younger = nullptr;
  const bool follows = issue(cell, older, now);
  book(pipe);
  ++cell.counters.instructions;
  if (!follows || younger == nullptr || cell.syncing || stall_of(cell, *younger, now) != Stall::none) return;
  issue(cell, *younger, now);
  book(pipe == Pipe::p0 ? Pipe::p1 : Pipe::p0);
  ++cell.counters.instructions;
  ++cell.counters.dual;
}

Mesh::Stall Mesh::stall_of(const Cell& cell, const Instruction& in, std::int64_t now) const {
  if (cell.syncing || now < cell.released) return Stall::sync;
  for (int s : in.source)
    if (s != kZero && cell.ready[static_cast<size_t>(s)] > now) return Stall::operands;
  // A register that is still to be written can't be written again.
  if (in.dest != kZero && cell.ready[static_cast<size_t>(in.dest)] > now) return Stall::operands;
  const Op op = in.opcode->op;
  if (op == Op::getr || op == Op::getc) {
    const auto& buffer = cell.receive[op == Op::getr ? kRow : kColumn];
    if (buffer.empty() || buffer.front().when > now) return Stall::get;
  }
  if (sends(op)) {
    const Direction d = op == Op::putr || op == Op::vldr || op == Op::ldder ? kRow : kColumn;
    if (cell.send[d].size() == kBuffer) return Stall::put;
  }
  return Stall::none;
}

bool Mesh::issue(Cell& cell, const Instruction& in, std::int64_t now) {
  const Opcode& o = *in.opcode;
  const int position = cell.position++;
  const auto result = [&](const Register& value) {
    cell.core.write(in.dest, value);
    if (in.dest != kZero) cell.ready[static_cast<size_t>(in.dest)] = now + o.latency;
  };
  const auto mask = [&] { return static_cast<unsigned>(cell.core.read(in.source[0]).integer() & 0xff); };
  try {
    switch (o.op) {
      case Op::nop: return true;
      case Op::halt: case Op::ret: cell.running = false; return false;
      case Op::ldw: case Op::ldl: case Op::vldd: case Op::vlds: case Op::ldde: case Op::ldse: result(load(cell.core, in)); return true;
      case Op::vldr: case Op::ldder: case Op::vldc: case Op::lddec: {
        const Register value = load(cell.core, in);
        send(cell, o.op == Op::vldr || o.op == Op::ldder ? kRow : kColumn, value, kBroadcast, now + o.latency);
        result(value);
        return true;
      }
      case Op::stw: case Op::stl: case Op::vstd: case Op::vsts: store(cell.core, in); return true;
      case Op::getr: case Op::getc: {
        auto& buffer = cell.receive[o.op == Op::getr ? kRow : kColumn];
        result(buffer.front().value);
        buffer.pop_front();
        return true;
      }
      case Op::putr: case Op::putc: {
        const std::int64_t to = in.immediate ? in.number : cell.core.read(in.source[1]).integer();
        const int own = o.op == Op::putr ? cell.column : cell.row;
        if (to < 0 || to > kBroadcast || to == own)
          throw std::out_of_range("found the destination " + std::to_string(to) + ", expected 0 to 7 but not " + std::to_string(own) +
                                  ", or 8 for all others");
        send(cell, o.op == Op::putr ? kRow : kColumn, cell.core.read(in.source[0]), static_cast<int>(to), now);
        return true;
      }
      case Op::rcsr:
        if (!in.immediate || in.number < 0 || in.number > 2)
          throw std::out_of_range("found another control register, expected 0 (core), 1 (row) or 2 (column)");
        result(Register::of(in.number == 0 ? cell.row * kSide + cell.column : in.number == 1 ? cell.row : cell.column));
        return true;
      case Op::synr: arrive(cell, kRow, mask(), now); return true;
      case Op::sync: arrive(cell, kColumn, mask(), now); return true;
      case Op::br: case Op::beq: case Op::bne: case Op::blt: case Op::ble: case Op::bgt: case Op::bge:
        if (!taken(cell.core, in)) return true;
        cell.position = in.target;
        return false;
      default: result(compute(cell.core, in)); return true;
    }
  } catch (const std::out_of_range& e) {
    fail(cell, position, e.what());
  }
}

void Mesh::send(Cell& cell, Direction d, const Register& value, int destination, std::int64_t when) {
  cell.send[d].push_back({value, destination, when});
  ++waiting_[d][static_cast<size_t>(d == kRow ? cell.row : cell.column)];
}

/// The cores of a line in the mask go on when the last of them has come.
void Mesh::arrive(Cell& cell, Direction d, unsigned mask, std::int64_t now) {
  cell.syncing = true;
  cell.sync_direction = d;
  cell.sync_mask = mask;
  const int line = d == kRow ? cell.row : cell.column;
  const unsigned own = 1U << (d == kRow ? cell.column : cell.row);
  if ((mask & own) == 0)
    throw std::out_of_range("found the mask " + std::to_string(mask) + ", expected one with the core's own bit, " + std::to_string(own));
  for (int p = 0; p < kSide; ++p) {
    const Cell& other = along(d, line, p);
    if ((mask >> p & 1) != 0 && !(other.syncing && other.sync_direction == d && other.sync_mask == mask)) return;
  }
  for (int p = 0; p < kSide; ++p) {
    Cell& other = along(d, line, p);
    if ((mask >> p & 1) == 0) continue;
    other.syncing = false;
    other.released = now + kSyncLatency;
  }
  active_ = now;
}

void Mesh::fail(const Cell& cell, int position, const std::string& what) const {
  throw SimError(program_.place(position) + ": error: core (" + std::to_string(cell.row) + "," + std::to_string(cell.column) + "): " + what);
}

void Mesh::fail_stuck(std::int64_t now) const {
  for (const Cell& cell : cells_) {
    if (!cell.running) continue;
    const Instruction& in = program_.instructions[static_cast<size_t>(cell.position)];
    const char* what = cell.syncing ? "waits for cores that never come to its synchronization"
                       : stall_of(cell, in, now) == Stall::get ? "waits for a message that nobody sends"
                       : stall_of(cell, in, now) == Stall::put ? "waits for room in a buffer that nobody empties"
                                                               : "waits";
    fail(cell, cell.position, std::string("'") + in.opcode->name + "' " + what);
  }
  throw SimError(program_.file + ": error: nothing happens any more");
}

}  // namespace swgen::sim
