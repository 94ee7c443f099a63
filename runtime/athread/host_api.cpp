// SPDX-License-Identifier: Apache-2.0
// Host functions of athread.h.
#include "athread.h"

#include "core_group.h"

using namespace swgen::athread;

namespace {

CoreGroup& ready_group(const char* call) {
  CoreGroup& g = group();
  if (current != nullptr) fail("%s called from a slave function", call);
  if (!g.initialised) fail("%s called before athread_init", call);
  return g;
}

void run_started(const char* call) {
  CoreGroup& g = ready_group(call);
  bool any = false;
  for (const Cpe& cpe : g.cpes) any |= cpe.started;
  if (!any) fail("%s without a spawn", call);
  g.run();
}

void check_id(const char* call, int id) {
  if (id < 0 || id >= kCpes) fail("%s: CPE %d, expected 0 to 63", call, id);
}

}  // namespace

extern "C" {

int athread_init(void) {
  CoreGroup& g = group();
  if (!g.initialised) g.reset_ldm();
  g.initialised = true;
  return 0;
}

int athread_halt(void) {
  CoreGroup& g = ready_group("athread_halt");
  for (const Cpe& cpe : g.cpes) {
    if (cpe.started) fail("athread_halt before athread_join");
  }
  g.initialised = false;
  g.threads = kCpes;
  return 0;
}

int swgen_athread_spawn(unsigned long cpes, start_routine f, void* arg) {
  if (cpes == 0) fail("athread_spawn_group with an empty mask");
  ready_group("athread_spawn").start(cpes, f, arg);
  return 0;
}

unsigned long swgen_athread_default_group(void) {
  const int threads = group().threads;
  return threads == kCpes ? ~0UL : (1UL << threads) - 1;
}

int athread_join(void) {
  run_started("athread_join");
  return 0;
}

int athread_join_group(unsigned long cpes) {
  const CoreGroup& g = ready_group("athread_join_group");
  for (const Cpe& cpe : g.cpes) {
    if (((cpes >> cpe.id) & 1U) != 0 && !cpe.started) fail("athread_join_group: CPE %d has not been spawned", cpe.id);
  }
  run_started("athread_join_group");
  return 0;
}

int athread_create_routine(int id, start_routine f, void* arg) {
  check_id("athread_create", id);
  ready_group("athread_create").start(1UL << id, f, arg);
  return 0;
}

// A run takes all created CPEs to their end, so later waits find theirs finished.
int athread_wait(int id) {
  check_id("athread_wait", id);
  if (ready_group("athread_wait").cpes[static_cast<std::size_t>(id)].started) run_started("athread_wait");
  return 0;
}

int athread_end(int id) {
  check_id("athread_end", id);
  if (ready_group("athread_end").cpes[static_cast<std::size_t>(id)].started) fail("athread_end before athread_wait");
  return 0;
}

int athread_get_max_threads(void) { return kCpes; }

int athread_get_num_threads(void) { return group().threads; }

int athread_set_num_threads(int count) {
  if (count < 1 || count > kCpes) fail("athread_set_num_threads(%d): expected 1 to 64", count);
  group().threads = count;
  return 0;
}

unsigned long athread_idle(void) {
  const CoreGroup& g = group();
  unsigned long idle = 0;
  for (const Cpe& cpe : g.cpes) {
    if (g.initialised && !cpe.started) idle |= 1UL << cpe.id;
  }
  return idle;
}
}
