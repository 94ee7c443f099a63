// SPDX-License-Identifier: Apache-2.0
// Machines with scratchpads, in the form of swATOP (Gao et al., ICPP 2019, 4.6) with two changes: the
// larger of transfer and arithmetic is taken per pipeline step, not once for the whole, and transfers
// that nothing hides are charged on top.
#include <algorithm>
#include <cmath>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "tuner/model/model.h"
#include "tuner/model/nest.h"
#include "tuner/model/tables.h"
#include "tuner/space/contraction_view.h"

namespace swgen::tuner {
namespace {

using base::cat;

/// A side of the primitive: extents it takes, rounded up to the primitive's unit, with their counts.
struct SideSizes {
  int64_t whole = 1;                                   // of a full tile, not rounded
  int64_t total = 1;                                   // of the iterators
  std::vector<std::pair<int64_t, double>> sizes;       // rounded extent, how many
  double count() const {
    double n = 0;
    for (const auto& [size, times] : sizes) n += times;
    return n;
  }
  double mean() const { return static_cast<double>(total) / count(); }
};

class ScratchModel {
 public:
  ScratchModel(const ir::Seed& seed, const Nest& nest, const target::Target& t)
      : seed_(seed), nest_(nest), t_(t), view_(view_of(seed, nest.layouts)) {
    element_ = static_cast<double>(ir::size_of(seed.dtype));
    const target::MeshGemm& rule = t.mesh_gemm;
    m_ = side(nest.m, nest.lanes == ir::Lanes::m ? rule.lanes_multiple : rule.other_multiple);
    n_ = side(nest.n, nest.lanes == ir::Lanes::m ? rule.other_multiple : rule.lanes_multiple);
    k_ = side(nest.k, rule.k_multiple);
    cycle_ = 1 / (t.clock_ghz * 1e9);
  }

  Prediction predict() {
    const auto& c = *nest_.contraction;
    const NestStage &a = stage(c.a.tensor), &b = stage(c.b.tensor), &out = stage(c.out.tensor);
    const double steps = static_cast<double>(nest_.trips(static_cast<int>(nest_.loops.size())));
    const double gemm = gemm_seconds();
    const Move move_a = move(c.a, m_, k_), move_b = move(c.b, n_, k_), move_c = move(c.out, m_, n_);
    const double trips_a = static_cast<double>(a.trips), trips_b = static_cast<double>(b.trips),
                 trips_c = static_cast<double>(out.trips);
    const double spread = trips_a * move_a.spread + trips_b * move_b.spread;
    const double compute = (gemm + spread) / steps;

    // Steps that fetch both operands, one, or none; each hides its transfers behind its arithmetic.
    const double both = std::min(trips_a, trips_b), one = std::fabs(trips_a - trips_b);
    const double single = trips_a > trips_b ? move_a.transfer : move_b.transfer;
    const double pipeline = both * std::max(compute, move_a.transfer + move_b.transfer) +
                            one * std::max(compute, single) + (steps - both - one) * compute;
    const double first = move_a.transfer + move_b.transfer;
    const double output = trips_c * (move_c.transfer + move_c.spread);
    const double gather = gather_seconds();
    const double launch = 10e-6 * static_cast<double>(seed_.stages.size());

    Prediction p;
    p.seconds = pipeline + first + output + gather + launch;
    p.low = 0.75 * p.seconds;
    p.high = 1.3 * p.seconds;
    p.terms = {
        {"pipeline", pipeline, cat(steps, " steps of ", nest_.tile(nest_.m), " x ", nest_.tile(nest_.n), " x ", nest_.tile(nest_.k))},
        {"  primitive", gemm, "hidden in the pipeline"},
        {"  widening", spread, "hidden in the pipeline"},
        {"  transfers in", trips_a * move_a.transfer + trips_b * move_b.transfer,
         cat("blocks of ", move_a.block, " and ", move_b.block, " bytes; hidden where shorter than a step")},
        {"first tiles", first, "nothing hides them"},
        {"output", output, cat(trips_c, " tiles in blocks of ", move_c.block, " bytes")},
        {"gather", gather, "im2col before the contraction"},
        {"launch", launch, "start and join of the cores"}};
    return p;
  }

 private:
  struct Move {
    double transfer = 0;  // seconds per tile between memory and scratch
    double spread = 0;    // seconds per tile of widening or narrowing
    int64_t block = 0;    // bytes
  };

