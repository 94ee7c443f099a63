// SPDX-License-Identifier: Apache-2.0
// A mesh of cores with scratchpads, in closed form. As in swATOP (Gao et al., ICPP 2019, 4.6) the time of a step is the larger of
// arithmetic and transfers, but per step, with cut tiles of their own size, and with what nothing hides on top.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "tuner/model/mesh_costs.h"
#include "tuner/model/model.h"
#include "tuner/model/nest.h"
#include "tuner/space/contraction_view.h"

namespace swgen::tuner {
namespace {

using base::cat;

/// An extent of one side of the primitive, how many tiles have it, and what the primitive takes it for.
struct Cut {
  int64_t extent = 1, rounded = 1;
  double count = 1;
};

struct Side {
  const std::vector<NestPart>* parts = nullptr;
  std::vector<Cut> cuts;  // whole tiles, then the rest
};

class ScratchModel {
 public:
  ScratchModel(const ir::Seed& seed, const Nest& nest, const target::Target& t, int groups)
      : seed_(seed), nest_(nest), t_(t), view_(view_of(seed, nest.layouts)), groups_(groups), costs_(mesh_costs()) {
    element_ = ir::size_of(seed.dtype);
    const target::MeshGemm& rule = t.mesh_gemm;
    const bool lanes_m = nest.lanes == ir::Lanes::m;
    m_ = side(nest.m, lanes_m ? rule.lanes_multiple : rule.other_multiple);
    n_ = side(nest.n, lanes_m ? rule.other_multiple : rule.lanes_multiple);
    k_ = side(nest.k, rule.k_multiple);
  }

