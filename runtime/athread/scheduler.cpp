// SPDX-License-Identifier: Apache-2.0
// Round-robin over the fibers in order of their number until all have finished; names who waits for what if they
// cannot.
#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "core_group.h"

namespace swgen::athread {
namespace {

namespace context = boost::context;

// Rounds without a store, call or answer after which CPEs that poll memory count as stuck. Blocked ones count at once.
constexpr int kIdleRoundsBlocked = 2;
constexpr int kIdleRoundsSpinning = 20000;

// Stacks belong to the group and are used again.
struct BorrowedStack {
  context::stack_context stack;
  context::stack_context allocate() { return stack; }
  void deallocate(context::stack_context&) noexcept {}
};

// Drops a suspended fiber without unwinding it: C frames hold nothing, and the stack is the group's.
void forget(context::fiber& fiber) {
  alignas(context::fiber) std::byte storage[sizeof(context::fiber)];
  new (storage) context::fiber(std::move(fiber));
}

context::fiber make_fiber(Cpe& cpe) {
  context::stack_context stack;
  stack.sp = cpe.stack_high;
  stack.size = static_cast<std::size_t>(cpe.stack_high - cpe.stack_low);
  return context::fiber(std::allocator_arg, BorrowedStack{stack},
                        [&cpe](context::fiber&& host) {
                          cpe.host = std::move(host);
                          cpe.entry_frame = static_cast<char*>(__builtin_frame_address(0));
                          cpe.routine(cpe.argument);
                          if (!cpe.pending.empty()) {
                            fail("%zu DMA request(s) pending at the end of the slave function", cpe.pending.size());
                          }
                          cpe.finished = true;
                          return std::move(cpe.host);
                        });
}

// "CPE 0-3,7" for a set of CPEs.
std::string cpe_list(std::uint64_t set) {
  std::string text = "CPE ";
  bool first = true;
  for (int i = 0; i < kCpes; ++i) {
    if (((set >> i) & 1U) == 0) continue;
    int last = i;
    while (last + 1 < kCpes && ((set >> (last + 1)) & 1U) != 0) ++last;
    text += (first ? "" : ",") + std::to_string(i) + (last > i ? "-" + std::to_string(last) : "");
    first = false;
    i = last;
  }
  return text;
}

}  // namespace

void CoreGroup::yield() {
  Cpe& cpe = *current;
  cpe.host = std::move(cpe.host).resume();
}

void CoreGroup::resume(Cpe& cpe) {
  current = &cpe;
  cpe.fiber = std::move(cpe.fiber).resume();
  current = nullptr;
  if (cpe.finished) progress = true;
}

void CoreGroup::clear_run() {
  running = false;
  failed = false;
  for (auto& data : rank_data) data.clear();
  for (Cpe& cpe : cpes) {
    cpe.started = cpe.finished = false;
    cpe.wait = WaitInfo{};
    cpe.sync_released = false;
    cpe.fifo = {};
    cpe.pending.clear();
    cpe.replies.clear();
    counters.ldm_unfreed += cpe.heap.size();
    cpe.heap.clear();
  }
  remove_fault_handler();
}

void CoreGroup::abandon() {
  for (Cpe& cpe : cpes) {
    if (cpe.fiber) forget(cpe.fiber);
    if (cpe.host) forget(cpe.host);
  }
  clear_run();
}

void CoreGroup::run() {
  install_fault_handler();
  running = true;
  round = 0;
  for (Cpe& cpe : cpes) {
    if (cpe.started) cpe.fiber = make_fiber(cpe);
  }
  int idle = 0;
  for (bool unfinished = true; unfinished;) {
    ++round;
    progress = unfinished = false;
    bool spinning = false;
    for (Cpe& cpe : cpes) {
      if (!cpe.started || cpe.finished) continue;
      resume(cpe);
      if (failed) {
        const std::string message = failure.data();
        abandon();
        report(message);
      }
      unfinished |= !cpe.finished;
      spinning |= cpe.wait.kind == Wait::kSpin;
    }
    if (deliver_dma()) progress = true;
    idle = progress ? 0 : idle + 1;
    if (unfinished && idle >= (spinning ? kIdleRoundsSpinning : kIdleRoundsBlocked)) {
      const std::string message = stuck_message();
      abandon();
      report(message);
    }
  }
  check_leftovers();
  clear_run();
  if (observer != nullptr) observer->on_join();
}

std::string CoreGroup::stuck_message() const {
  std::uint64_t finished = 0;
  std::vector<std::pair<std::string, std::uint64_t>> reasons;  // in order of the first CPE
  bool sync_misses_finished = false;
  for (const Cpe& cpe : cpes) {
    if (cpe.finished) finished |= std::uint64_t{1} << cpe.id;
  }
  for (const Cpe& cpe : cpes) {
    if (!cpe.started || cpe.finished) continue;
    sync_misses_finished |= cpe.wait.kind == Wait::kSync && (cpe.sync_members & finished) != 0;
    const std::string reason = describe_wait(cpe);
    auto known = reasons.begin();
    while (known != reasons.end() && known->first != reason) ++known;
    if (known == reasons.end()) known = reasons.insert(known, {reason, 0});
    known->second |= std::uint64_t{1} << cpe.id;
  }
  std::string text = sync_misses_finished ? "mismatched sync: " : "deadlock: ";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    text += (i == 0 ? "" : "; ") + cpe_list(reasons[i].second) + " " + reasons[i].first;
  }
  if (finished != 0) text += "; " + cpe_list(finished) + " finished";
  return text;
}

void CoreGroup::check_leftovers() {
  for (const Cpe& cpe : cpes) {
    for (std::size_t d = 0; d < cpe.fifo.size(); ++d) {
      if (cpe.fifo[d].count == 0) continue;
      const std::string message = cpe_name(cpe) + ": " + std::to_string(cpe.fifo[d].count) +
                                  " message(s) left in the " + (d == 0 ? "row" : "column") +
                                  " FIFO at the end of the run";
      abandon();
      report(message);
    }
  }
}

}  // namespace swgen::athread
