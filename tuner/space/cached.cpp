// SPDX-License-Identifier: Apache-2.0
// Schedules for machines with caches: which iterator fills the lanes, how many rows and vectors stay
// in registers, how far the reduction is blocked, which loop keeps what in which cache.
#include <algorithm>
#include <set>

#include "compiler/base/text.h"
#include "tuner/space/contraction_view.h"
#include "tuner/space/sketch.h"
#include "tuner/space/space.h"

namespace swgen::tuner {
namespace {

using base::cat;
using schedule::Step;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// What one candidate is built from. `order` picks the nest:
///   0  lanes outside, rows inside: a panel of the second operand stays in L1/L2
///   1  blocks of rows outside: a block of the first operand stays in L2
///   2  as BLIS: lane block, reduction block, row block, lanes, rows
struct Choices {
  int64_t layout = 0, lane = -1, staged_out = 0, order = 0, vectors = 1, row1 = 1, row2 = 1;
  int64_t reduction = 0;  // 0: whole
  int64_t row_block = 0, lane_block = 0, stage_a = 0, parallel = 0;

  std::vector<int64_t> list() const {
    return {layout, lane, staged_out, order, vectors, row1, row2, reduction, row_block, lane_block, stage_a, parallel};
  }
};

class CachedSpace {
 public:
  CachedSpace(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out)
      : seed_(seed), target_(target), out_(out), view_(view_of(seed)) {
    lanes_ = target.lanes(seed.dtype);
  }

  void derive() {
    const std::vector<std::vector<Step>> layouts = layout_choices();
    for (size_t l = 0; l < layouts.size(); ++l) {
      layout_steps_ = layouts[l];
      view_ = view_of(seed_);
      for (const Step& s : layout_steps_)
        for (size_t t = 0; t < seed_.tensors.size(); ++t)
          if (seed_.tensors[t].name == s.args[0])
            view_.set_layout(t, *ir::TensorLayout::parse(s.args[1], seed_.tensors[t].dims));
      Choices c;
      c.layout = static_cast<int64_t>(l);
      lanes(c);
    }
  }

 private:
  /// Layouts of tensors that leave theirs free: channels last, or blocked by the vector.
  std::vector<std::vector<Step>> layout_choices() const {
    std::vector<std::vector<Step>> all;
    const auto& c = *view_.contraction;
    const ir::Tensor& out = seed_.tensors[c.out.tensor];
    const bool images = out.dims == std::vector<std::string>{"n", "c", "h", "w"};
    if (!out.layout_free || !images) return {{}};
    const std::string blocked = cat("nChw", lanes_, "c");
    const auto channels = [&](int tensor) { return seed_.tensors[tensor].extents[1]; };
    for (const std::string& y : {std::string("nhwc"), blocked, std::string("nchw")}) {
      if (y == blocked && channels(0) % lanes_ != 0) continue;
      if (y == "nchw" && channels(0) >= lanes_) continue;  // lanes along a row, for few channels
      const bool same = channels(1) % lanes_ == 0 || y != blocked;
      const std::string x = same ? y : "nhwc";
      std::vector<Step> steps = {{"", "layout", {out.name, y}}};
      if (seed_.tensors[1].dims == out.dims) steps.push_back({"", "layout", {seed_.tensors[1].name, x}});
      all.push_back(steps);
    }
    return all;
  }

  void lanes(Choices c) {
    const auto& k = *view_.contraction;
    for (int i = 0; i < view_.count(); ++i) {
      if (ir::is_reduction(k, i) || view_.iter(i).extent < 2) continue;
      c.lane = i;
      const ir::Access& b = lane_operand(i);
      const bool constant = seed_.tensors[b.tensor].role == ir::Role::constant;
      const int64_t step = view_.stride(b, i);
      if (!constant && step != 1 && k.a.tensor == b.tensor && view_.padded(b)) continue;
      if (view_.cls(i) == ir::IterClass::m && step != 1) continue;  // gathered lanes
      c.staged_out = view_.stride(k.out, i) == 1 ? 0 : 1;
      if (c.staged_out == 1 && view_.cls(i) != ir::IterClass::n) continue;
      orders(c);
    }
  }

