// SPDX-License-Identifier: Apache-2.0
// Machines with caches: micro-kernel throughput from its instructions, bytes per cache level from the
// distance at which each operand's tile is used again, and the packing traffic.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "tuner/model/model.h"
#include "tuner/model/nest.h"
#include "tuner/space/contraction_view.h"

namespace swgen::tuner {
namespace {

using base::cat;

/// Sizes that a tile takes: whole, and cut at the end of its iterator; with how often each occurs.
std::vector<std::pair<int64_t, double>> sizes(const Nest& nest, const NestPart& p) {
  const int64_t extent = nest.contraction->iters[p.iter].extent;
  const int64_t span = p.extent * p.stride;
  const int64_t whole = extent / span, rest = (extent % span + p.stride - 1) / p.stride;
  std::vector<std::pair<int64_t, double>> out;
  if (whole > 0) out.emplace_back(p.extent, static_cast<double>(whole));
  if (rest > 0) out.emplace_back(rest, 1.0);
  return out;
}

class CachedModel {
 public:
  CachedModel(const ir::Seed& seed, const Nest& nest, const target::Target& t, int threads)
      : seed_(seed), nest_(nest), t_(t), threads_(threads) {
    element_ = ir::size_of(seed.dtype);
    lanes_ = t.lanes(seed.dtype);
    const double peak = seed.dtype == ir::DType::f32 ? t.peak_gflops : t.peak_gflops_f64;
    vector_ = 2 * static_cast<double>(lanes_) * t.clock_ghz / peak;
    conflict_ = row_conflicts();
    pages_ = page_misses();
  }

  Prediction predict() {
    Prediction p;
    const double speedup = parallel_speedup();
    const double compute = compute_seconds() / speedup;
    const double first = fill_seconds(0) / speedup, second = fill_seconds(1) / speedup;
    const double packing = packing_seconds();
    const double memory = static_cast<double>(ir::compulsory_bytes(seed_)) / (t_.cache_gbps[memory_level()] * 1e9);
    p.seconds = compute + 0.2 * first + 0.35 * second + packing + 0.3 * memory;
    p.low = 0.7 * p.seconds;
    p.high = 1.6 * p.seconds;
    p.terms = {{"micro-kernel", compute, compute_detail_},
               {"L1 from L2", first, "a fifth is not hidden behind arithmetic"},
               {"L2 from L3", second, "a third is not hidden"},
               {"packing", packing, cat(packed_bytes_, " bytes moved")},
               {"compulsory", memory, cat(ir::compulsory_bytes(seed_), " bytes, a third is not hidden")}};
    return p;
  }

 private:
  size_t memory_level() const {
    const int64_t bytes = ir::compulsory_bytes(seed_);
    for (size_t l = 1; l < t_.cache_bytes.size(); ++l)
      if (bytes < t_.cache_bytes[l]) return l;
    return t_.cache_bytes.size();
  }

  /// Cycles of one step of K for a register tile: multiply-adds, their latency, loads.
  double cycles_per_k(double rows, double vectors) const {
    if (nest_.lanes == ir::Lanes::k)  // each operand one load, all lanes in order
      return std::max({rows * vectors * vector_, 4.0, (rows + vectors) * vector_}) +
             std::max(0.0, rows * vectors + vectors + 1 - t_.vector_registers) * 2;
    const double conflicts = rows * conflict_;
    const double arithmetic = rows * vectors * vector_;
    const double latency = 4.0;
    const double loads = vectors * vector_ + rows * 0.5;
    const double spill = std::max(0.0, rows * vectors + 2 - t_.vector_registers) * 2;
    return std::max({arithmetic, latency, loads, 0.25 * (rows * vectors + rows + vectors)}) + spill + conflicts + pages_;
  }

  /// Rows of an unpacked second operand that lie on a page each miss the first-level TLB.
  double page_misses() const {
    const auto& c = *nest_.contraction;
    const ir::Access& b = row_tensor() == c.a.tensor ? c.b : c.a;
    for (const NestStage& s : nest_.stages)
      if (s.tensor == b.tensor) return 0;
    if (nest_.k.empty()) return 0;
    const int64_t bytes = view_of(seed_, nest_.layouts).stride(b, nest_.k.back().iter) * element_;
    return bytes >= 2048 && nest_.k.back().extent > 48 ? 4.0 : 0.0;
  }

