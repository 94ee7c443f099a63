// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/calibrate.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <thread>

#include "compiler/base/text.h"
#include "tuner/measure/measure.h"

namespace swgen::tuner {
namespace {

using base::cat;

int64_t vector_bytes(const std::string& level) { return level == "avx512" ? 64 : level == "avx2" ? 32 : 16; }

/// A candidate without tensors but its output: `body` works on `T* own` of two elements in every
/// thread. The worker's samples are its seconds.
MeasureRequest probe(const std::string& level, ir::DType dtype, int threads, const std::string& body) {
  const std::string type = dtype == ir::DType::f32 ? "float" : "double";
  MeasureRequest r;
  r.bundle.symbol = "probe";
  r.bundle.dtype = dtype;
  r.bundle.candidate =
      cat("typedef ", type, " vec __attribute__((vector_size(", vector_bytes(level), "), aligned(", ir::size_of(dtype),
          "), may_alias));\nstatic void burn(", type, "* own) {\n", body,
          "}\nextern \"C\" void candidate_run(void** t, void*, const long*, const long*, int threads) {\n  ", type,
          "* out = (", type, "*)t[1];\n  out[0] = 0; out[1] = 0;\n#pragma omp parallel num_threads(threads)\n  { ", type,
          " own[2] = {", type, "(0.5), ", type, "(0.25)}; burn(own); if (own[0] == 12345) out[0] = 1; }\n}\n");
  ir::Contraction c;
  c.iters = {{"i", 2}, {"r", 1}};
  const ir::Access vector = {1, {ir::AffineIndex{0, {{0, 1}}}}};
  c.out = {0, {ir::AffineIndex{0, {{0, 1}}}}};
  c.a = c.b = vector;
  c.a.index[0].constant = c.b.index[0].constant = 2;  // outside: the expected output is zero
  r.reference.tensors = {{"Y", ir::Role::output, {"i"}, {2}, "", false}, {"X", ir::Role::input, {"i"}, {2}, "", false}};
  r.reference.stages.push_back({"probe", c});
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
  return r;
}

/// The fastest sample; 0 when there is none.
double fastest(const std::string& worker, const MeasureRequest& request) {
  const MeasureReply reply = measure(worker, request, {});
  if (reply.verdict != "ok" || reply.samples.empty()) return 0;
  return *std::min_element(reply.samples.begin(), reply.samples.end());
}

/// GHz, GFLOP/s or GB/s of a core.
bool plausible(double number) { return number > 0.01 && number < 1e5; }

double rate(double amount, double seconds) { return seconds > 0 ? amount / seconds / 1e9 : 0; }

/// A chain of an addition and an exclusive or, one cycle each on every core of the last decades.
double measure_clock(const std::string& worker, const std::string& level) {
  constexpr int64_t kSteps = 10000000;
  const std::string body = cat(
      "  long x = (long)own[0], k = (long)own[1] + 1;\n  for (long i = 0; i < ", kSteps,
      "; ++i) { x = (x + k) ^ i; __asm__(\"\" : \"+r\"(x)); }\n  own[0] = x == 42 ? 12345 : 1;\n");
  return rate(2.0 * kSteps, fastest(worker, probe(level, ir::DType::f32, 1, body)));
}

/// Reads a buffer again and again, a vector at a time into eight sums.
double measure_bandwidth(const std::string& worker, const std::string& level, int64_t bytes) {
  const int64_t vectors = bytes / vector_bytes(level) / 8 * 8;
  const int64_t again = std::max<int64_t>(2, (int64_t{64} << 20) / bytes);
  std::string sums, adds, total;
  for (int i = 0; i < 8; ++i) {
    sums += cat(i > 0 ? ", " : "", "s", i, " = {}");
    adds += cat(" s", i, " += p[i + ", i, "];");
    total += cat(i > 0 ? " + " : "", "s", i);
  }
  const std::string body = cat(
      "  static float* buffer = nullptr;\n  if (buffer == nullptr) {\n    buffer = (float*)aligned_alloc(4096, ",
      (bytes + 4095) / 4096 * 4096, ");\n    for (long i = 0; i < ", bytes / 4, "; ++i) buffer[i] = 0;\n  }\n  const vec* p = (const vec*)buffer;\n  vec ",
      sums, ";\n  for (long r = 0; r < ", again, "; ++r) {\n    for (long i = 0; i < ", vectors, "; i += 8) {", adds,
      " }\n    __asm__ volatile(\"\" : : : \"memory\");\n  }\n  const vec s = ", total, ";\n  own[0] = s[0] == 42 ? 12345 : 1;\n");
  MeasureRequest request = probe(level, ir::DType::f32, 1, body);
  request.bundle.candidate = "extern \"C\" void* aligned_alloc(unsigned long, unsigned long);\n" + request.bundle.candidate;
  return rate(static_cast<double>(vectors * vector_bytes(level) * again), fastest(worker, request));
}

}  // namespace

double measure_peak(const std::string& worker, const std::string& level, ir::DType dtype, int threads) {
  // Independent multiply-adds in as many registers as hide their latency.
  // With more threads than processors each gets its share of the steps.
  const int64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const int64_t steps = 2000000 * cores / std::max<int64_t>(cores, threads);
  const int accumulators = level == "avx512" ? 24 : 12;
  const std::string type = dtype == ir::DType::f32 ? "float" : "double";
  std::string names, fmas, sum;
  for (int i = 0; i < accumulators; ++i) {
    names += cat(i > 0 ? ", " : "", "a", i, " = x * ", type, "(", i + 1, ")");
    fmas += cat(" a", i, " = a", i, " * x + y;");
    sum += cat(i > 0 ? " + " : "", "a", i);
  }
  MeasureRequest request = probe(level, dtype, threads,
                                 cat("  const vec x = own[0] - vec{}, y = own[1] - vec{};\n  vec ", names, ";\n  for (long i = 0; i < ",
                                     steps, "; ++i) {", fmas, " }\n  const vec s = ", sum, ";\n  own[0] = s[0];\n"));
  request.least_seconds = 0.2;
  request.least_runs = 7;
  // Three processes: now and then the threads of one share a core all the while.
  double least = 0;
  for (int i = 0; i < (threads > 1 ? 3 : 1); ++i) {
    const double seconds = fastest(worker, request);
    if (seconds <= 0) return 0;
    if (least == 0 || seconds < least) least = seconds;
  }
  const int64_t lanes = vector_bytes(level) / ir::size_of(dtype);
  return rate(2.0 * steps * accumulators * static_cast<double>(lanes * threads), least);
}

target::Target Calibration::apply(target::Target t) const {
  const auto set = [&](const char* name, auto& number, const auto& measured) {
    if (std::find(t.given.begin(), t.given.end(), name) == t.given.end()) number = measured;
  };
  set("clock_ghz", t.clock_ghz, clock_ghz);
  set("peak_gflops", t.peak_gflops, peak_gflops);
  set("peak_gflops_f64", t.peak_gflops_f64, peak_gflops_f64);
  set("cache_gbps", t.cache_gbps, cache_gbps);
  set("memory_gbps", t.memory_gbps, cache_gbps.back());
  return t;
}

std::optional<Calibration> calibrate(const std::string& worker, const target::Target& t) {
  Calibration c;
  c.clock_ghz = measure_clock(worker, t.level);
  c.peak_gflops = measure_peak(worker, t.level, ir::DType::f32, 1);
  c.peak_gflops_f64 = measure_peak(worker, t.level, ir::DType::f64, 1);
  // Half of each level, so that it stays there; of a large last level what one core uses of it.
  constexpr int64_t kMost = int64_t{32} << 20;
  for (int64_t bytes : t.cache_bytes) c.cache_gbps.push_back(measure_bandwidth(worker, t.level, std::min(bytes / 2, kMost)));
  c.cache_gbps.push_back(measure_bandwidth(worker, t.level, int64_t{512} << 20));
  for (double number : {c.clock_ghz, c.peak_gflops, c.peak_gflops_f64, *std::min_element(c.cache_gbps.begin(), c.cache_gbps.end())})
    if (!plausible(number)) return std::nullopt;
  return c;
}

std::string to_text(const Calibration& c) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{{"clock_ghz", c.clock_ghz},
                                                                         {"peak_gflops", c.peak_gflops},
                                                                         {"peak_gflops_f64", c.peak_gflops_f64},
                                                                         {"cache_gbps", llvm::json::Array(c.cache_gbps)}});
  return text;
}

std::optional<Calibration> parse_calibration(const std::string& text) {
  auto value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object* o = value->getAsObject();
  const llvm::json::Array* rates = o == nullptr ? nullptr : o->getArray("cache_gbps");
  if (rates == nullptr || rates->empty()) return std::nullopt;
  Calibration c;
  for (const auto& [key, field] : {std::pair{"clock_ghz", &c.clock_ghz}, {"peak_gflops", &c.peak_gflops}, {"peak_gflops_f64", &c.peak_gflops_f64}}) {
    *field = o->getNumber(key).getValueOr(0);
    if (!plausible(*field)) return std::nullopt;
  }
  for (const llvm::json::Value& rate : *rates) {
    c.cache_gbps.push_back(rate.getAsNumber().getValueOr(0));
    if (!plausible(c.cache_gbps.back())) return std::nullopt;
  }
  return c;
}

}  // namespace swgen::tuner