  /// The operand whose elements sit in the lanes.
  const ir::Access& lane_operand(int lane) const {
    const auto& k = *view_.contraction;
    return view_.cls(lane) == ir::IterClass::m ? k.a : k.b;
  }
  const ir::Access& row_operand(int lane) const {
    const auto& k = *view_.contraction;
    return view_.cls(lane) == ir::IterClass::m ? k.b : k.a;
  }

  std::string out_box_layout() const {
    const ir::Tensor& out = seed_.tensors[view_.contraction->out.tensor];
    return out.dims == std::vector<std::string>{"n", "c", "h", "w"} ? "nhwc" : "panel";
  }

  /// Iterators of the rows of a register tile, fastest in the output first.
  std::vector<int> rows(int lane) const {
    const auto& k = *view_.contraction;
    std::vector<int> out;
    const ir::IterClass wanted = view_.cls(lane) == ir::IterClass::m ? ir::IterClass::n : ir::IterClass::m;
    for (int i = 0; i < view_.count(); ++i)
      if (i != lane && !ir::is_reduction(k, i) && view_.cls(i) == wanted) out.push_back(i);
    std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
      return view_.stride(k.out, a) < view_.stride(k.out, b);
    });
    return out;
  }

  void orders(Choices c) {
    const std::vector<int> r = rows(static_cast<int>(c.lane));
    const int64_t e1 = r.empty() ? 1 : view_.iter(r[0]).extent;
    const int64_t e2 = r.size() < 2 ? 1 : view_.iter(r[1]).extent;
    const int64_t budget = target_.vector_registers >= 32 ? 28 : 12;
    const int64_t lane_extent = view_.iter(static_cast<int>(c.lane)).extent;
    for (c.vectors = 1; c.vectors <= 4; ++c.vectors) {
      if (c.vectors > 1 && (c.vectors - 1) * lanes_ >= lane_extent) continue;
      const int64_t block = view_.block(view_.contraction->out, static_cast<int>(c.lane));
      if (block > 0 && lane_extent % block != 0) continue;
      for (int64_t row1 : row_tiles(e1, budget / c.vectors))
        for (int64_t row2 : row_tiles(e2, budget / c.vectors / row1)) {
          if (row2 > 1 && row1 < e1 && e1 % row1 != 0) continue;
          const int64_t tile = row1 * row2 * c.vectors;
          const bool small = row1 == e1 && row2 == e2;
          if (tile * 2 < budget && !small) continue;
          c.row1 = row1;
          c.row2 = row2;
          blocks(c, e1, e2);
        }
    }
  }

  /// Row counts worth trying: few cut rows, near the budget.
  static std::vector<int64_t> row_tiles(int64_t extent, int64_t most) {
    std::set<int64_t> tiles;
    for (int64_t t = 1; t <= std::min(extent, most); ++t) {
      const int64_t rest = extent % t;
      const bool even = rest == 0;
      const bool fills = t * 2 > most && static_cast<double>(rest) / t > 0.6;
      if (even || fills || t == std::min(extent, most)) tiles.insert(t);
    }
    std::vector<int64_t> out(tiles.rbegin(), tiles.rend());
    if (out.size() > 6) out.resize(6);
    return out;
  }

  int main_reduction() const {
    int best = -1;
    for (int i = 0; i < view_.count(); ++i)
      if (ir::is_reduction(*view_.contraction, i) &&
          (best < 0 || view_.iter(i).extent > view_.iter(best).extent))
        best = i;
    return best;
  }

  int64_t taps() const {
    int64_t n = 1;
    for (int i = 0; i < view_.count(); ++i)
      if (ir::is_reduction(*view_.contraction, i) && i != main_reduction()) n *= view_.iter(i).extent;
    return n;
  }

