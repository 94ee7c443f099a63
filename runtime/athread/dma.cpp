// SPDX-License-Identifier: Apache-2.0
// DMA on the issuing side: checks, the queue of a CPE, and the waits. The data move in dma_delivery.cpp.
#include <algorithm>
#include <cstdio>

#include "core_group.h"
#include "slave.h"

namespace swgen::athread {
namespace {

constexpr std::uint64_t kSizeLimit = std::uint64_t{1} << 24;   // width of the descriptor's size field
constexpr std::uint64_t kBlockLimit = std::uint64_t{1} << 20;  // and of its bsize field
constexpr std::uintptr_t kLine = 128;

const char* mode_name(int mode) {
  constexpr const char* kNames[] = {"PE_MODE", "BCAST_MODE", "ROW_MODE", "BROW_MODE", "RANK_MODE"};
  return mode >= 0 && mode < 5 ? kNames[mode] : "unknown mode";
}

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

bool in_own_stack(const Cpe& cpe, const char* p, std::size_t bytes) {
  return p >= cpe.stack_low && p + bytes <= cpe.stack_high;
}

void check_mode(const char* call, const DmaRequest& r) {
  if (r.mode < PE_MODE || r.mode > RANK_MODE) fail("%s: unknown mode %d", call, r.mode);
  if (r.mode == BROW_MODE) {
    fail("%s: BROW_MODE is not emulated, its placement is not documented; expected PE_MODE, BCAST_MODE, ROW_MODE or "
         "RANK_MODE",
         call);
  }
  if (r.mode == BCAST_MODE && !r.is_get) fail("%s: BCAST_MODE works for get only", call);
  if (r.mode == BCAST_MODE && (r.mask & 0xffU) == 0) fail("%s: BCAST_MODE with an empty row mask", call);
  if ((r.mode == ROW_MODE || r.mode == RANK_MODE) && r.block == 0) {
    fail("%s: %s needs a block size", call, mode_name(r.mode));
  }
}

void check_sizes(const char* call, const DmaRequest& r) {
  if (r.size == 0 || r.size >= kSizeLimit) fail("%s: size is %u bytes, expected 4 to 2^24 - 4", call, r.size);
  if (r.size % 4 != 0) fail("%s: size is %u bytes, expected a multiple of 4", call, r.size);
  if (r.block % 4 != 0) fail("%s: block size is %u bytes, expected a multiple of 4", call, r.block);
  if (r.gap % 4 != 0) fail("%s: stride is %u bytes, expected a multiple of 4", call, r.gap);
  if (r.block >= kBlockLimit) fail("%s: block size is %u bytes, expected less than 2^20", call, r.block);
  if (r.block == 0 && r.gap != 0) fail("%s: stride is %u bytes, but the block size is 0", call, r.gap);
  if (r.block != 0 && r.size % r.block != 0) {
    fail("%s: size is %u bytes, expected a multiple of the block size %u", call, r.size, r.block);
  }
}

void check_memory(const char* call, const DmaRequest& r) {
  if (r.memory == nullptr) fail("%s: memory address is null", call);
  if (number(r.memory) % 4 != 0) {
    fail("%s: memory address %p is not 4-byte aligned", call, static_cast<void*>(r.memory));
  }
  const int ldm = group().ldm_owner(number(r.memory));
  if (ldm >= 0) fail("%s: memory address %p lies in the LDM of CPE %d", call, static_cast<void*>(r.memory), ldm);
  if (group().stack_owner(number(r.memory)) >= 0) {
    fail("%s: memory address %p lies in a CPE's stack", call, static_cast<void*>(r.memory));
  }
}

// Every CPE that takes part needs the same range of its LDM, since the hardware uses one LDM offset for all.
void check_range_elsewhere(const char* call, const Cpe& self, const DmaRequest& r, std::uint32_t offset) {
  for (const Cpe& other : group().cpes) {
    const bool in_row = other.row() == self.row();
    const bool takes_part = r.mode == BCAST_MODE ? ((r.mask >> other.row()) & 1U) != 0 : r.mode == ROW_MODE && in_row;
    if (takes_part && other.id != self.id && !group().in_one_object(other, offset, r.size)) {
      fail("%s: %s needs LDM range [0x%x, 0x%x) on CPE %d too, where it is not allocated", call, mode_name(r.mode),
           offset, offset + r.size, other.id);
    }
  }
}

void check_ldm(const char* call, const Cpe& cpe, const DmaRequest& r) {
  const auto address = number(r.ldm);
  if (address % 4 != 0) fail("%s: LDM address %p is not 4-byte aligned", call, static_cast<void*>(r.ldm));
  if (in_own_stack(cpe, r.ldm, r.size)) {
    if (r.mode == BCAST_MODE || r.mode == ROW_MODE) fail("%s: %s into the stack", call, mode_name(r.mode));
    return;  // automatic arrays are LDM on the machine; their depth is checked at function entry
  }
  const int owner = group().ldm_owner(address);
  if (owner < 0) fail("%s: LDM address %p is not in LDM", call, static_cast<void*>(r.ldm));
  if (owner != cpe.id) fail("%s: LDM address %p lies in the LDM of CPE %d", call, static_cast<void*>(r.ldm), owner);
  const std::uintptr_t offset = address - number(cpe.ldm);
  if (offset >= kLdmBytes || offset + r.size > kLdmBytes) {
    fail("%s: %u bytes at LDM offset 0x%zx leave the LDM of 65536 bytes", call, r.size,
         static_cast<std::size_t>(offset));
  }
  const auto offset32 = static_cast<std::uint32_t>(offset);
  if (!group().in_one_object(cpe, offset32, r.size)) {
    fail("%s: LDM range [0x%x, 0x%x) is not inside one variable or ldm_malloc block", call, offset32,
         offset32 + r.size);
  }
  check_range_elsewhere(call, cpe, r, offset32);
}

void check_reply(const char* call, const Cpe& cpe, const char* reply) {
  if (reply == nullptr) fail("%s: reply address is null", call);
  if (number(reply) % 4 != 0) {
    fail("%s: reply address %p is not 4-byte aligned", call, static_cast<const void*>(reply));
  }
  const std::uintptr_t offset = number(reply) - number(cpe.ldm);
  if (offset + 4 > kLdmBytes && !in_own_stack(cpe, reply, 4)) {
    fail("%s: reply word %p is not in the own LDM", call, static_cast<const void*>(reply));
  }
}

std::uint32_t lines_touched(const DmaRequest& r) {
  const std::uint32_t factor = r.mode == ROW_MODE ? kSide : 1;
  const std::uint64_t total = std::uint64_t{r.size} * factor;
  const std::uint64_t block = r.gap == 0 ? total : std::uint64_t{r.block} * factor;
  std::uintptr_t start = number(r.memory);
  std::uint64_t lines = 0;
  for (std::uint64_t done = 0; done < total; done += block, start += block + r.gap) {
    lines += (start + block - 1) / kLine - start / kLine + 1;
  }
  return static_cast<std::uint32_t>(lines);
}

void poison_destination(const Cpe& self, const DmaRequest& r) {
  for (const Cpe& cpe : group().cpes) {
    const bool receives = r.mode == BCAST_MODE ? ((r.mask >> cpe.row()) & 1U) != 0
                          : r.mode == ROW_MODE ? cpe.row() == self.row()
                                               : cpe.id == self.id;
    if (receives) fill_poison(cpe.id == self.id ? r.ldm : cpe.ldm + (r.ldm - self.ldm), r.size);
  }
}

void count_request(Cpe& cpe, const DmaRequest& r) {
  CoreGroup& g = group();
  const std::uint32_t lines = lines_touched(r);
  ++g.counters.dma_requests;
  const std::uint64_t bytes = std::uint64_t{r.size} * (r.mode == ROW_MODE ? kSide : 1);
  (r.is_get ? g.counters.dma_bytes_get : g.counters.dma_bytes_put) += bytes;
  g.counters.dma_lines += lines;
  if (cpe.pending.size() > static_cast<std::size_t>(kChannelDepth)) ++g.counters.dma_stalls;
  if (g.observer == nullptr) return;
  g.observer->on_dma({cpe.id, r.is_get, r.mode, r.memory, r.size, r.block == 0 ? r.size : r.block, r.gap, lines,
                      static_cast<int>(cpe.pending.size())});
}

void make_request(const char* call, bool is_get, int mode, volatile void* memory, volatile void* ldm, int len,
                  volatile void* reply, int mask, int stride, int bsize) {
  if (len < 0) fail("%s: size is %d bytes, expected 4 to 2^24 - 4", call, len);
  if (bsize < 0) fail("%s: block size is %d bytes, expected 0 or more", call, bsize);
  if (stride < 0) fail("%s: stride is %d bytes, expected 0 or more", call, stride);
  DmaRequest r;
  r.is_get = is_get;
  r.mode = mode;
  r.mask = static_cast<unsigned>(mask) & 0xffU;
  r.memory = static_cast<char*>(const_cast<void*>(memory));
  r.ldm = static_cast<char*>(const_cast<void*>(ldm));
  r.size = static_cast<std::uint32_t>(len);
  r.block = static_cast<std::uint32_t>(bsize);
  r.gap = static_cast<std::uint32_t>(stride);
  r.reply = static_cast<char*>(const_cast<void*>(reply));
  issue_dma(call, r);
}

}  // namespace

void issue_dma(const char* call, DmaRequest r) {
  Cpe& cpe = running_cpe(call);
  r.cpe = cpe.id;
  check_mode(call, r);
  check_sizes(call, r);
  check_memory(call, r);
  check_ldm(call, cpe, r);
  check_reply(call, cpe, r.reply);
  r.due = group().round + 1;
  if (r.is_get) poison_destination(cpe, r);
  cpe.pending.push_back(r);
  if (std::find(cpe.replies.begin(), cpe.replies.end(), number(r.reply)) == cpe.replies.end()) {
    cpe.replies.push_back(number(r.reply));
  }
  ++cpe.events;
  group().progress = true;
  count_request(cpe, r);
}

void wait_for_all(Cpe& cpe) {
  while (!cpe.pending.empty()) {
    cpe.wait = {Wait::kDmaBarrier, 0, 0, 0};
    group().yield();
  }
  cpe.wait = {};
}

}  // namespace swgen::athread

