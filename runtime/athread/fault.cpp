// SPDX-License-Identifier: Apache-2.0
// Faults that no compiler hook sees (32-byte vectors, libc functions): guard pages and wild addresses. The handler
// makes the faulting CPE continue in a function that reports, on a stack of its own since the old one may be full.
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <mutex>
#include <vector>

#include "core_group.h"

namespace swgen::athread {
namespace {

constexpr std::size_t kSignalStackBytes = 64 * 1024;

struct FaultState {
  std::vector<char> signal_stack;
  std::vector<char> report_stack;
  stack_t old_stack{};
  std::uintptr_t address = 0;
  bool installed = false;
};

FaultState& fault_state() {
  thread_local FaultState state;
  return state;
}

struct OldActions {
  struct sigaction segv {};
  struct sigaction bus {};
  int users = 0;  // groups that run, on different threads
  std::mutex mutex;
};
OldActions old_actions;

[[noreturn]] void report_fault() {
  const std::uintptr_t address = fault_state().address;
  const int ldm = group().ldm_owner(address);
  const int stack = group().stack_owner(address);
  if (ldm >= 0) {
    fail("memory fault at %p, in the guard area of the LDM of CPE %d", reinterpret_cast<void*>(address), ldm);
  }
  if (stack >= 0) fail("stack overflow at %p", reinterpret_cast<void*>(address));
  if (address == 0) fail("memory fault at a null or misaligned address");
  fail("memory fault at %p", reinterpret_cast<void*>(address));
}

void die_in_host(std::uintptr_t address) {
  char text[128];
  const int length =
      std::snprintf(text, sizeof text, "athread: error: memory fault at %p during a DMA transfer or on the host\n",
                    reinterpret_cast<void*>(address));
  if (write(STDERR_FILENO, text, static_cast<std::size_t>(length)) < 0) _exit(kErrorExitCode + 1);
  _exit(kErrorExitCode);
}

void on_fault(int signal, siginfo_t* info, void* raw) {
  (void)signal;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (current == nullptr) die_in_host(address);
  FaultState& state = fault_state();
  state.address = address;
  auto* machine = static_cast<ucontext_t*>(raw);
  // As after a call: 16-byte aligned before the return address was pushed.
  auto top = reinterpret_cast<std::uintptr_t>(state.report_stack.data() + state.report_stack.size());
  top = (top & ~std::uintptr_t{15}) - 8;
  machine->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  machine->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(&report_fault);
}

}  // namespace

void install_fault_handler() {
  FaultState& state = fault_state();
  state.signal_stack.resize(kSignalStackBytes);
  state.report_stack.resize(kSignalStackBytes);
  stack_t stack{};
  stack.ss_sp = state.signal_stack.data();
  stack.ss_size = state.signal_stack.size();
  sigaltstack(&stack, &state.old_stack);
  state.installed = true;
  const std::lock_guard lock(old_actions.mutex);
  if (old_actions.users++ > 0) return;
  struct sigaction action {};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &old_actions.segv);
  sigaction(SIGBUS, &action, &old_actions.bus);
}

void remove_fault_handler() {
  FaultState& state = fault_state();
  if (!state.installed) return;
  state.installed = false;
  sigaltstack(&state.old_stack, nullptr);
  const std::lock_guard lock(old_actions.mutex);
  if (--old_actions.users > 0) return;
  sigaction(SIGSEGV, &old_actions.segv, nullptr);
  sigaction(SIGBUS, &old_actions.bus, nullptr);
}

}  // namespace swgen::athread
