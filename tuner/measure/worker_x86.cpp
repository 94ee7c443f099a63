// SPDX-License-Identifier: Apache-2.0
// swgen-worker-x86: a process that compiles, checks and times one candidate. Reads one request (JSON)
// from standard input, writes one reply. A candidate may crash it; its parent then says so.
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>

#include "tuner/measure/check.h"
#include "tuner/measure/jit.h"
#include "tuner/measure/request.h"

namespace swgen::tuner {
namespace {

using Clock = std::chrono::steady_clock;
using RunFunction = void (*)(void**, void*, const long*, const long*, int);
using PackFunction = void (*)(const void*, void*);

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The tensors of one call.
class Call {
 public:
  Call(const MeasureRequest& r, PackFunction pack, bool at_end) : r_(r) {
    const int64_t element = ir::size_of(r.bundle.dtype);
    for (size_t i = 0; i < r.bundle.arguments.size(); ++i) {
      const codegen::Argument& a = r.bundle.arguments[i];
      const int64_t elements = a.prepacked ? a.packed_elements : a.elements;
      memory_.push_back(std::make_unique<GuardedMemory>(elements * element, at_end));
      memory_.back()->poison();
      tensors_.push_back(memory_.back()->data());
      if (a.role == ir::Role::output) continue;
      if (!a.prepacked) {
        fill(a, static_cast<int>(i), r.bundle.dtype, tensors_.back());
        continue;
      }
      GuardedMemory plain(a.elements * element, true);
      fill(a, static_cast<int>(i), r.bundle.dtype, plain.data());
      const Clock::time_point start = Clock::now();
      pack(plain.data(), tensors_.back());
      pack_seconds_ += seconds_since(start);
    }
    const size_t bytes = r.bundle.shared_bytes + r.bundle.workspace_bytes * r.threads;
    memory_.push_back(std::make_unique<GuardedMemory>((bytes + 63) / 64 * 64, at_end));
    memory_.back()->poison();
    end_ = r.bundle.arguments.back().extents;
    begin_.assign(end_.size(), 0);
    bounds_.assign(end_.begin(), end_.end());
  }

  void run(RunFunction f, int threads) {
    f(tensors_.data(), memory_.back()->data(), begin_.data(), bounds_.data(), threads);
  }

  const void* output() const { return tensors_.back(); }
  void poison_output() const { memory_[memory_.size() - 2]->poison(); }
  double pack_seconds() const { return pack_seconds_; }

 private:
  const MeasureRequest& r_;
  std::vector<std::unique_ptr<GuardedMemory>> memory_;
  std::vector<void*> tensors_;
  std::vector<int64_t> end_;
  std::vector<long> begin_, bounds_;
  double pack_seconds_ = 0;
};

MeasureReply measure(const MeasureRequest& r) {
  MeasureReply reply;
  std::string error;
  const Clock::time_point start = Clock::now();
  const auto code = r.compiler.empty()
                        ? jit_compile(r.bundle.candidate, r.level, error)
                        : command_compile(r.bundle.candidate, r.level, r.compiler, error);
  const auto run = code ? reinterpret_cast<RunFunction>(code->symbol("candidate_run")) : nullptr;
  const auto pack = code ? reinterpret_cast<PackFunction>(code->symbol("candidate_pack")) : nullptr;
  reply.compile_seconds = seconds_since(start);
  if (run == nullptr) {
    reply.verdict = "build_failed";
    reply.reason = error.empty() ? "the candidate has no entry function" : error.substr(0, 2000);
    return reply;
  }
  constexpr int64_t kPoints = 2000;
  {
    Call call(r, pack, true);
    // One thread, then the team.
    for (int threads : {1, r.threads > 1 ? r.threads : 0}) {
      if (threads == 0) continue;
      call.poison_output();
      call.run(run, threads);
      reply.reason = compare(r, call.output(), kPoints);
      if (!reply.reason.empty()) {
        reply.verdict = "wrong";
        return reply;
      }
    }
    reply.digest = digest(r.bundle.arguments.back(), r.bundle.dtype, call.output());
    if (!r.output_file.empty() &&
        !save_plain(r.bundle.arguments.back(), r.bundle.dtype, call.output(), r.output_file)) {
      reply.verdict = "crashed";
      reply.reason = "cannot write " + r.output_file;
      return reply;
    }
  }
  Call call(r, pack, false);
  reply.pack_seconds = call.pack_seconds();
  call.run(run, r.threads);
  const std::string second = digest(r.bundle.arguments.back(), r.bundle.dtype, call.output());
  if (second != reply.digest) {
    reply.verdict = "wrong";
    reply.reason = "two runs on the same data differ";
    return reply;
  }
  reply.verdict = "ok";
  double total = 0;
  while (r.time && (total < r.least_seconds || static_cast<int>(reply.samples.size()) < r.least_runs)) {
    const Clock::time_point begin = Clock::now();
    call.run(run, r.threads);
    reply.samples.push_back(seconds_since(begin));
    total += reply.samples.back();
  }
  return reply;
}

}  // namespace
}  // namespace swgen::tuner

int main() {
  std::ios::sync_with_stdio(false);
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const auto request = swgen::tuner::parse_request(text);
  if (!request) {
    std::cerr << "swgen-worker-x86: standard input is not a request; this program is started by swgen\n";
    return 2;
  }
  std::cout << swgen::tuner::to_json(swgen::tuner::measure(*request)) << std::endl;
  return 0;
}
