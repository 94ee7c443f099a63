// SPDX-License-Identifier: Apache-2.0
// athread_syn and the identity of a CPE.
#include "core_group.h"
#include "slave.h"

namespace swgen::athread {
namespace {

std::uint64_t members_of(const Cpe& cpe, int scope, unsigned mask) {
  std::uint64_t members = 0;
  for (const Cpe& other : group().cpes) {
    const bool in_row = scope == ROW_SCOPE && other.row() == cpe.row() && ((mask >> other.column()) & 1U) != 0;
    const bool in_column = scope == COL_SCOPE && other.column() == cpe.column() && ((mask >> other.row()) & 1U) != 0;
    const bool in_array = scope == ARRAY_SCOPE && ((mask >> other.column()) & 1U) != 0 &&
                          ((mask >> (kSide + other.row())) & 1U) != 0;
    if (in_row || in_column || in_array) members |= std::uint64_t{1} << other.id;
  }
  return members;
}

void synchronise(Cpe& cpe, int scope, int mask) {
  CoreGroup& g = group();
  if (scope < ROW_SCOPE || scope > ARRAY_SCOPE) fail("athread_syn: unknown scope %d", scope);
  const unsigned width = scope == ARRAY_SCOPE ? 16 : 8;
  if (mask < 0 || static_cast<unsigned>(mask) >> width != 0) {
    fail("athread_syn(%s, 0x%x): expected a mask of %u bits", scope_name(scope), static_cast<unsigned>(mask), width);
  }
  const std::uint64_t members = members_of(cpe, scope, static_cast<unsigned>(mask));
  if (((members >> cpe.id) & 1U) == 0) {
    fail("athread_syn(%s, 0x%x): the calling CPE is not in the mask", scope_name(scope), static_cast<unsigned>(mask));
  }
  ++g.counters.syncs;
  ++cpe.events;
  if (g.observer != nullptr) g.observer->on_sync(cpe.id, members);

  cpe.wait = {Wait::kSync, scope, mask, 0};
  cpe.sync_members = members;
  cpe.sync_released = false;
  bool complete = true;
  for (const Cpe& other : g.cpes) {
    if (((members >> other.id) & 1U) == 0) continue;
    complete &= other.wait.kind == Wait::kSync && other.sync_members == members && !other.sync_released &&
                other.wait.first == scope;
  }
  if (complete) {
    for (Cpe& other : g.cpes) {
      if (((members >> other.id) & 1U) != 0) other.sync_released = true;
    }
  }
  g.progress = true;
  while (!cpe.sync_released) g.yield();
  cpe.wait = {};
  g.progress = true;
}

}  // namespace
}  // namespace swgen::athread

using namespace swgen::athread;

extern "C" {

int athread_syn(athread_scope which, int mask) {
  synchronise(running_cpe("athread_syn"), which, mask);
  return 0;
}

int swgen_athread_my_id(void) { return running_cpe("_MYID").id; }

unsigned long swgen_athread_cycles(void) {
  Cpe& cpe = running_cpe("RTC");
  Observer* observer = group().observer;
  const std::int64_t cycles = observer != nullptr ? observer->cycles(cpe.id) : -1;
  return static_cast<unsigned long>(cycles >= 0 ? static_cast<std::uint64_t>(cycles) : ++cpe.events);
}

int athread_get_id(int core) {
  const Cpe& cpe = running_cpe("athread_get_id");
  if (core < -1 || core >= kCpes) fail("athread_get_id(%d): expected -1 to 63", core);
  return core == -1 ? cpe.id : core;
}

int athread_get_core(int id) {
  const Cpe& cpe = running_cpe("athread_get_core");
  if (id < -1 || id >= kCpes) fail("athread_get_core(%d): expected -1 to 63", id);
  return id == -1 ? cpe.id : id;
}
}