  Prediction predict() {
    const auto& c = *nest_.contraction;
    const NestStage &a = stage(c.a.tensor), &b = stage(c.b.tensor), &out = stage(c.out.tensor);
    const double share = busiest_share(out.depth);
    const double steps = share * static_cast<double>(nest_.trips(static_cast<int>(nest_.loops.size())));
    const double trips_a = share * static_cast<double>(a.trips), trips_b = share * static_cast<double>(b.trips),
                 trips_c = share * static_cast<double>(out.trips);
    const double both = std::min(trips_a, trips_b) / steps, one = std::fabs(trips_a - trips_b) / steps;
    double cuts = 0;
    for (const Cut& m : m_.cuts)
      for (const Cut& n : n_.cuts)
        for (const Cut& k : k_.cuts) cuts += m.count * n.count * k.count;
    // Steps that fetch both operands, one, or none; each hides its transfers behind its arithmetic, and a tile of the output
    // leaves during the steps of the next.
    double pipeline = 0, gemm = 0, convert = 0, channel = 0, output = 0, narrow = 0, put = 0;
    const double round = costs_.round * static_cast<double>(nest_.loops.size() > 2 ? 2 : 1), steps_of_tile = steps / trips_c;
    for (const Cut& m : m_.cuts)
      for (const Cut& n : n_.cuts) {
        const Move move_c = move(c.out, m_, m, n_, n, true);
        double period = 0, moved = 0;  // of one tile of the output
        for (const Cut& k : k_.cuts) {
          const Move move_a = move(c.a, m_, m, k_, k, false), move_b = move(c.b, n_, n, k_, k, false);
          const bool larger_a = trips_a > trips_b;
          const double product = gemm_cycles(m.rounded, n.rounded, k.rounded) + round, single = larger_a ? move_a.channel : move_b.channel;
          const auto timed = [&](double core_a) {
            const double work_both = product + core_a + move_b.core, work_one = product + (larger_a ? core_a : move_b.core);
            return both * std::max(work_both, move_a.channel + move_b.channel) + one * std::max(work_one, single) + (1 - both - one) * product;
          };
          const double step = (1 - move_a.cut) * timed(move_a.core) + move_a.cut * timed(move_a.core_cut);
          const double core_a = (1 - move_a.cut) * move_a.core + move_a.cut * move_a.core_cut;
          const double in_tile = steps_of_tile * k.count / total(k_);
          period += in_tile * step;
          moved += in_tile * (both * (move_a.channel + move_b.channel) + one * single);
          const double times = steps * m.count * n.count * k.count / cuts;
          gemm += times * product;
          convert += times * (both * (core_a + move_b.core) + one * (larger_a ? core_a : move_b.core));
          channel += times * (both * (move_a.channel + move_b.channel) + one * single);
        }
        const double tiles = trips_c * m.count * n.count / (total(m_) * total(n_));
        const double hidden = std::max(0.0, period + move_c.core - moved);  // channel time that is left beside the gets
        pipeline += tiles * period;
        narrow += tiles * move_c.core;
        put += tiles * move_c.channel;
        output += tiles * (move_c.core + std::max(0.0, move_c.channel - hidden));
      }
    const Move first_a = move(c.a, m_, m_.cuts[0], k_, k_.cuts[0], false), first_b = move(c.b, n_, n_.cuts[0], k_, k_.cuts[0], false),
               last_c = move(c.out, m_, m_.cuts.back(), n_, n_.cuts.back(), true);
    const double first = first_a.channel + first_b.channel + t_.dma.get_start, last = last_c.channel + t_.dma.put_start;
    const double gather = gather_cycles(), launch = t_.launch_cycles * static_cast<double>(seed_.stages.size());

    const auto seconds = [&](double cycles) { return cycles / (t_.clock_ghz * 1e9); };
    Prediction p;
    p.seconds = seconds(pipeline + output + first + last + gather + launch);
    p.low = (1 - costs_.error) * p.seconds;
    p.high = (1 + costs_.error) * p.seconds;
    p.terms = {{"pipeline", seconds(pipeline), cat(std::llround(steps), " steps of ", m_.cuts[0].extent, " x ", n_.cuts[0].extent, " x ", k_.cuts[0].extent)},
               {"  primitive", seconds(gemm), "and the loops around; in the pipeline"},
               {"  conversion", seconds(convert), "widening of operands; in the pipeline"},
               {"  transfers in", seconds(channel), cat("blocks of ", first_a.block, " and ", first_b.block, " bytes; hidden where shorter than a step")},
               {"output", seconds(output), cat(std::llround(trips_c), " tiles in blocks of ", last_c.block, " bytes, ",
                                               std::llround(100 * (output - narrow) / std::max(1.0, put)), " % of their transfers not hidden")},
               {"first and last tiles", seconds(first + last), "nothing hides them"},
               {"gather", seconds(gather), "im2col before the contraction"},
               {"launch", seconds(launch), "start and join of the cores"}};
    p.limit = limit_of(pipeline + output + first + last + gather + launch, gemm, convert, channel + put, gather, launch, first_a.block, first_b.block);
    return p;
  }

 private:
  /// The largest of what can't overlap, in words.
  std::string limit_of(double all, double gemm, double convert, double channel, double gather, double launch, int64_t block_a, int64_t block_b) const {
    const auto percent = [&](double part) { return cat(std::llround(100 * part / all), " %"); };
    if (gather > 0.4 * all) return cat("im2col (", percent(gather), " of the time); a direct algorithm would lift it");
    if (launch > 0.4 * all) return cat("start and join of the cores (", percent(launch), " of the time); more work per call would lift it");
    if (channel > gemm + convert)
      return cat("the DMA channel (busy ", percent(channel), " of the time, blocks of ", block_a, " and ", block_b, " bytes); ",
                 std::min(block_a, block_b) < 2 * t_.dma.line_bytes ? "longer blocks and " : "", "larger output tiles, which use what is fetched more often, would lift it");
    const double floor = static_cast<double>(ir::flops(seed_)) / (t_.peak_gflops * 1e9) * t_.clock_ghz * 1e9 / groups_;
    return cat("the GEMM primitive (", percent(gemm), " of the time, at ", std::llround(100 * floor / gemm), " % of peak); longer sums per call, and extents that are multiples of its units, would lift it");
  }