  SideSizes side(const std::vector<NestPart>& parts, int64_t unit) const {
    SideSizes s;
    const auto round = [&](int64_t e) { return (e + unit - 1) / unit * unit; };
    int64_t inner = 1;
    for (const NestPart& p : parts) s.whole *= p.extent;
    for (size_t i = 1; i < parts.size(); ++i) inner *= parts[i].extent;
    if (parts.empty()) {
      s.sizes = {{unit, 1.0}};
      return s;
    }
    const int64_t extent = nest_.contraction->iters[parts[0].iter].extent;
    s.total = extent * inner;
    const int64_t whole = extent / parts[0].extent, rest = extent % parts[0].extent;
    if (whole > 0) s.sizes.emplace_back(round(s.whole), static_cast<double>(whole));
    if (rest > 0) s.sizes.emplace_back(round(rest * inner), 1.0);
    return s;
  }

  const NestStage& stage(int tensor) const {
    for (const NestStage& s : nest_.stages)
      if (s.tensor == tensor) return s;
    throw base::Infeasible(seed_.tensors[tensor].name + " is not staged in the scratchpad");
  }

  /// Cycles of one call, operands in scratch: measured points of the published primitive (J. Fang,
  /// PhD thesis, Tsinghua 2019, Fig. 4.8) follow this form, v the vectorized extent, w the other.
  static double primitive_cycles(double v, double w, double k) {
    return 8 * ((v / 128) * (w / 32) * (17 * k / 8 + 63) + 14 * v / 128) + 442;
  }

  double gemm_seconds() const {
    double outside = 1;  // loops whose iterators are on no side
    std::vector<bool> on_side(nest_.contraction->iters.size(), false);
    for (const auto* tiles : {&nest_.m, &nest_.n, &nest_.k})
      for (const NestPart& p : *tiles) on_side[p.iter] = true;
    for (size_t i = 0; i < on_side.size(); ++i)
      if (!on_side[i]) outside *= static_cast<double>(nest_.contraction->iters[i].extent);
    double cycles = 0;
    for (const auto& [m, cm] : m_.sizes)
      for (const auto& [n, cn] : n_.sizes)
        for (const auto& [k, ck] : k_.sizes) {
          const double v = static_cast<double>(nest_.lanes == ir::Lanes::m ? m : n), w = static_cast<double>(nest_.lanes == ir::Lanes::m ? n : m);
          cycles += cm * cn * ck * primitive_cycles(v, w, static_cast<double>(k));
        }
    return outside * cycles * cycle_;
  }

  /// One tile of an operand with the two sides; the side that is contiguous in memory is the run.
  Move move(const ir::Access& access, const SideSizes& first, const SideSizes& second) const {
    const bool first_runs = innermost_stride(access, first) == 1;
    const SideSizes &run = first_runs ? first : second, &rows = first_runs ? second : first;
    const double length = std::max(1.0, std::min(run.mean(), std::ceil(static_cast<double>(run.sizes[0].first) / 8)));
    Move m;
    m.block = static_cast<int64_t>(length * element_);
    const double bytes = run.mean() * rows.mean() * element_;
    m.transfer = 200 * cycle_ + bytes / strided_dma_rate(length * element_);
    // Spread over the tile as double: two accesses for four elements, or three for one when turned.
    const double elements = static_cast<double>(run.sizes[0].first) * static_cast<double>(rows.sizes[0].first) / 64;
    const bool lanes_run = &run == (nest_.lanes == ir::Lanes::m ? &m_ : &n_) || (&access == &nest_.contraction->a && &run == &m_) ||
                           (&access == &nest_.contraction->b && &run == &n_);
    m.spread = elements * (lanes_run ? 0.75 : 3.0) * cycle_;
    return m;
  }

  int64_t innermost_stride(const ir::Access& access, const SideSizes& s) const {
    const std::vector<NestPart>& parts = &s == &m_ ? nest_.m : &s == &n_ ? nest_.n : nest_.k;
    if (parts.empty()) return 0;
    return view_.stride(access, parts.back().iter) * parts.back().stride;
  }

  double gather_seconds() const {
    if (nest_.gather_elements == 0) return 0;
    // Rows of the output matrix: read with its run, written whole; spread at one element a cycle.
    const double bytes = static_cast<double>(nest_.gather_elements) * element_;
    const double row = static_cast<double>(seed_.tensors[nest_.contraction->a.tensor].extents.back()) * element_;
    return 2 * bytes / strided_dma_rate(row) + static_cast<double>(nest_.gather_elements) / 64 * 2 * cycle_;
  }

  const ir::Seed& seed_;
  const Nest& nest_;
  const target::Target& t_;
  ContractionView view_;
  double element_ = 4, cycle_ = 0;
  SideSizes m_, n_, k_;
};

}  // namespace

Prediction predict_scratch(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target) {
  const Nest nest = read_nest(seed, schedule);
  const Work work = count_work(seed, schedule, target);
  if (work.scratch_bytes > target.scratch_bytes) throw base::Infeasible("the tiles do not fit the scratchpad");
  Prediction p = ScratchModel(seed, nest, target).predict();
  p.work = work;
  return p;
}

}  // namespace swgen::tuner