using namespace swgen::athread;

extern "C" {

int athread_get(dma_mode mode, const volatile void* mem, void* ldm, int len, volatile void* reply, int mask, int stride,
                int bsize) {
  make_request("athread_get", true, mode, const_cast<volatile void*>(mem), ldm, len, reply, mask, stride, bsize);
  return 0;
}

int athread_put(dma_mode mode, const volatile void* ldm, void* mem, int len, volatile void* reply, int stride,
                int bsize) {
  make_request("athread_put", false, mode, mem, const_cast<volatile void*>(ldm), len, reply, 0, stride, bsize);
  return 0;
}

int athread_dma_barrier(void) {
  wait_for_all(running_cpe("athread_dma_barrier"));
  return 0;
}

void swgen_athread_dma_wait(volatile void* reply, int count) {
  Cpe& cpe = running_cpe("dma_wait");
  const auto* word = static_cast<const volatile int*>(reply);
  check_reply("dma_wait", cpe, static_cast<const char*>(const_cast<const void*>(reply)));
  while (*word != count) {
    const bool pending = std::any_of(cpe.pending.begin(), cpe.pending.end(),
                                     [reply](const DmaRequest& r) { return r.reply == reply; });
    if (*word > count || !pending) {
      fail("wrong reply count: dma_wait expected %d, found %d%s", count, *word,
           *word > count ? ", and it never decreases" : " and no transfer of this reply word is pending");
    }
    cpe.wait = {Wait::kReply, count, 0, number(const_cast<const void*>(reply))};
    group().yield();
  }
  cpe.wait = {};
  ++cpe.events;
  group().progress = true;
}
}