  struct Move {
    double channel = 0;  // cycles of the DMA channel per tile
    double core = 0;     // cycles of a core per tile: places, requests, conversion
    double cut = 0, core_cut = 0;  // the part of the tiles whose runs a border cuts, and their cycles: no whole vectors, and zeros beside
    int64_t block = 0;   // bytes
  };

  static double total(const Side& s) {
    double n = 0;
    for (const Cut& c : s.cuts) n += c.count;
    return n;
  }

  Side side(const std::vector<NestPart>& parts, int64_t unit) const {
    Side s{&parts, {}};
    const auto round = [&](int64_t e) { return (e + unit - 1) / unit * unit; };
    int64_t inner = 1;
    for (size_t i = 1; i < parts.size(); ++i) inner *= parts[i].extent;
    if (parts.empty()) {
      s.cuts = {{1, unit, 1}};
      return s;
    }
    const int64_t extent = nest_.contraction->iters[static_cast<size_t>(parts[0].iter)].extent, tile = parts[0].extent;
    const int64_t whole = extent / tile, rest = extent % tile;
    if (whole > 0) s.cuts.push_back({tile * inner, round(tile * inner), static_cast<double>(whole)});
    if (rest > 0) s.cuts.push_back({rest * inner, round(rest * inner), 1});
    return s;
  }

  const NestStage& stage(int tensor) const {
    for (const NestStage& s : nest_.stages)
      if (s.tensor == tensor) return s;
    throw base::Infeasible(seed_.tensors[static_cast<size_t>(tensor)].name + " is not staged in the scratchpad");
  }

  /// The part of the output that the busiest of the core groups computes: cut along one loop around the output's tiles.
  double busiest_share(int depth) const {
    double best = 1;
    for (int l = 0; l < depth; ++l) {
      const NestPart& p = nest_.loops[static_cast<size_t>(l)];
      if (ir::is_reduction(*nest_.contraction, p.iter)) continue;
      best = std::min(best, std::ceil(static_cast<double>(p.extent) / groups_) / static_cast<double>(p.extent));
    }
    return best;
  }

  double gemm_cycles(int64_t m, int64_t n, int64_t k) const {
    const bool lanes_m = nest_.lanes == ir::Lanes::m;
    const double rows = static_cast<double>(lanes_m ? n : m) / 32, tiles = static_cast<double>(m * n) / (128 * 32);
    return costs_.gemm_call + rows * costs_.gemm_row + tiles * (costs_.gemm_tile + costs_.gemm_k * static_cast<double>(k) / 8);
  }

  /// Stride of parts as one index, -1 when they are not evenly spaced.
  int64_t flat_stride(const ir::Access& access, const std::vector<NestPart>& parts, size_t from) const {
    int64_t stride = 0, span = 0;
    for (size_t i = parts.size(); i-- > from;) {
      if (parts[i].extent == 1) continue;
      const int64_t c = view_.stride(access, parts[i].iter) * parts[i].stride;
      if (stride == 0) {
        stride = c;
        span = c * parts[i].extent;
      } else if (c == span) {
        span *= parts[i].extent;
      } else {
        return -1;
      }
    }
    return stride == 0 ? 1 : stride;
  }

  bool is_run(const ir::Access& access, const Side& s) const {
    const bool cut_inside = s.parts->size() > 1 && (*s.parts)[0].extent > 1 && cut_at_border(access, *s.parts) > 0;
    return s.cuts[0].extent == 1 || (flat_stride(access, *s.parts, 0) == 1 && !cut_inside);
  }
  bool is_segmented(const ir::Access& access, const Side& s) const {
    return s.parts->size() > 1 && (*s.parts)[0].extent > 1 && flat_stride(access, *s.parts, 1) == 1;
  }

  /// Lines that a block touches, over all places where one can begin.
  double lines_of(int64_t bytes, int64_t grid) const {
    const int64_t line = t_.dma.line_bytes, step = std::gcd(grid, line);
    double sum = 0;
    for (int64_t at = 0; at < line; at += step) sum += static_cast<double>((at + bytes - 1) / line + 1);
    return sum / static_cast<double>(line / step);
  }