  void blocks(Choices c, int64_t e1, int64_t e2) {
    const int k = main_reduction();
    const int64_t extent = k < 0 ? 1 : view_.iter(k).extent;
    const int64_t block = k < 0 ? 0 : view_.block(row_operand(static_cast<int>(c.lane)), k);
    std::set<int64_t> reductions = {0};
    for (int64_t size : {32, 64, 128, 192, 256, 384, 512})
      if (size < extent && size * taps() <= 2400 && size * taps() >= 96 && (block == 0 || size % block == 0))
        reductions.insert(size);
    for (int64_t r : reductions) {
      c.reduction = r;
      for (c.order = 0; c.order <= 2; ++c.order) {
        c.row_block = c.lane_block = 0;
        if (c.order == 0) variants(c);
        if (c.order == 1) {
          const int64_t tiles = ceil_div(e2, c.row2);
          std::set<int64_t> sizes;
          for (int64_t s : {1, 2, 4, 7, 8, 14, 28}) if (s <= tiles) sizes.insert(s);
          if (e2 == 1) {  // one row iterator: block it instead
            sizes.clear();
            for (int64_t s : {4, 8, 16, 32}) if (s < ceil_div(e1, c.row1)) sizes.insert(s);
          }
          for (int64_t s : sizes) {
            c.row_block = s;
            variants(c);
          }
        }
        if (c.order == 2 && !seed_is_convolution()) {
          for (int64_t rb : {4, 8, 16, 32}) {
            if (rb > ceil_div(e1, c.row1) && rb != 4) continue;
            for (int64_t lb : {0, 8, 32}) {
              c.row_block = rb;
              c.lane_block = lb;
              if (lb * c.vectors * lanes_ >= view_.iter(static_cast<int>(c.lane)).extent) continue;
              variants(c);
            }
          }
        }
      }
    }
  }

  bool seed_is_convolution() const { return taps() > 1; }

  void variants(Choices c) {
    const ir::Access& a = row_operand(static_cast<int>(c.lane));
    const bool constant = seed_.tensors[a.tensor].role == ir::Role::constant;
    // Read in place, a padded operand needs micro-kernels of its own at the borders: few where the
    // tile is a piece of one row.
    const bool must = view_.padded(a) && !constant && c.row2 > 1;
    for (c.stage_a = must ? 1 : 0; c.stage_a <= 1; ++c.stage_a) {
      if (constant && c.stage_a == 0 && c.order == 2) continue;
      for (c.parallel = 0; c.parallel <= 1; ++c.parallel) build(c);
    }
  }

  void build(const Choices& c);

  const ir::Seed& seed_;
  const target::Target& target_;
  ScheduleSpace& out_;
  ContractionView view_;
  int64_t lanes_ = 1;
  std::vector<Step> layout_steps_;
};

