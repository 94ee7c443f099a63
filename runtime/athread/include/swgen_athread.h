// SPDX-License-Identifier: Apache-2.0
// C++ side of the core-group emulation: errors, counters, options and the hooks under which a timing layer is put.
// State is per host thread: each thread that calls athread_init has a core group of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "swgen_athread_flags.h"  // kSlaveFlags

namespace swgen::athread {

inline constexpr int kCpes = 64;
inline constexpr int kErrorExitCode = 86;
inline constexpr std::size_t kLdmBytes = 64 * 1024;

class EmulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Called on the host stack, from athread_join or the host call that failed, after all CPEs have been discarded (their
// stacks are dropped, not unwound). If it returns, or none is set, the process prints "athread: error: MESSAGE" to
// stderr and ends with kErrorExitCode. The handler is per process.
using ErrorHandler = std::function<void(const std::string& message)>;
void set_error_handler(ErrorHandler handler);
// The handler for tests: throws EmulationError.
[[noreturn]] void throw_error(const std::string& message);

struct Options {
  // LDM kept for the stack of a slave function. The stack itself is separate memory; a deeper stack is an error.
  std::size_t stack_bytes = 4096;
  // Touching the LDM destination of a pending get is an error; otherwise a read just finds the NaN poison there.
  bool trap_early_access = true;
};
// Takes effect with the next spawn.
void set_options(const Options& options);

// Since the start or the last reset_counters(), over all 64 CPEs.
struct Counters {
  std::uint64_t spawns = 0;
  std::uint64_t dma_requests = 0;
  std::uint64_t dma_bytes_get = 0;   // bytes read from memory (a broadcast counts once)
  std::uint64_t dma_bytes_put = 0;
  std::uint64_t dma_lines = 0;       // 128-byte memory lines touched, per block
  std::uint64_t dma_stalls = 0;      // requests issued while 3 others of the same CPE were pending
  std::uint64_t rlc_messages = 0;    // puts; a broadcast counts once
  std::uint64_t syncs = 0;           // athread_syn calls
  std::uint64_t gld = 0;             // loads from host memory
  std::uint64_t gst = 0;             // stores to host memory
  std::uint64_t ldm_unfreed = 0;     // ldm_malloc blocks alive at the end of a slave function

  bool operator==(const Counters&) const = default;
};
Counters counters();
void reset_counters();

// Highest use of LDM by __thread_local variables and ldm_malloc, and of the stack, in bytes since reset_counters().
std::size_t ldm_peak_bytes(int cpe);
std::size_t stack_peak_bytes(int cpe);

struct DmaEvent {
  int cpe = 0;
  bool is_get = false;
  int mode = 0;  // dma_mode
  const void* memory = nullptr;
  std::uint32_t size = 0;  // bytes for this CPE
  std::uint32_t block = 0;
  std::uint32_t gap = 0;
  std::uint32_t lines = 0;
  int pending = 0;  // requests of this CPE not answered yet, this one included
};

enum class RlcDirection { kRow, kColumn };

// Hooks in program order of the CPEs; called on a CPE's fiber except for on_spawn, on_join and on_dma_reply.
// They must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_spawn(std::uint64_t cpes) { (void)cpes; }
  virtual void on_join() {}
  virtual void on_dma(const DmaEvent& event) { (void)event; }
  virtual void on_dma_reply(int cpe) { (void)cpe; }
  // dst is 0-7, or 8 for a broadcast; called once the message is in the receivers' FIFOs.
  virtual void on_rlc_put(int cpe, RlcDirection direction, int dst) { (void)cpe, (void)direction, (void)dst; }
  virtual void on_rlc_get(int cpe, RlcDirection direction) { (void)cpe, (void)direction; }
  // On arrival at athread_syn; members has one bit per CPE that takes part.
  virtual void on_sync(int cpe, std::uint64_t members) { (void)cpe, (void)members; }
  // Value of RTC() on this CPE; negative = no clock, a count of emulated events is given instead.
  virtual std::int64_t cycles(int cpe) { return (void)cpe, -1; }
};
// nullptr removes it. Not owned.
void set_observer(Observer* observer);

}  // namespace swgen::athread
