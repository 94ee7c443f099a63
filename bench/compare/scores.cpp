// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/scores.h"

#include <algorithm>

namespace swgen::bench {
namespace {

using Value = std::optional<double>;

/// Median over rounds of a's GFLOP/s to b's.
double ratio(const Rounds& rounds, const std::string& a, const std::string& b) {
  const auto& of_a = rounds.gflops.at(a);
  const auto& of_b = rounds.gflops.at(b);
  std::vector<double> ratios;
  for (size_t i = 0; i < of_a.size(); ++i) ratios.push_back(of_a[i] / of_b[i]);
  return median(ratios);
}

double lowest_ratio(const Rounds& rounds, const std::vector<std::string>& compilers,
                    const std::string& peer) {
  double lowest = ratio(rounds, build_name(compilers.front()), peer);
  for (const std::string& compiler : compilers)
    lowest = std::min(lowest, ratio(rounds, build_name(compiler), peer));
  return lowest;
}

/// The kernels that a floor is about, and what is held against it.
struct Floor {
  const char* name;
  double least;
  bool (*applies)(const Comparison&);
  Value (*value)(const Scores&);
};

bool is_free_conv(const Comparison& c, int64_t kernel) {
  const frontend::Workload& w = c.workload;
  return w.op == "conv2d" && w.layout == frontend::Layout::any && w.value("kernel", 0) == kernel &&
         w.value("kernel", 1) == kernel;
}

bool is_matmul_1024(const Comparison& c) {
  const frontend::Workload& w = c.workload;
  if (w.op != "matmul" || w.value("batch") != 1) return false;
  return w.value("m") == 1024 && w.value("n") == 1024 && w.value("k") == 1024;
}

Value vs_onednn(const Scores& s) { return s.vs_onednn; }
Value vs_openblas(const Scores& s) { return s.vs_openblas; }
Value speedup(const Scores& s) { return s.speedup; }
/// 1 where both builds are equally fast, whichever is behind.
Value build_agreement(const Scores& s) {
  if (!s.build_ratio) return std::nullopt;
  return std::min(*s.build_ratio, 1 / *s.build_ratio);
}

constexpr Floor kFloors[] = {
    {"3x3 convolution / oneDNN", 0.90, [](const Comparison& c) { return is_free_conv(c, 3); },
     vs_onednn},
    {"1x1 convolution / oneDNN", 0.85, [](const Comparison& c) { return is_free_conv(c, 1); },
     vs_onednn},
    {"7x7 convolution / oneDNN", 0.75, [](const Comparison& c) { return is_free_conv(c, 7); },
     vs_onednn},
    {"matmul 1024^3 / OpenBLAS", 0.93, is_matmul_1024, vs_openblas},
    {"slower / faster compiler", 0.95, [](const Comparison& c) { return !c.plain_twin; },
     build_agreement},
    {"all threads / one thread", 1.70, [](const Comparison& c) { return !c.plain_twin; }, speedup},
};

}  // namespace

std::string build_name(const std::string& compiler) { return "swgen " + compiler; }
std::string one_thread_name(const std::string& compiler) {
  return build_name(compiler) + ", 1 thread";
}

Scores score(const Comparison& comparison, const std::vector<std::string>& compilers,
             const Rounds& rounds) {
  const auto median_of = [&](const std::string& name) { return median(rounds.gflops.at(name)); };
  Scores s;
  s.workload = comparison.workload.name;
  s.layout = frontend::name_of(comparison.workload.layout);
  s.schedule = comparison.kernel.schedule;
  s.plain_twin = comparison.plain_twin;
  s.disturbed = rounds.disturbed;
  s.noisy = rounds.noisy;
  if (rounds.gflops.count(kPeak) != 0) s.peak = median_of(kPeak);
  for (const std::string& compiler : compilers) {
    s.builds.emplace_back(compiler, median_of(build_name(compiler)));
    s.swgen = s.builds.size() == 1 ? s.builds[0].second : std::min(s.swgen, s.builds.back().second);
  }
  for (const PeerProgram& peer : comparison.peers) {
    if (rounds.gflops.count(peer.name) == 0) continue;
    const double gflops = median_of(peer.name);
    if (peer.library == "openblas") {
      s.openblas = gflops;
      s.vs_openblas = lowest_ratio(rounds, compilers, peer.name);
    } else if (!s.onednn || gflops > *s.onednn) {
      s.onednn = gflops;
      s.onednn_layout = peer.name.substr(peer.library.size() + 1);
      s.vs_onednn = lowest_ratio(rounds, compilers, peer.name);
    }
  }
  if (compilers.size() == 2)
    s.build_ratio = ratio(rounds, build_name(compilers[1]), build_name(compilers[0]));
  const std::string single = one_thread_name(compilers.front());
  if (rounds.gflops.count(single) != 0)
    s.speedup = ratio(rounds, build_name(compilers.front()), single);
  return s;
}

std::vector<FloorResult> judge(const std::vector<Comparison>& plan,
                               const std::vector<Scores>& scores) {
  std::vector<FloorResult> results;
  for (const Floor& floor : kFloors) {
    FloorResult result{floor.name, floor.least, 0, 0, 0, ""};
    for (size_t i = 0; i < plan.size(); ++i) {
      if (!floor.applies(plan[i])) continue;
      const Value value = floor.value(scores[i]);
      if (!value) continue;
      if (result.count++ == 0 || *value < result.worst) {
        result.worst = *value;
        result.worst_workload = scores[i].workload;
      }
      if (*value >= floor.least) ++result.passed;
    }
    results.push_back(result);
  }
  return results;
}

}  // namespace swgen::bench