  /// Bytes of which all addresses in the operand where a block begins are multiples.
  int64_t grid_of(const ir::Access& access, int64_t run_bytes) const {
    int64_t grid = std::gcd(t_.dma.line_bytes, run_bytes);
    const auto add = [&](const NestPart& p, int64_t inner) {
      if (p.extent > 1) grid = std::gcd(grid, view_.stride(access, p.iter) * p.stride * inner * element_);
    };
    for (const NestPart& p : nest_.loops) add(p, 1);
    for (const auto* parts : {&nest_.m, &nest_.n, &nest_.k})
      for (const NestPart& p : *parts)
        if (view_.stride(access, p.iter) * p.stride != 1) add(p, 1);
    for (const ir::AffineIndex& index : access.index)
      if (index.constant != 0 && !index.terms.empty())
        grid = std::gcd(grid, index.constant * view_.stride(access, index.terms[0].first) / index.terms[0].second * element_);
    return std::max<int64_t>(grid, element_);
  }

  Move move(const ir::Access& access, const Side& first, const Cut& first_cut, const Side& second, const Cut& second_cut, bool put) const {
    // The side that is contiguous in memory is the run; where none is, elements go one by one.
    const bool first_is = is_run(access, first), second_is = is_run(access, second);
    const bool first_runs = first_is && second_is ? first_cut.extent > second_cut.extent
                            : first_is || second_is ? first_is
                                                    : is_segmented(access, first);
    const bool segmented = !first_is && !second_is && (is_segmented(access, first) || is_segmented(access, second));
    const bool scattered = !first_is && !second_is && !segmented;
    const Side& run = first_runs ? first : second;
    const Cut &along = first_runs ? first_cut : second_cut, &rows = first_runs ? second_cut : first_cut;
    const int64_t share_run = along.rounded / 8, share_rows = rows.rounded / 8;
    const int64_t segment = segmented ? nest_.tile(*run.parts) / (*run.parts)[0].extent : along.extent;
    const int64_t block = scattered ? 1 : std::min({share_run, segment, along.extent});
    const double pieces = scattered ? static_cast<double>(along.extent)
                          : segment < share_run ? static_cast<double>(along.extent) / static_cast<double>(segment) +
                                                      (share_run % segment == 0 ? 0 : std::ceil(static_cast<double>(along.extent) / static_cast<double>(share_run)) - 1)
                                                : std::ceil(static_cast<double>(along.extent) / static_cast<double>(share_run));
    Move m;
    m.block = block * element_;
    const int64_t grid = scattered ? element_ : grid_of(access, m.block);
    const double blocks = pieces * static_cast<double>(rows.extent), lines = lines_of(m.block, grid);
    const bool single = !scattered && std::min(share_rows, rows.extent) == 1;
    double line = put      ? t_.dma.put
                  : single ? t_.dma.get_contiguous
                           : grid % t_.dma.line_bytes == 0 ? t_.dma.get_aligned : t_.dma.get_unaligned;
    m.channel = blocks * lines * line;
    if (put && !single) m.channel += blocks * std::min(lines, m.block % t_.dma.line_bytes == 0 && grid % t_.dma.line_bytes == 0 ? 0.0 : 2.0) * t_.dma.put;
    const double requests = scattered ? static_cast<double>(share_rows)
                                      : segmented ? std::ceil(static_cast<double>(share_run) / static_cast<double>(segment)) : 1;
    const double around = 2 * costs_.place + requests * t_.dma.issue;
    m.core = around + conversion(access, run, along, rows, share_run, share_rows, block, put);
    if (!put) {
      m.cut = cut_at_border(access, *run.parts);
      const auto share = static_cast<double>(share_run);
      m.core_cut = around + static_cast<double>(std::min(share_rows, rows.extent)) * share * costs_.scalar + static_cast<double>(share_rows) * share * costs_.zero;
    }
    return m;
  }

