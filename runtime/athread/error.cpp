// SPDX-License-Identifier: Apache-2.0
// Error paths: from a fiber to the host, to the handler or to the end of the process.
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <utility>

#include "core_group.h"

namespace swgen::athread {
namespace {

ErrorHandler& error_handler() {
  static ErrorHandler handler;
  return handler;
}

}  // namespace

void set_error_handler(ErrorHandler handler) { error_handler() = std::move(handler); }

void throw_error(const std::string& message) { throw EmulationError(message); }

void report(const std::string& message) {
  if (error_handler()) error_handler()(message);
  std::fflush(stdout);
  std::fprintf(stderr, "athread: error: %s\n", message.c_str());
  std::fflush(stderr);
  _exit(kErrorExitCode);
}

void fail(const char* format, ...) {
  CoreGroup& g = group();
  std::size_t used = 0;
  if (current != nullptr) {
    used = static_cast<std::size_t>(std::snprintf(g.failure.data(), g.failure.size(), "CPE %d (row %d, column %d): ",
                                                  current->id, current->row(), current->column()));
  }
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(g.failure.data() + used, g.failure.size() - used, format, arguments);
  va_end(arguments);
  if (current == nullptr) report(g.failure.data());
  g.failed = true;
  g.yield();
  _exit(kErrorExitCode);  // not reached: a failed run is never resumed
}

std::string cpe_name(const Cpe& cpe) {
  return "CPE " + std::to_string(cpe.id) + " (row " + std::to_string(cpe.row()) + ", column " +
         std::to_string(cpe.column()) + ")";
}

const char* scope_name(int scope) {
  constexpr const char* kNames[] = {"ROW_SCOPE", "COL_SCOPE", "ARRAY_SCOPE"};
  return scope >= 0 && scope < 3 ? kNames[scope] : "unknown scope";
}

namespace {

std::string place(const Cpe& cpe, std::uintptr_t address) {
  char text[64];
  const auto offset = address - reinterpret_cast<std::uintptr_t>(cpe.ldm);
  if (offset < kLdmBytes) {
    std::snprintf(text, sizeof text, "LDM offset 0x%zx", static_cast<std::size_t>(offset));
  } else if (address >= reinterpret_cast<std::uintptr_t>(cpe.stack_low) &&
             address < reinterpret_cast<std::uintptr_t>(cpe.stack_high)) {
    return "its stack";
  } else {
    std::snprintf(text, sizeof text, "memory address %p", reinterpret_cast<void*>(address));
  }
  return text;
}

std::string describe_spin(const Cpe& cpe) {
  const std::uintptr_t address = cpe.wait.address;
  for (std::uintptr_t reply : cpe.replies) {
    if (reply != address) continue;
    bool pending = false;
    for (const DmaRequest& r : cpe.pending) pending |= reinterpret_cast<std::uintptr_t>(r.reply) == address;
    const int value = *reinterpret_cast<const int*>(address);
    return "spins on its reply word at " + place(cpe, address) + " (found " + std::to_string(value) + ", " +
           (pending ? "its transfer waits for the other CPEs of the row" : "no transfer of it is pending") + ")";
  }
  return "spins on " + place(cpe, address);
}

}  // namespace

std::string describe_wait(const Cpe& cpe) {
  const WaitInfo& w = cpe.wait;
  char mask[16];
  std::snprintf(mask, sizeof mask, "0x%x", static_cast<unsigned>(w.second));
  switch (w.kind) {
    case Wait::kNone: return "runs";
    case Wait::kSync: return std::string("waits in athread_syn(") + scope_name(w.first) + ", " + mask + ")";
    case Wait::kPut:
      return std::string("waits in ") + (w.first == 0 ? "putr" : "putc") + " to " +
             (w.second == kBroadcast ? std::string("all") : std::to_string(w.second)) + " (receive FIFO full)";
    case Wait::kGet:
      return std::string("waits in ") + (w.first == 0 ? "getr (row FIFO empty)" : "getc (column FIFO empty)");
    case Wait::kReply: return "waits for reply count " + std::to_string(w.first) + " at " + place(cpe, w.address);
    case Wait::kDmaBarrier: return "waits in a DMA barrier";
    case Wait::kSpin: return describe_spin(cpe);
  }
  return "";
}

}  // namespace swgen::athread
