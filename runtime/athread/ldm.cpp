// SPDX-License-Identifier: Apache-2.0
// Layout of a CPE's LDM: __thread_local variables from offset 0 up, at the same offset on every CPE (a broadcast
// relies on it), ldm_malloc blocks from the stack reserve down.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "core_group.h"
#include "slave.h"

namespace swgen::athread {
namespace {

constexpr std::uint32_t kHeapAlign = 32;  // a vector

std::uint32_t round_up(std::uint32_t value, std::uint32_t align) { return (value + align - 1) / align * align; }

// What clang emits for a thread-local variable under -femulated-tls.
struct EmulatedTls {
  std::size_t size;
  std::size_t align;
  std::uint64_t location;  // free for the runtime: generation << 32 | offset
  const void* image;       // initial value, or null for zero
};

}  // namespace

std::uint32_t CoreGroup::heap_limit() const { return static_cast<std::uint32_t>(kLdmBytes - options.stack_bytes); }

std::uint32_t CoreGroup::thread_local_offset(void* control) {
  auto* variable = static_cast<EmulatedTls*>(control);
  std::atomic_ref<std::uint64_t> location(variable->location);
  const std::uint64_t known = location.load(std::memory_order_relaxed);
  if (known >> 32 == generation_) return static_cast<std::uint32_t>(known);

  const auto found = thread_local_map_.find(control);
  std::uint32_t offset = 0;
  if (found != thread_local_map_.end()) {
    offset = found->second;  // another thread's group has written the location since
  } else {
    const auto size = static_cast<std::uint32_t>(variable->size);
    offset = round_up(thread_local_top_, static_cast<std::uint32_t>(std::max<std::size_t>(variable->align, 4)));
    for (const Cpe& cpe : cpes) {
      const std::uint32_t end = cpe.heap.empty() ? heap_limit() : cpe.heap.back().offset;
      if (variable->size > kLdmBytes || offset + size > end) {
        fail("LDM overflow: a __thread_local variable of %zu bytes does not fit into the %u bytes left on CPE %d "
             "(%u of thread-local variables, %u reserved for the stack)",
             variable->size, end > thread_local_top_ ? end - thread_local_top_ : 0U, cpe.id, thread_local_top_,
             static_cast<unsigned>(options.stack_bytes));
      }
    }
    thread_local_top_ = offset + size;
    thread_locals_.push_back({offset, size});
    thread_local_map_.emplace(control, offset);
    for (Cpe& cpe : cpes) {
      if (variable->image != nullptr) {
        std::memcpy(cpe.ldm + offset, variable->image, size);
      } else {
        std::memset(cpe.ldm + offset, 0, size);
      }
      const std::uint32_t heap = cpe.heap.empty() ? 0 : heap_limit() - cpe.heap.back().offset;
      cpe.ldm_peak = std::max<std::size_t>(cpe.ldm_peak, thread_local_top_ + heap);
    }
  }
  location.store(std::uint64_t{generation_} << 32 | offset, std::memory_order_relaxed);
  return offset;
}

void* CoreGroup::allocate(Cpe& cpe, std::size_t bytes) {
  if (bytes == 0) fail("ldm_malloc of 0 bytes");
  if (bytes > kLdmBytes || round_up(static_cast<std::uint32_t>(bytes), kHeapAlign) > largest_gap(cpe)) {
    fail("LDM overflow: ldm_malloc of %zu bytes, largest free block is %zu bytes (%u of thread-local variables, %zu "
         "reserved for the stack)",
         bytes, largest_gap(cpe), thread_local_top_, options.stack_bytes);
  }
  const std::uint32_t need = round_up(static_cast<std::uint32_t>(bytes), kHeapAlign);
  std::uint32_t end = heap_limit();
  auto next = cpe.heap.begin();
  while (next != cpe.heap.end() && end - (next->offset + round_up(next->size, kHeapAlign)) < need) {
    end = next->offset;
    ++next;
  }
  cpe.heap.insert(next, {end - need, static_cast<std::uint32_t>(bytes)});
  fill_poison(cpe.ldm + end - need, need);
  const std::size_t used = thread_local_top_ + (heap_limit() - cpe.heap.back().offset);
  cpe.ldm_peak = std::max(cpe.ldm_peak, used);
  return cpe.ldm + end - need;
}

void CoreGroup::release(Cpe& cpe, void* block, std::size_t bytes) {
  const auto offset = static_cast<std::uint64_t>(static_cast<char*>(block) - cpe.ldm);
  const auto found =
      std::find_if(cpe.heap.begin(), cpe.heap.end(), [offset](const LdmBlock& b) { return b.offset == offset; });
  if (found == cpe.heap.end()) fail("ldm_free of %p, which ldm_malloc has not returned", block);
  if (found->size != bytes) fail("ldm_free of %zu bytes, expected the allocated size %u", bytes, found->size);
  for (const DmaRequest& r : cpe.pending) {
    if (r.ldm >= block && r.ldm < static_cast<char*>(block) + bytes) fail("ldm_free of a block with a pending DMA");
  }
  fill_poison(static_cast<char*>(block), round_up(found->size, kHeapAlign));
  cpe.heap.erase(found);
}

std::size_t CoreGroup::largest_gap(const Cpe& cpe) const {
  std::uint32_t end = heap_limit();
  std::uint32_t best = 0;
  for (const LdmBlock& block : cpe.heap) {
    best = std::max(best, end - (block.offset + round_up(block.size, kHeapAlign)));
    end = block.offset;
  }
  const std::uint32_t bottom = round_up(thread_local_top_, kHeapAlign);
  return std::max(best, end > bottom ? end - bottom : 0U);
}

bool CoreGroup::in_one_object(const Cpe& cpe, std::uint32_t offset, std::uint32_t size) const {
  const auto holds = [offset, size](const LdmBlock& b) {
    return offset >= b.offset && std::uint64_t{offset} + size <= std::uint64_t{b.offset} + b.size;
  };
  return std::any_of(thread_locals_.begin(), thread_locals_.end(), holds) ||
         std::any_of(cpe.heap.begin(), cpe.heap.end(), holds);
}

}  // namespace swgen::athread

using swgen::athread::group;
using swgen::athread::running_cpe;

extern "C" {

void* __emutls_get_address(void* control) {
  auto& cpe = running_cpe("access to a __thread_local variable");
  return cpe.ldm + group().thread_local_offset(control);
}

void* ldm_malloc(size_t bytes) { return group().allocate(running_cpe("ldm_malloc"), bytes); }

void ldm_free(void* block, size_t bytes) { group().release(running_cpe("ldm_free"), block, bytes); }

size_t get_allocatable_size(void) { return group().largest_gap(running_cpe("get_allocatable_size")); }
}