  /// Rows a power of two apart share few sets of L1: their loads come from L2, about a cycle each.
  double row_conflicts() const {
    for (const NestStage& s : nest_.stages)
      if (s.tensor == row_tensor()) return 0;
    if (nest_.m.empty()) return 0;
    const ContractionView view = view_of(seed_, nest_.layouts);
    const ir::Access& a = row_tensor() == nest_.contraction->a.tensor ? nest_.contraction->a : nest_.contraction->b;
    const int64_t bytes = view.stride(a, nest_.m.back().iter) * nest_.m.back().stride * element_;
    if (bytes <= 64) return 0;
    const int64_t sets = 4096 / std::gcd(bytes, int64_t{4096});
    return static_cast<double>(nest_.tile(nest_.m)) / static_cast<double>(sets) > 5 ? 1.0 : 0.0;
  }

  /// The operand that the rows index.
  int row_tensor() const {
    const auto& c = *nest_.contraction;
    return !nest_.m.empty() && !nest_.indexes(c.a.tensor, nest_.m.back().iter) ? c.b.tensor : c.a.tensor;
  }

  double compute_seconds() {
    // Every combination of whole and cut tiles in M and N; loops outside repeat them.
    double calls = 1;
    std::vector<int> tiled;
    for (const auto* tiles : {&nest_.m, &nest_.n})
      for (const NestPart& p : *tiles) tiled.push_back(p.iter);
    for (size_t i = 0; i < nest_.contraction->iters.size(); ++i)
      if (!ir::is_reduction(*nest_.contraction, static_cast<int>(i)) &&
          std::find(tiled.begin(), tiled.end(), static_cast<int>(i)) == tiled.end())
        calls *= static_cast<double>(nest_.contraction->iters[i].extent);
    double k = 1, k_calls = 1;
    for (size_t i = 0; i < nest_.contraction->iters.size(); ++i)
      if (ir::is_reduction(*nest_.contraction, static_cast<int>(i)))
        k *= static_cast<double>(nest_.contraction->iters[i].extent);
    for (const NestPart& p : nest_.loops)
      if (ir::is_reduction(*nest_.contraction, p.iter)) k_calls *= static_cast<double>(p.extent);

    double cycles = 0;
    std::function<void(size_t, double, double)> rows = [&](size_t i, double count, double r) {
      if (i == nest_.m.size()) {
        columns(count, r, k, k_calls, cycles);
        return;
      }
      for (const auto& [size, times] : sizes(nest_, nest_.m[i])) rows(i + 1, count * times, r * static_cast<double>(size));
    };
    rows(0, calls, 1);
    compute_detail_ = cat(nest_.tile(nest_.m), " rows x ", nest_.tile(nest_.n), nest_.lanes == ir::Lanes::k ? " columns, lanes along K " : " lanes, K ", k / k_calls);
    return cycles * data_share() / (t_.clock_ghz * 1e9);
  }

  /// Share of the multiply-adds that is done; the rest would read padding.
  double data_share() const {
    double all = 1;
    for (const ir::Iter& i : nest_.contraction->iters) all *= static_cast<double>(i.extent);
    return static_cast<double>(nest_.multiply_adds()) / all;
  }

  void columns(double count, double r, double k, double k_calls, double& cycles) const {
    double times = 1;
    const double width = static_cast<double>(nest_.tile(nest_.n));
    std::vector<int> seen;
    for (const NestPart& p : nest_.n) {
      if (std::find(seen.begin(), seen.end(), p.iter) != seen.end()) continue;
      seen.push_back(p.iter);
      double span = 1;
      for (const NestPart& q : nest_.n)
        if (q.iter == p.iter) span *= static_cast<double>(q.extent);
      times *= std::ceil(static_cast<double>(nest_.contraction->iters[p.iter].extent) / span);
    }
    const bool dots = nest_.lanes == ir::Lanes::k;
    const double lanes = static_cast<double>(lanes_);
    const double vectors = std::max(1.0, dots ? width : width / lanes);
    const double steps = dots ? std::ceil(k / k_calls / lanes) : k / k_calls;
    // Stores; dot products add up their lanes first.
    const double per_call = steps * cycles_per_k(r, vectors) + 30 + (dots ? 4.0 : 2.0) * r * vectors;
    cycles += count * times * k_calls * per_call;
  }

