// SPDX-License-Identifier: Apache-2.0
// Memory of a core group and the start of a run.
#include "core_group.h"

#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <new>

namespace swgen::athread {
namespace {

// Each LDM lies in the middle of its slot and each stack at the end of its own; the rest of a slot is PROT_NONE.
constexpr std::size_t kLdmSlot = 2 * kLdmBytes;
constexpr std::size_t kLdmGuard = kLdmBytes / 2;
constexpr std::size_t kStackBytes = 256 * 1024;  // libc's printf needs more than a slave function may use
constexpr std::size_t kStackSlot = 2 * kStackBytes;

char* reserve(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(p);
}

void open_pages(char* start, std::size_t bytes) {
  if (mprotect(start, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
}

std::uint32_t next_generation() {
  static std::atomic<std::uint32_t> generation{0};
  return ++generation;
}

int slot_of(const char* arena, std::size_t slot, std::uintptr_t address) {
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(arena);
  return offset < slot * kCpes ? static_cast<int>(offset / slot) : -1;
}

}  // namespace

thread_local Cpe* current = nullptr;
thread_local CoreGroup* own_group = nullptr;

CoreGroup& make_group() {
  thread_local const std::unique_ptr<CoreGroup> instance = std::make_unique<CoreGroup>();
  own_group = instance.get();
  return *instance;
}

Cpe& running_cpe(const char* function) {
  if (current == nullptr) fail("%s called outside a slave function", function);
  return *current;
}

CoreGroup::CoreGroup() : ldm_arena_(reserve(kLdmSlot * kCpes)), stack_arena_(reserve(kStackSlot * kCpes)) {
  for (int i = 0; i < kCpes; ++i) {
    Cpe& cpe = cpes[static_cast<std::size_t>(i)];
    cpe.id = i;
    cpe.ldm = ldm_arena_ + static_cast<std::size_t>(i) * kLdmSlot + kLdmGuard;
    open_pages(cpe.ldm, kLdmBytes);
    cpe.stack_high = stack_arena_ + static_cast<std::size_t>(i + 1) * kStackSlot;
    cpe.stack_low = cpe.stack_high - kStackBytes;
    open_pages(cpe.stack_low, kStackBytes);
  }
  reset_ldm();
}

CoreGroup::~CoreGroup() {
  munmap(ldm_arena_, kLdmSlot * kCpes);
  munmap(stack_arena_, kStackSlot * kCpes);
}

void CoreGroup::reset_ldm() {
  generation_ = next_generation();
  thread_local_top_ = 0;
  thread_locals_.clear();
  thread_local_map_.clear();
  for (Cpe& cpe : cpes) {
    cpe.heap.clear();
    fill_poison(cpe.ldm, kLdmBytes);
  }
}

int CoreGroup::ldm_owner(std::uintptr_t address) const { return slot_of(ldm_arena_, kLdmSlot, address); }
int CoreGroup::stack_owner(std::uintptr_t address) const { return slot_of(stack_arena_, kStackSlot, address); }

void CoreGroup::start(std::uint64_t members, start_routine routine, void* argument) {
  for (Cpe& cpe : cpes) {
    if (((members >> cpe.id) & 1U) == 0) continue;
    if (cpe.started) fail("spawn on CPE %d, which has been spawned and not joined", cpe.id);
  }
  for (Cpe& cpe : cpes) {
    if (((members >> cpe.id) & 1U) == 0) continue;
    cpe.routine = routine;
    cpe.argument = argument;
    cpe.started = true;
  }
  ++counters.spawns;
  if (observer != nullptr) observer->on_spawn(members);
}

void fill_poison(char* destination, std::size_t bytes) {
  for (std::size_t i = 0; i + sizeof kPoisonWord <= bytes; i += sizeof kPoisonWord) {
    std::memcpy(destination + i, &kPoisonWord, sizeof kPoisonWord);
  }
}

Counters counters() { return group().counters; }

void reset_counters() {
  CoreGroup& g = group();
  g.counters = Counters{};
  for (Cpe& cpe : g.cpes) cpe.ldm_peak = cpe.stack_peak = 0;
}

void set_observer(Observer* observer) { group().observer = observer; }

void set_options(const Options& options) {
  if (options.stack_bytes > kLdmBytes || options.stack_bytes % 32 != 0) {
    fail("stack_bytes is %zu, expected a multiple of 32 up to %zu", options.stack_bytes, kLdmBytes);
  }
  if (group().running) fail("set_options called during a run");
  group().options = options;
}

std::size_t ldm_peak_bytes(int cpe) { return group().cpes.at(static_cast<std::size_t>(cpe)).ldm_peak; }
std::size_t stack_peak_bytes(int cpe) { return group().cpes.at(static_cast<std::size_t>(cpe)).stack_peak; }

}  // namespace swgen::athread