void CachedSpace::build(const Choices& c) {
  const auto& k = *view_.contraction;
  const int lane = static_cast<int>(c.lane);
  const std::vector<int> r = rows(lane);
  const ir::Access &a = row_operand(lane), &b = lane_operand(lane);
  Sketch s(view_.stage);

  // Lanes: ot = vectors x lanes in one tile, or ov, ol where the output is blocked.
  const std::string L = view_.iter(lane).name;
  const int64_t width = c.vectors * lanes_;
  const bool blocked_lane = view_.block(k.out, lane) > 0;
  std::string lane_outer = L, lane_mid;
  std::vector<std::string> lane_tiles;
  const int64_t lane_extent = view_.iter(lane).extent;
  s.split(L, L + "o", L + "t", width);
  lane_outer = L + "o";
  if (c.lane_block > 0) {
    s.split(L + "o", L + "b", L + "m", c.lane_block);
    lane_outer = L + "b";
    lane_mid = L + "m";
  }
  if (blocked_lane && c.vectors > 1) {
    s.split(L + "t", L + "v", L + "l", lanes_);
    lane_tiles = {L + "v", L + "l"};
  } else {
    lane_tiles = {L + "t"};
  }
  if (!blocked_lane && width > lane_extent && lane_extent < lanes_) return;  // mostly idle lanes

  // Rows: outer, perhaps a block, tile.
  std::vector<std::string> row_outer, row_block, row_mid, row_tiles;
  for (size_t i = 0; i < r.size() && i < 2; ++i) {
    const std::string R = view_.iter(r[i]).name;
    const int64_t tile = i == 0 ? c.row1 : c.row2;
    std::string outer = R;
    if (tile > 1) {
      s.split(R, R + "o", R + "t", tile);
      outer = R + "o";
      row_tiles.insert(row_tiles.begin(), R + "t");
    }
    const bool only = r.size() == 1 || view_.iter(r[1]).extent == 1;
    const bool blocked = c.row_block > 0 && (i == 1 || only);
    const bool whole = c.row_block >= ceil_div(view_.iter(r[i]).extent, tile);
    if (blocked && !whole && !(i == 1 && only)) {
      s.split(outer, R + "b", R + "m", c.row_block);
      row_block.push_back(R + "b");
      row_mid.insert(row_mid.begin(), R + "m");
    } else if (blocked && c.row_block > 0 && i == 1 && whole) {
      row_mid.insert(row_mid.begin(), outer);
    } else {
      row_mid.insert(row_mid.begin(), outer);
    }
  }

  // Reductions: the main one perhaps in blocks; the innermost is the one the row operand walks fastest.
  const int main = main_reduction();
  std::string k_outer;
  std::vector<std::pair<int64_t, std::string>> k_tiles;
  for (int i = 0; i < view_.count(); ++i) {
    if (!ir::is_reduction(k, i)) continue;
    const std::string K = view_.iter(i).name;
    std::string tile = K;
    if (i == main && c.reduction > 0) {
      s.split(K, K + "o", K + "t", c.reduction);
      k_outer = K + "o";
      tile = K + "t";
    }
    const int64_t block = i == main ? view_.block(a, i) : 0;
    const int64_t extent = c.reduction > 0 && i == main ? c.reduction : view_.iter(i).extent;
    const int64_t stride = view_.stride(a, i);
    if (block > 0 && extent > block) {
      s.split(tile, K + "c", K + "l", block);
      k_tiles.emplace_back(int64_t{1} << 40, K + "c");
      k_tiles.emplace_back(stride, K + "l");
    } else {
      k_tiles.emplace_back(stride, tile);
    }
  }
  std::stable_sort(k_tiles.begin(), k_tiles.end(), [](const auto& x, const auto& y) { return x.first > y.first; });

  // Loops that are neither lanes, rows nor reductions.
  std::vector<std::string> outside;
  for (int i = 0; i < view_.count(); ++i)
    if (i != lane && !ir::is_reduction(k, i) &&
        std::find(r.begin(), r.begin() + std::min<size_t>(2, r.size()), i) == r.begin() + std::min<size_t>(2, r.size()))
      outside.push_back(view_.iter(i).name);
  for (const std::string& o : outside) s.loop(o);
  const auto loops = [&](const std::vector<std::string>& list) {
    for (const std::string& l : list) s.loop(l);
  };
  const auto loop_if = [&](const std::string& l) {
    if (!l.empty()) s.loop(l);
  };
  std::string stage_a_at, stage_b_at = "root", stage_c_at;
  std::vector<std::string> team = outside;
  if (c.order == 0) {
    s.loop(lane_outer);
    stage_a_at = outside.empty() ? "root" : outside.back();
    stage_c_at = lane_outer;
    if (c.parallel == 0) {
      team = {lane_outer};  // operand tiles above are made by every thread
    } else {
      team.push_back(lane_outer);
      stage_a_at = lane_outer;
    }
    stage_b_at = k_outer.empty() ? lane_outer : k_outer;
    loop_if(k_outer);
    loops(row_mid);
  } else if (c.order == 1) {
    loops(row_block);
    if (row_block.empty()) {
      if (c.row_block > 0 && row_mid.size() > 1) return;  // the block is everything: order 0
      if (row_mid.empty()) return;
      s.loop(row_mid[0]);
      row_block = {row_mid[0]};
      row_mid.erase(row_mid.begin());
    }
    if (c.parallel == 0) team.insert(team.end(), row_block.begin(), row_block.end());
    else team = row_block;
    stage_a_at = row_block.back();
    stage_c_at = row_block.back();
    if (!k_outer.empty()) {
      s.loop(k_outer);
      s.loop(lane_outer);
      stage_b_at = lane_outer;
    } else {
      s.loop(lane_outer);
      stage_c_at = lane_outer;
      stage_b_at = lane_outer;
    }
    loops(row_mid);
  } else {
    if (c.lane_block > 0) s.loop(lane_outer);
    loop_if(k_outer);
    stage_b_at = !k_outer.empty() ? k_outer : c.lane_block > 0 ? lane_outer : outside.empty() ? "root" : outside.back();
    loops(row_block);
    if (row_block.empty()) return;
    stage_a_at = row_block.back();
    team = c.parallel == 0 ? row_block : std::vector<std::string>{};
    if (c.parallel == 1) {
      if (c.lane_block == 0) return;
      team = outside;
      team.push_back(lane_outer);
    }
    s.loop(c.lane_block > 0 ? lane_mid : lane_outer);
    loops(row_mid);
  }
  // Loops of one iteration share nothing out; without them parallel 1 is parallel 0.
  const auto single = [&](const std::string& part) {
    for (int i = 0; i < view_.count(); ++i)
      if (view_.iter(i).name == part) return view_.iter(i).extent == 1;
    return false;
  };
  while (!team.empty() && single(team.front())) team.erase(team.begin());
  bool alone = true;
  for (const std::string& o : outside) alone &= single(o);
  if (c.parallel == 1 && c.order != 2 && alone) return;

  for (const std::string& t : row_tiles) s.tensorize(t, "M");
  for (const std::string& t : lane_tiles) s.tensorize(t, "N");
  for (const auto& [stride, t] : k_tiles) s.tensorize(t, "K");

  const ir::Tensor &ta = seed_.tensors[a.tensor], &tb = seed_.tensors[b.tensor];
  if (c.stage_a == 1) {
    if (ta.role == ir::Role::constant) {
      s.stage(ta.name, "root", "prepacked", 1);
    } else {
      const bool images = ta.dims == std::vector<std::string>{"n", "c", "h", "w"};
      s.stage(ta.name, stage_a_at, images && seed_.stages.size() == 1 ? view_.layouts[a.tensor].text(ta.dims) : "panel", 1);
    }
  }
  const bool lanes_direct = view_.stride(b, lane) == 1 && (lane_extent % width == 0) && !view_.padded(b);
  if (tb.role == ir::Role::constant) {
    s.stage(tb.name, "root", "prepacked", 1);
  } else if (!(lanes_direct && c.order == 0) && (!lanes_direct || c.order == 2 || view_.padded(b))) {
    const bool window = view_.padded(b);
    if (window && (tb.dims != std::vector<std::string>{"n", "c", "h", "w"} || c.order == 2)) return;
    s.stage(tb.name, stage_b_at, window ? view_.layouts[b.tensor].text(tb.dims) : "panel", 1);
  }
  if (c.staged_out == 1) {
    if (stage_c_at.empty()) return;
    s.stage(seed_.tensors[0].name, stage_c_at, out_box_layout(), 1);
  }
  if (!team.empty()) s.parallel(team);

  Candidate candidate = s.candidate(seed_, layout_steps_, c.list());
  for (const ir::Stage& stage : seed_.stages)
    if (std::holds_alternative<ir::Gather>(stage.op)) {
      // In the order of what it writes; its first two dimensions are shared out.
      const auto& g = std::get<ir::Gather>(stage.op);
      std::vector<std::string> order, team;
      for (size_t d = 0; d < g.out.index.size(); ++d) {
        std::vector<std::pair<int, int64_t>> terms = g.out.index[d].terms;
        std::stable_sort(terms.begin(), terms.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
        for (const auto& term : terms) order.push_back(g.iters[term.first].name);
        if (d < 2) team = order;
      }
      for (const ir::Iter& i : g.iters)
        if (std::find(order.begin(), order.end(), i.name) == order.end()) order.push_back(i.name);
      candidate.schedule.steps.push_back({stage.name, "reorder", order});
      candidate.schedule.steps.push_back({stage.name, "parallel", team});
    }
  out_.push_back(candidate);
}

}  // namespace

void derive_cached(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out) {
  CachedSpace(seed, target, out).derive();
}

}  // namespace swgen::tuner
