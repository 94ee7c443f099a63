// SPDX-License-Identifier: Apache-2.0
// State of one emulated core group: 64 CPEs as fibers on the host thread, their LDM, FIFOs and DMA queues.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "swgen_athread.h"
#include "swgen_athread_abi.h"

namespace swgen::athread {

inline constexpr int kSide = 8;
inline constexpr int kFifoDepth = 4;
inline constexpr int kChannelDepth = 3;
inline constexpr int kBroadcast = 8;
// NaN as float and as double, 2147274413 as int.
inline constexpr std::uint32_t kPoisonWord = 0x7ffcdeadU;

enum class Wait { kNone, kSync, kPut, kGet, kReply, kDmaBarrier, kSpin };

struct WaitInfo {
  Wait kind = Wait::kNone;
  int first = 0;   // sync: scope; put/get: direction; reply: awaited count
  int second = 0;  // sync: mask; put: destination
  std::uintptr_t address = 0;
};

struct Message {
  std::array<double, 4> lanes{};
};

struct Fifo {
  std::array<Message, kFifoDepth> slots{};
  int head = 0;
  int count = 0;
};

struct LdmBlock {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

struct DmaRequest {
  int cpe = 0;
  bool is_get = false;
  int mode = 0;
  unsigned mask = 0;
  char* memory = nullptr;
  char* ldm = nullptr;
  std::uint32_t size = 0;
  std::uint32_t block = 0;
  std::uint32_t gap = 0;
  char* reply = nullptr;
  std::uint64_t due = 0;  // first round at whose end it may be answered
  bool released = false;  // RANK_MODE: the whole row has issued
};

struct Cpe {
  int id = 0;
  char* ldm = nullptr;
  char* stack_low = nullptr;
  char* stack_high = nullptr;
  char* entry_frame = nullptr;

  start_routine routine = nullptr;
  void* argument = nullptr;
  bool started = false;
  bool finished = false;
  boost::context::fiber fiber;
  boost::context::fiber host;

  WaitInfo wait;
  std::uint64_t sync_members = 0;
  bool sync_released = false;
  std::array<Fifo, 2> fifo;  // receive buffers: row, column
  std::vector<DmaRequest> pending;
  std::vector<std::uintptr_t> replies;  // reply words used in this run, for messages
  std::vector<LdmBlock> heap;           // descending offsets
  std::uint64_t events = 0;

  // Spin detection, see hooks.cpp.
  std::uintptr_t last_load = 0;
  std::uint32_t repeats = 0;
  std::uint32_t loads = 0;
  std::uintptr_t load_low = 0;
  std::uintptr_t load_high = 0;
  std::uintptr_t spin_low = 0;
  std::uintptr_t spin_high = 0;

  std::size_t ldm_peak = 0;
  std::size_t stack_peak = 0;

  int row() const { return id / kSide; }
  int column() const { return id % kSide; }
};

class CoreGroup {
 public:
  CoreGroup();
  ~CoreGroup();
  CoreGroup(const CoreGroup&) = delete;
  CoreGroup& operator=(const CoreGroup&) = delete;

  void reset_ldm();
  void start(std::uint64_t members, start_routine routine, void* argument);
  void run();     // scheduler.cpp
  void yield();   // from a fiber back to the scheduler
  bool deliver_dma();  // dma_delivery.cpp; true if something was or will be delivered

  // LDM, see ldm.cpp.
  std::uint32_t thread_local_offset(void* control);
  void* allocate(Cpe& cpe, std::size_t bytes);
  void release(Cpe& cpe, void* block, std::size_t bytes);
  std::size_t largest_gap(const Cpe& cpe) const;
  std::uint32_t heap_limit() const;
  // The CPE whose LDM (or guard) holds the address, or -1.
  int ldm_owner(std::uintptr_t address) const;
  int stack_owner(std::uintptr_t address) const;
  // Whether [offset, offset+size) lies inside one variable or ldm_malloc block of the CPE.
  bool in_one_object(const Cpe& cpe, std::uint32_t offset, std::uint32_t size) const;

  std::array<Cpe, kCpes> cpes;
  Options options;
  Counters counters;
  Observer* observer = nullptr;
  bool initialised = false;
  bool running = false;
  int threads = kCpes;
  std::uint64_t round = 0;
  bool progress = false;
  bool failed = false;
  std::array<char, 2048> failure{};
  std::array<std::vector<DmaRequest>, kSide> rank_data;  // RANK_MODE: answered, data not yet moved

 private:
  void resume(Cpe& cpe);
  void abandon();
  void clear_run();
  std::string stuck_message() const;
  void check_leftovers();
  bool deliver_one(Cpe& cpe);
  bool release_rank(Cpe& cpe);

  char* ldm_arena_ = nullptr;
  char* stack_arena_ = nullptr;
  std::uint32_t generation_ = 0;
  std::uint32_t thread_local_top_ = 0;
  std::vector<LdmBlock> thread_locals_;
  std::unordered_map<void*, std::uint32_t> thread_local_map_;
};

// The CPE whose fiber runs on this thread (null on the host), and the thread's group, made on first use.
extern thread_local Cpe* current __attribute__((tls_model("initial-exec")));
extern thread_local CoreGroup* own_group __attribute__((tls_model("initial-exec")));
CoreGroup& make_group();
inline CoreGroup& group() { return own_group != nullptr ? *own_group : make_group(); }
// The running CPE; an error on the host names the slave function that was called.
Cpe& running_cpe(const char* function);

// Ends the run from a fiber (or from the host): nothing on the calling stack is destroyed, so callers hold no
// resources. The running CPE is named in front.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void report(const std::string& message);
std::string cpe_name(const Cpe& cpe);
std::string describe_wait(const Cpe& cpe);
const char* scope_name(int scope);

void fill_poison(char* destination, std::size_t bytes);
// Checks a request, queues it and poisons its destination.
void issue_dma(const char* call, DmaRequest request);
// Blocks until no request of the CPE is pending.
void wait_for_all(Cpe& cpe);

// Routes memory faults (guard pages, wild addresses) into fail() while fibers run.
void install_fault_handler();
void remove_fault_handler();

}  // namespace swgen::athread