  /// Between the packed raw tile and the tile of doubles, which has `m` or `n` (the output: what has the lanes) contiguous.
  double conversion(const ir::Access& access, const Side& run, const Cut& along, const Cut& rows, int64_t share_run, int64_t share_rows,
                    int64_t block, bool put) const {
    const Side* fast = &access == &nest_.contraction->a ? &m_ : &access == &nest_.contraction->b ? &n_ : nest_.lanes == ir::Lanes::m ? &m_ : &n_;
    const double length = static_cast<double>(std::min(share_run, block)), lines = static_cast<double>(std::min(share_rows, rows.extent)),
                 pieces = static_cast<double>(share_run) / length, all = lines * static_cast<double>(share_run);
    const bool whole = along.extent % along.rounded == 0 && rows.extent % rows.rounded == 0;
    double cycles = whole || put ? 0 : static_cast<double>(share_run * share_rows) * costs_.zero;
    const bool vectors = block % 4 == 0 && share_run % 4 == 0;
    if (&run != fast)
      cycles += vectors && share_rows % 4 == 0 && rows.extent % rows.rounded == 0 ? all * costs_.turn + lines / 4 * costs_.turn_rows : all * costs_.scalar;
    else if (!vectors)
      cycles += all * costs_.scalar;
    else
      cycles += all * costs_.straight + pieces * costs_.call + (pieces == 1 ? 0 : lines * pieces * costs_.row);
    return cycles;
  }

  /// The part of all tiles in which the border of the tensor cuts runs along their fastest iterator: all taps but the middle one, in
  /// the tiles beside it.
  double cut_at_border(const ir::Access& access, const std::vector<NestPart>& parts) const {
    if (parts.empty() || view_.stride(access, parts.back().iter) != 1) return 0;
    const NestPart& fastest = parts.back();
    const int64_t extent = nest_.contraction->iters[static_cast<size_t>(fastest.iter)].extent;
    for (size_t d = 0; d < access.index.size(); ++d) {
      const ir::AffineIndex& index = access.index[d];
      if (index.coefficient(fastest.iter) == 0) continue;
      int64_t low = index.constant, high = index.constant;
      double taps = 1;
      for (const auto& [i, c] : index.terms) {
        (c < 0 ? low : high) += c * (nest_.contraction->iters[static_cast<size_t>(i)].extent - 1);
        if (i != fastest.iter) taps *= static_cast<double>(nest_.contraction->iters[static_cast<size_t>(i)].extent);
      }
      if (low >= 0 && high < seed_.tensors[static_cast<size_t>(access.tensor)].extents[d]) return 0;
      return (taps - 1) / taps * std::min(1.0, 2.0 * static_cast<double>(fastest.extent) / static_cast<double>(extent));
    }
    return 0;
  }

  double gather_cycles() const {
    if (nest_.gather_elements == 0) return 0;
    const ir::Tensor& matrix = seed_.tensors[static_cast<size_t>(nest_.contraction->a.tensor)];
    const int64_t v = matrix.extents.back(), u = std::max<int64_t>(1, std::min(matrix.extents.rbegin()[1], (40 << 10) / element_ / (2 * v)));
    const double items = std::ceil(static_cast<double>(nest_.gather_elements) / static_cast<double>(u * v)), rounds = std::ceil(items / 64);
    const double get = static_cast<double>(u) * lines_of(v * element_, element_) * t_.dma.get_unaligned, put = static_cast<double>(u * v * element_) / 128 * t_.dma.put;
    return rounds * (t_.dma.get_start + t_.dma.put_start + 64 * (get + put) + 8 * static_cast<double>(u * v));
  }

  const ir::Seed& seed_;
  const Nest& nest_;
  const target::Target& t_;
  ContractionView view_;
  int groups_;
  const MeshCosts& costs_;
  int64_t element_ = 4;
  Side m_, n_, k_;
};

}  // namespace

Prediction predict_scratch(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target, int groups) {
  const Nest nest = read_nest(seed, schedule);
  const Work work = count_work(seed, schedule, target);
  if (work.scratch_bytes > target.scratch_bytes) throw base::Infeasible("the tiles do not fit the scratchpad");
  Prediction p = ScratchModel(seed, nest, target, groups).predict();
  p.work = work;
  return p;
}

}  // namespace swgen::tuner
