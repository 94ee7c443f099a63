// SPDX-License-Identifier: Apache-2.0
// Register communication: a 4-deep receive FIFO per CPE and direction. A put waits while a target is full, a get while
// the own FIFO is empty. A broadcast enters all seven FIFOs at once.
#include <cstring>

#include "core_group.h"

namespace swgen::athread {
namespace {

Cpe& neighbour(const Cpe& cpe, int direction, int position) {
  const int id = direction == 0 ? cpe.row() * kSide + position : position * kSide + cpe.column();
  return group().cpes[static_cast<std::size_t>(id)];
}

int own_position(const Cpe& cpe, int direction) { return direction == 0 ? cpe.column() : cpe.row(); }

bool is_target(const Cpe& cpe, int direction, int dst, int position) {
  return dst == kBroadcast ? position != own_position(cpe, direction) : position == dst;
}

bool all_have_room(const Cpe& cpe, int direction, int dst) {
  for (int p = 0; p < kSide; ++p) {
    if (!is_target(cpe, direction, dst, p)) continue;
    if (neighbour(cpe, direction, p).fifo[static_cast<std::size_t>(direction)].count == kFifoDepth) return false;
  }
  return true;
}

// A floatv4 sits in a register as four widened lanes.
Message to_register(const void* value, unsigned long bytes) {
  Message m;
  if (bytes == 16) {
    std::array<float, 4> narrow{};
    std::memcpy(narrow.data(), value, bytes);
    for (std::size_t i = 0; i < narrow.size(); ++i) m.lanes[i] = static_cast<double>(narrow[i]);
  } else {
    std::memcpy(m.lanes.data(), value, bytes);
  }
  return m;
}

void from_register(const Message& m, void* value, unsigned long bytes) {
  if (bytes == 16) {
    std::array<float, 4> narrow{};
    for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = static_cast<float>(m.lanes[i]);
    std::memcpy(value, narrow.data(), bytes);
  } else {
    std::memcpy(value, m.lanes.data(), bytes);
  }
}

void check_size(const char* call, unsigned long bytes) {
  if (bytes > sizeof(Message)) fail("%s of %lu bytes, expected at most 32", call, bytes);
}

}  // namespace
}  // namespace swgen::athread

using namespace swgen::athread;

extern "C" {

void swgen_athread_rlc_put(int direction, const void* value, unsigned long bytes, int dst) {
  const char* call = direction == 0 ? "simd_putr" : "simd_putc";
  Cpe& cpe = running_cpe(call);
  check_size(call, bytes);
  if (dst < 0 || dst > kBroadcast) fail("%s: destination %d, expected 0 to 7, or 8 for a broadcast", call, dst);
  if (dst == own_position(cpe, direction)) fail("%s: destination %d is the sender itself", call, dst);
  const Message message = to_register(value, bytes);
  while (!all_have_room(cpe, direction, dst)) {
    cpe.wait = {Wait::kPut, direction, dst, 0};
    group().yield();
  }
  cpe.wait = {};
  for (int p = 0; p < kSide; ++p) {
    if (!is_target(cpe, direction, dst, p)) continue;
    Fifo& fifo = neighbour(cpe, direction, p).fifo[static_cast<std::size_t>(direction)];
    fifo.slots[static_cast<std::size_t>((fifo.head + fifo.count) % kFifoDepth)] = message;
    ++fifo.count;
  }
  CoreGroup& g = group();
  ++g.counters.rlc_messages;
  ++cpe.events;
  g.progress = true;
  if (g.observer != nullptr) g.observer->on_rlc_put(cpe.id, static_cast<RlcDirection>(direction), dst);
}

void swgen_athread_rlc_get(int direction, void* value, unsigned long bytes) {
  const char* call = direction == 0 ? "simd_getr" : "simd_getc";
  Cpe& cpe = running_cpe(call);
  check_size(call, bytes);
  Fifo& fifo = cpe.fifo[static_cast<std::size_t>(direction)];
  while (fifo.count == 0) {
    cpe.wait = {Wait::kGet, direction, 0, 0};
    group().yield();
  }
  cpe.wait = {};
  from_register(fifo.slots[static_cast<std::size_t>(fifo.head)], value, bytes);
  fifo.head = (fifo.head + 1) % kFifoDepth;
  --fifo.count;
  CoreGroup& g = group();
  ++cpe.events;
  g.progress = true;
  if (g.observer != nullptr) g.observer->on_rlc_get(cpe.id, static_cast<RlcDirection>(direction));
}
}