  /// Seconds in which `level` of the caches is filled from the one below. The outermost loops whose
  /// body's working set fits keep it; around them every operand comes again, unless the loops directly
  /// outside do not index it.
  double fill_seconds(size_t level) const {
    const auto& c = *nest_.contraction;
    const std::vector<const ir::Access*> operands = {&c.a, &c.b, &c.out};
    const double room = 0.8 * static_cast<double>(t_.cache_bytes[level]);
    const auto working_set = [&](int depth) {
      double bytes = 0;
      for (const ir::Access* o : operands) bytes += footprint(*o, depth);
      return bytes;
    };
    int depth = static_cast<int>(nest_.loops.size());
    while (depth > 0 && working_set(depth - 1) <= room) --depth;
    double bytes = 0;
    for (const ir::Access* o : operands) {
      int again = depth;
      while (again > 0 && !nest_.indexes(o->tensor, nest_.loops[again - 1].iter)) --again;
      const double times = static_cast<double>(nest_.trips(again));
      // Written back as well; blocks of the reduction read it first.
      bytes += footprint(*o, depth) * times * (o == &c.out ? 2 : 1);
    }
    const size_t below = std::min(level + 1, t_.cache_gbps.size() - 1);
    return bytes / (t_.cache_gbps[below] * 1e9);
  }

  /// Bytes of an operand that the body below the first `depth` loops touches.
  double footprint(const ir::Access& access, int depth) const {
    double bytes = static_cast<double>(element_);
    for (const ir::AffineIndex& index : access.index) {
      int64_t extent = 1;
      for (const auto& [i, c] : index.terms) {
        int64_t reach = 0;
        const auto add = [&](const NestPart& p) {
          if (p.iter == i) reach += (p.extent - 1) * p.stride;
        };
        for (size_t l = depth; l < nest_.loops.size(); ++l) add(nest_.loops[l]);
        for (const auto* tiles : {&nest_.m, &nest_.n, &nest_.k})
          for (const NestPart& p : *tiles) add(p);
        extent += std::abs(c) * std::min(reach, nest_.contraction->iters[i].extent - 1);
      }
      bytes *= static_cast<double>(extent);
    }
    return bytes;
  }

  double packing_seconds() {
    double bytes = 0;
    for (const NestStage& s : nest_.stages) {
      if (s.prepacked) continue;
      double share = 1;  // what stands below the parallel loops is shared out
      for (int l = 0; l < s.depth; ++l)
        if (nest_.loops[l].parallel) share = static_cast<double>(threads_);
      bytes += static_cast<double>(s.trips * s.elements * element_) / share;
    }
    packed_bytes_ = static_cast<int64_t>(bytes);
    return bytes / 10e9 + static_cast<double>(nest_.gather_elements * element_) / 5e9 / threads_;
  }

  double parallel_speedup() const {
    if (threads_ == 1) return 1;
    double work = 1;
    bool any = false;
    for (const NestPart& p : nest_.loops)
      if (p.parallel) {
        work *= static_cast<double>(p.extent);
        any = true;
      }
    if (!any) return 1;
    return work / std::ceil(work / threads_);
  }

  const ir::Seed& seed_;
  const Nest& nest_;
  const target::Target& t_;
  int threads_;
  int64_t element_ = 4, lanes_ = 1, packed_bytes_ = 0;
  double vector_ = 0.5;  // cycles per multiply-add of a vector, and per load of one: as many units for both
  double conflict_ = 0, pages_ = 0;
  std::string compute_detail_;
};

}  // namespace

Prediction predict_cached(const ir::Seed& seed, const schedule::Schedule& schedule,
                          const target::Target& target, int threads) {
  const Nest nest = read_nest(seed, schedule);
  Prediction p = CachedModel(seed, nest, target, threads).predict();
  p.work = count_work(seed, schedule, target);
  return p;
}

}  // namespace swgen::tuner
