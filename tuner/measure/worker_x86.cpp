// SPDX-License-Identifier: Apache-2.0
// swgen-worker-x86: a process that compiles, checks and times one candidate. Reads one request (JSON)
// from standard input, writes one reply. A candidate may crash it; its parent then says so.
#include <iostream>
#include <iterator>

#include "tuner/measure/call.h"
#include "tuner/measure/check.h"
#include "tuner/measure/jit.h"
#include "tuner/measure/request.h"

namespace swgen::tuner {
namespace {

using RunFunction = void (*)(void**, void*, const long*, const long*, int);

void run_call(Call& call, RunFunction f, int threads) {
  f(call.tensors(), call.workspace(), call.begin(), call.end(), threads);
}

MeasureReply measure(const MeasureRequest& r) {
  MeasureReply reply;
  std::string error;
  const Call::Clock::time_point start = Call::Clock::now();
  const auto code = r.compiler.empty()
                        ? jit_compile(r.bundle.candidate, r.level, error)
                        : command_compile(r.bundle.candidate, r.level, r.compiler, error);
  const auto run = code ? reinterpret_cast<RunFunction>(code->symbol("candidate_run")) : nullptr;
  const auto pack = code ? reinterpret_cast<Call::PackFunction>(code->symbol("candidate_pack")) : nullptr;
  reply.compile_seconds = Call::seconds_since(start);
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
      run_call(call, run, threads);
      reply.digest = digest(r.bundle.arguments.back(), r.bundle.dtype, call.output());
      if (reply.digest == r.expected_digest) continue;
      reply.reason = compare(r, call.output(), kPoints);
      if (!reply.reason.empty()) {
        reply.verdict = "wrong";
        return reply;
      }
    }
    if (!r.output_file.empty() &&
        !save_plain(r.bundle.arguments.back(), r.bundle.dtype, call.output(), r.output_file)) {
      reply.verdict = "crashed";
      reply.reason = "cannot write " + r.output_file;
      return reply;
    }
  }
  Call call(r, pack, false);
  reply.pack_seconds = call.pack_seconds();
  run_call(call, run, r.threads);
  const std::string second = digest(r.bundle.arguments.back(), r.bundle.dtype, call.output());
  if (second != reply.digest) {
    reply.verdict = "wrong";
    reply.reason = "two runs on the same data differ";
    return reply;
  }
  reply.verdict = "ok";
  double total = 0;
  while (r.time && (total < r.least_seconds || static_cast<int>(reply.samples.size()) < r.least_runs)) {
    const Call::Clock::time_point begin = Call::Clock::now();
    run_call(call, run, r.threads);
    reply.samples.push_back(Call::seconds_since(begin));
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
  swgen::tuner::MeasureReply reply;
  try {
    reply = swgen::tuner::measure(*request);
  } catch (const std::exception& e) {  // no memory
    reply.verdict = "crashed";
    reply.reason = e.what();
  }
  std::cout << swgen::tuner::to_json(reply) << std::endl;
  return 0;
}
