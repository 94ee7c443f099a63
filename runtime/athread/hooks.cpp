// SPDX-License-Identifier: Apache-2.0
// Callbacks that clang's -fsanitize-coverage puts into slave code, and the checks of vector accesses.
//
// Spins: a loop such as "while (reply != n);" makes no call, so the load hook gives way to the other CPEs when a load
// polls a pending reply word, repeats the previous address, or follows 1,000 others without a store. A CPE makes
// progress if it stores or if the addresses it reads between two such points change.
#include <algorithm>
#include <cstdint>

#include "core_group.h"

namespace swgen::athread {
namespace {

constexpr std::uint32_t kSameAddress = 2;
constexpr std::uint32_t kLoadBurst = 1000;
// Frames of x86-64 are larger than a CPE's: saved registers and spills of 32-byte vectors without AVX.
constexpr std::size_t kFrameSlack = 2048;

void check_foreign(const Cpe& cpe, std::uintptr_t address, const char* what) {
  CoreGroup& g = group();
  const int owner = g.ldm_owner(address);
  if (owner >= 0) {
    const Cpe& other = g.cpes[static_cast<std::size_t>(owner)];
    const bool guard = address - reinterpret_cast<std::uintptr_t>(other.ldm) >= kLdmBytes;
    fail("%s at %p, %s CPE %d", what, reinterpret_cast<void*>(address),
         guard ? "outside the LDM, in the guard area of" : "in the LDM of", owner);
  }
  const int stack = g.stack_owner(address);
  if (stack >= 0 && stack != cpe.id) {
    fail("%s at %p, in the stack of CPE %d", what, reinterpret_cast<void*>(address), stack);
  }
}

// True if the address is in memory rather than in the CPE's LDM or stack.
bool check_place(const Cpe& cpe, std::uintptr_t address, std::size_t bytes, const char* what) {
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(cpe.ldm);
  if (offset + bytes <= kLdmBytes) return false;
  if (address - reinterpret_cast<std::uintptr_t>(cpe.stack_low) <
      static_cast<std::uintptr_t>(cpe.stack_high - cpe.stack_low)) {
    return false;
  }
  if (offset < kLdmBytes) {
    fail("%s of %zu bytes at %p crosses the end of the LDM", what, bytes, reinterpret_cast<void*>(address));
  }
  check_foreign(cpe, address, what);
  return true;
}

bool polls_pending_reply(const Cpe& cpe, std::uintptr_t address, std::size_t bytes, bool store) {
  bool polls = false;
  for (const DmaRequest& r : cpe.pending) {
    const auto low = reinterpret_cast<std::uintptr_t>(r.ldm);
    if (r.is_get && address < low + r.size && low < address + bytes && group().options.trap_early_access) {
      fail("%s at %p, in the destination of a get that has not been answered (%u bytes at %p)",
           store ? "store" : "load", reinterpret_cast<void*>(address), r.size, static_cast<void*>(r.ldm));
    }
    polls |= reinterpret_cast<std::uintptr_t>(r.reply) == address;
  }
  return polls;
}

void give_way(Cpe& cpe) {
  if (cpe.load_low != cpe.spin_low || cpe.load_high != cpe.spin_high) group().progress = true;
  cpe.spin_low = cpe.load_low;
  cpe.spin_high = cpe.load_high;
  cpe.loads = cpe.repeats = 0;
  cpe.wait = {Wait::kSpin, 0, 0, cpe.last_load};
  group().yield();
  cpe.wait = {};
}

void note_load(Cpe& cpe, std::uintptr_t address, bool polls) {
  cpe.repeats = address == cpe.last_load ? cpe.repeats + 1 : 0;
  cpe.last_load = address;
  cpe.load_low = cpe.loads == 0 ? address : std::min(cpe.load_low, address);
  cpe.load_high = cpe.loads == 0 ? address : std::max(cpe.load_high, address);
  ++cpe.loads;
  if (polls || cpe.repeats >= kSameAddress || cpe.loads >= kLoadBurst) give_way(cpe);
}

void on_access(const volatile void* p, std::size_t bytes, bool store) {
  Cpe* cpe = current;
  if (cpe == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const bool in_memory = check_place(*cpe, address, bytes, store ? "store" : "load");
  const bool polls = !cpe->pending.empty() && polls_pending_reply(*cpe, address, bytes, store);
  if (store) {
    if (in_memory) ++group().counters.gst;
    group().progress = true;
    cpe->loads = cpe->repeats = 0;
  } else {
    if (in_memory) ++group().counters.gld;
    note_load(*cpe, address, polls);
  }
}

void check_vector(const volatile void* p, std::size_t bytes, std::size_t align, bool store) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (current != nullptr && address % align != 0) {
    fail("vector %s of %zu bytes at %p, expected an alignment of %zu", store ? "store" : "load", bytes,
         reinterpret_cast<void*>(address), align);
  }
  if (bytes > 16) on_access(p, bytes, store);  // up to 16 bytes clang hooks the access itself
}

void check_stack(const char* frame) {
  Cpe* cpe = current;
  if (cpe == nullptr) return;
  const auto depth = static_cast<std::size_t>(cpe->entry_frame - frame);
  cpe->stack_peak = std::max(cpe->stack_peak, depth);
  const std::size_t limit = group().options.stack_bytes;
  if (depth > limit + kFrameSlack) {
    fail("stack of %zu bytes exceeds the %zu bytes of LDM reserved for it (and %zu for x86 frames)", depth, limit,
         kFrameSlack);
  }
}

}  // namespace
}  // namespace swgen::athread

using namespace swgen::athread;

extern "C" {

const void* swgen_athread_vector_load(const volatile void* p, unsigned long bytes, unsigned long align) {
  check_vector(p, bytes, align, false);
  return const_cast<const void*>(p);
}

void* swgen_athread_vector_store(volatile void* p, unsigned long bytes, unsigned long align) {
  check_vector(p, bytes, align, true);
  return const_cast<void*>(p);
}

void __sanitizer_cov_trace_pc(void) { check_stack(static_cast<const char*>(__builtin_frame_address(0))); }
void __sanitizer_cov_load1(const void* p) { on_access(p, 1, false); }
void __sanitizer_cov_load2(const void* p) { on_access(p, 2, false); }
void __sanitizer_cov_load4(const void* p) { on_access(p, 4, false); }
void __sanitizer_cov_load8(const void* p) { on_access(p, 8, false); }
void __sanitizer_cov_load16(const void* p) { on_access(p, 16, false); }
void __sanitizer_cov_store1(const void* p) { on_access(p, 1, true); }
void __sanitizer_cov_store2(const void* p) { on_access(p, 2, true); }
void __sanitizer_cov_store4(const void* p) { on_access(p, 4, true); }
void __sanitizer_cov_store8(const void* p) { on_access(p, 8, true); }
void __sanitizer_cov_store16(const void* p) { on_access(p, 16, true); }
}
