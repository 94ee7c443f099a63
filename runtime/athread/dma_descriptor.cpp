// SPDX-License-Identifier: Apache-2.0
// The 128-bit DMA descriptor: packing, range checks, and dma().
#include "core_group.h"
#include "dma.h"

namespace swgen::athread {
namespace {

struct Field {
  const char* setter;
  int shift;
  int bits;
};
constexpr Field kSize{"dma_set_size", 0, 24};
constexpr Field kBsize{"dma_set_bsize", 32, 20};
constexpr Field kOp{"dma_set_op", 56, 4};
constexpr Field kMode{"dma_set_mode", 60, 4};
// The machine has 16 bits of LDM offset and 8 of padding here. The padding says that a word has been set, and that the
// rest is a distance below the top of the stack, which is separate memory in the emulation.
constexpr Field kReply{"dma_set_reply", 64, 24};
constexpr Field kMask{"dma_set_mask", 88, 8};
constexpr Field kStep{"dma_set_stepsize", 96, 32};
constexpr std::uint64_t kReplyOnStack = std::uint64_t{1} << 23;
constexpr std::uint64_t kReplySet = std::uint64_t{1} << 22;

std::uint64_t read(dma_desc d, Field f) {
  return static_cast<std::uint64_t>(d >> f.shift) & ((std::uint64_t{1} << f.bits) - 1);
}

void write(dma_desc* d, Field f, long value) {
  if (value < 0 || static_cast<std::uint64_t>(value) >> f.bits != 0) {
    fail("%s: value %ld does not fit into %d bits", f.setter, value, f.bits);
  }
  const dma_desc ones = ((static_cast<dma_desc>(1) << f.bits) - 1) << f.shift;
  *d = (*d & ~ones) | (static_cast<dma_desc>(static_cast<unsigned long>(value)) << f.shift);
}

}  // namespace
}  // namespace swgen::athread

using namespace swgen::athread;

extern "C" {

void dma_set_size(dma_desc* d, long bytes) { write(d, kSize, bytes); }
void dma_set_bsize(dma_desc* d, long bytes) { write(d, kBsize, bytes); }
void dma_set_stepsize(dma_desc* d, long bytes) { write(d, kStep, bytes); }
void dma_set_op(dma_desc* d, int op) { write(d, kOp, op); }
void dma_set_mode(dma_desc* d, int mode) { write(d, kMode, mode); }
void dma_set_mask(dma_desc* d, int rows) { write(d, kMask, rows & 0xff); }

void swgen_athread_dma_set_reply(dma_desc* d, volatile void* reply) {
  const Cpe& cpe = running_cpe("dma_set_reply");
  const auto* word = static_cast<const char*>(const_cast<const void*>(reply));
  const auto offset = reinterpret_cast<std::uintptr_t>(word) - reinterpret_cast<std::uintptr_t>(cpe.ldm);
  if (offset < kLdmBytes) {
    write(d, kReply, static_cast<long>(kReplySet | offset));
  } else if (word >= cpe.stack_low && word < cpe.stack_high) {
    write(d, kReply, static_cast<long>(kReplyOnStack | kReplySet | static_cast<std::uint64_t>(cpe.stack_high - word)));
  } else {
    fail("dma_set_reply: reply word %p is not in the own LDM", static_cast<const void*>(word));
  }
}

void swgen_athread_dma_init(dma_desc* d, volatile void* reply) {
  *d = 0;
  dma_set_size(d, 256);
  dma_set_op(d, DMA_GET);
  dma_set_mode(d, PE_MODE);
  swgen_athread_dma_set_reply(d, reply);
}

void swgen_athread_dma(dma_desc d, long mem, long ldm) {
  Cpe& cpe = running_cpe("dma");
  const auto op = static_cast<int>(read(d, kOp));
  if (op == DMA_BARRIER) {
    wait_for_all(cpe);
    return;
  }
  if (op != DMA_PUT && op != DMA_GET) fail("dma: op %d is not emulated, expected DMA_PUT, DMA_GET or DMA_BARRIER", op);
  if ((read(d, kReply) & kReplySet) == 0) fail("dma: the descriptor has no reply word, expected dma_set_reply before");
  const std::uint64_t place = read(d, kReply) & ~kReplySet;
  DmaRequest r;
  r.is_get = op == DMA_GET;
  r.mode = static_cast<int>(read(d, kMode));
  r.mask = static_cast<unsigned>(read(d, kMask));
  r.memory = reinterpret_cast<char*>(mem);
  r.ldm = reinterpret_cast<char*>(ldm);
  r.size = static_cast<std::uint32_t>(read(d, kSize));
  r.block = static_cast<std::uint32_t>(read(d, kBsize));
  r.gap = static_cast<std::uint32_t>(read(d, kStep));
  r.reply = (place & kReplyOnStack) != 0 ? cpe.stack_high - (place & (kReplyOnStack - 1)) : cpe.ldm + place;
  issue_dma("dma", r);
}

void dma_barrier(void) { wait_for_all(running_cpe("dma_barrier")); }
}
