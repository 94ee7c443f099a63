// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/measure.h"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <filesystem>

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::tuner {
namespace {

/// Independent multiply-adds in 12 or 24 registers, as a candidate without tensors but its output.
MeasureRequest peak_request(const std::string& level, ir::DType dtype, int threads) {
  const int64_t element = ir::size_of(dtype);
  const int64_t bytes = level == "avx512" ? 64 : level == "avx2" ? 32 : 16;
  const int accumulators = level == "avx512" ? 24 : 12;
  const std::string type = dtype == ir::DType::f32 ? "float" : "double";
  std::string names, fmas, sum;
  for (int i = 0; i < accumulators; ++i) {
    names += base::cat(i > 0 ? ", " : "", "a", i, " = x * ", type, "(", i + 1, ")");
    fmas += base::cat(" a", i, " = a", i, " * x + y;");
    sum += base::cat(i > 0 ? " + " : "", "a", i);
  }
  MeasureRequest r;
  r.bundle.symbol = "peak";
  r.bundle.dtype = dtype;
  r.bundle.candidate = base::cat(
      "typedef ", type, " vec __attribute__((vector_size(", bytes, "), aligned(", element, "), may_alias));\n",
      "static void burn(", type, "* out) {\n  const vec x = out[0] - vec{}, y = out[1] - vec{};\n  vec ", names,
      ";\n  for (long i = 0; i < 2000000; ++i) {", fmas, " }\n  const vec s = ", sum,
      ";\n  out[0] = s[0];\n}\n",
      "extern \"C\" void candidate_run(void** t, void*, const long*, const long*, int threads) {\n  ", type,
      "* out = (", type, "*)t[1];\n  out[0] = 0; out[1] = 0;\n",
      "#pragma omp parallel num_threads(threads)\n  { ", type, " own[2] = {", type, "(0.5), ", type,
      "(0.25)}; burn(own); if (own[0] == 12345) out[0] = 1; }\n}\n");
  ir::Contraction c;
  c.iters = {{"i", 2}, {"r", 1}};
  const ir::Access vector = {1, {ir::AffineIndex{0, {{0, 1}}}}};
  c.out = {0, {ir::AffineIndex{0, {{0, 1}}}}};
  c.a = c.b = vector;
  c.a.index[0].constant = c.b.index[0].constant = 2;  // outside: the expected output is zero
  r.reference.tensors = {{"Y", ir::Role::output, {"i"}, {2}, "", false}, {"X", ir::Role::input, {"i"}, {2}, "", false}};
  r.reference.stages.push_back({"peak", c});
  for (int t : {1, 0}) {
    codegen::Argument a;
    a.name = r.reference.tensors[t].name;
    a.role = r.reference.tensors[t].role;
    a.dims = {"i"};
    a.extents = {2};
    a.layout = ir::TensorLayout::plain(1);
    a.elements = 2;
    r.bundle.arguments.push_back(a);
  }
  r.level = level;
  r.threads = threads;
  r.least_seconds = 0.2;
  r.least_runs = 7;
  return r;
}

}  // namespace

std::string worker_path(const std::string& name) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& folder : {here, here.parent_path() / "lib/swgen"})
    if (std::filesystem::exists(folder / name)) return (folder / name).string();
  throw base::UserError("found no " + name + " beside the program, expected " + (here / name).string());
}

MeasureReply measure(const std::string& worker, const MeasureRequest& request,
                     const ProcessLimits& limits) {
  const ProcessResult result = run_process({worker}, to_json(request), limits);
  // That the worker is not there says nothing about the candidate.
  if (result.exit_code == 127 && result.output.empty())
    throw base::UserError("cannot start " + worker + ": " + result.errors);
  MeasureReply failed;
  if (result.timed_out) {
    failed.verdict = "timeout";
    failed.reason = base::cat("no answer within ", limits.seconds, " s");
    return failed;
  }
  if (const auto reply = parse_reply(result.output)) return *reply;
  failed.verdict = "crashed";
  failed.reason = result.signal != 0 ? base::cat("signal ", result.signal, " (", strsignal(result.signal), ")")
                                     : base::cat("exit code ", result.exit_code);
  if (!result.errors.empty()) failed.reason += ": " + result.errors.substr(0, 500);
  return failed;
}

double measure_peak(const std::string& worker, const std::string& level, ir::DType dtype, int threads) {
  const MeasureRequest request = peak_request(level, dtype, threads);
  // Three processes: now and then the threads of one share a core all the while.
  double least = 0;
  for (int i = 0; i < (threads > 1 ? 3 : 1); ++i) {
    const MeasureReply reply = measure(worker, request, {});
    if (reply.verdict != "ok" || reply.samples.empty()) return 0;
    const double fastest = *std::min_element(reply.samples.begin(), reply.samples.end());
    if (least == 0 || fastest < least) least = fastest;
  }
  const int64_t lanes = (level == "avx512" ? 64 : level == "avx2" ? 32 : 16) / ir::size_of(dtype);
  const double flops = 2.0 * 2000000 * (level == "avx512" ? 24 : 12) * lanes * threads;
  return flops / least / 1e9;
}

}  // namespace swgen::tuner
