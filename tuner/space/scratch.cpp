// SPDX-License-Identifier: Apache-2.0
// Schedules for a mesh of cores with scratchpads: extents of the GEMM primitive that its rules and
// the scratchpad admit, the vectorized dimension, layouts, and the order of the loops around.
#include <algorithm>
#include <set>

#include "tuner/space/contraction_view.h"
#include "tuner/space/sketch.h"
#include "tuner/space/space.h"

namespace swgen::tuner {
namespace {

using schedule::Step;

struct Choices {
  int64_t layout = 0, rows = 0, lanes_m = 0, m = 0, n = 0, k = 0, order = 0, outer_tap = 0;
  std::vector<int64_t> list() const { return {layout, rows, lanes_m, m, n, k, order, outer_tap}; }
};

class ScratchSpace {
 public:
  ScratchSpace(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out)
      : seed_(seed), target_(target), out_(out), view_(view_of(seed)) {}

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
      sides(c);
    }
  }

 private:
  /// Constants are packed in any order; tensors of a free layout can have the batch innermost, which
  /// makes columns and images one run ("hcwn", Fang et al., IPDPS 2017, V-C).
  std::vector<std::vector<Step>> layout_choices() const {
    std::vector<std::vector<Step>> all = {{}};
    const ir::Tensor& weights = seed_.tensors[view_.contraction->b.tensor];
    const auto add = [&](const std::vector<std::vector<Step>>& more) {
      std::vector<std::vector<Step>> next;
      for (const auto& have : all)
        for (const auto& some : more) {
          next.push_back(have);
          next.back().insert(next.back().end(), some.begin(), some.end());
        }
      all = next;
    };
    if (weights.role == ir::Role::constant && weights.dims == std::vector<std::string>{"o", "i", "h", "w"}) {
      const std::string packed = seed_.stages.size() > 1 ? "ihwo" : "hwio";
      add({{{"", "layout", {weights.name, packed}}}, {}});
    }
    const ir::Tensor& out = seed_.tensors[0];
    if (out.layout_free && out.extents[0] > 1 && seed_.stages.size() == 1)
      add({{{"", "layout", {out.name, "hcwn"}}, {"", "layout", {seed_.tensors[1].name, "hcwn"}}},
           {{"", "layout", {out.name, "hcwn"}}, {"", "layout", {seed_.tensors[1].name, "hwcn"}}},  // a tap and its channels are one sum
           {}});
    return all;
  }

  std::vector<int> iterators(ir::IterClass cls) const {
    std::vector<int> out;
    for (int i = 0; i < view_.count(); ++i)
      if (view_.cls(i) == cls && view_.iter(i).extent > 1) out.push_back(i);
    std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
      return view_.stride(view_.contraction->out, a) < view_.stride(view_.contraction->out, b);
    });
    return out;
  }

  /// Whether `outer` goes on where `inner` ends, in an operand.
  bool chained(const ir::Access& access, int outer, int inner) const {
    return view_.stride(access, outer) == view_.stride(access, inner) * view_.iter(inner).extent;
  }

  void sides(Choices c) {
    const std::vector<int> m = iterators(ir::IterClass::m), n = iterators(ir::IterClass::n);
    const auto& k = *view_.contraction;
    m_rows_.clear();
    m_rows_.push_back({});
    if (!m.empty()) m_rows_.push_back({m[0]});
    // The second fastest with all of the fastest under it: one run where both operands hold them so, else runs in segments.
    const auto segments = [&] { return view_.stride(k.a, m[0]) == 1 && view_.stride(k.a, m[1]) >= view_.iter(m[0]).extent; };
    if (m.size() > 1 && view_.stride(k.out, m[0]) == 1 && (segments() || (chained(k.a, m[1], m[0]) && !view_.padded(k.a))) && !shares_border(m[1]) &&
        !shares_border(m[0]))
      m_rows_.push_back({m[1], m[0]});
    n_iter_ = n.empty() ? -1 : *std::max_element(n.begin(), n.end(), [&](int a, int b) {
      return view_.iter(a).extent < view_.iter(b).extent;
    });
    for (size_t r = m.empty() ? 0 : 1; r < m_rows_.size(); ++r) {
      c.rows = static_cast<int64_t>(r);
      for (c.lanes_m = 0; c.lanes_m <= 1; ++c.lanes_m) tiles(c);
    }
  }

  /// Whether the iterator's window is walked by the reduction that the primitive sums over, and can leave the tensor.
  bool shares_border(int iter) const {
    const int k = main_reduction();
    if (k < 0 || !view_.padded(view_.contraction->a)) return false;
    for (const ir::AffineIndex& index : view_.contraction->a.index)
      if (index.coefficient(iter) != 0 && index.coefficient(k) != 0) return true;
    return false;
  }

  std::vector<int64_t> sizes(int64_t extent, bool lanes) const {
    const target::MeshGemm& rule = target_.mesh_gemm;
    const int64_t unit = lanes ? rule.lanes_multiple : rule.other_multiple;
    std::vector<int64_t> out;
    for (int64_t s : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32})
      if (s * unit <= 1024 && (s == 1 || (s - 1) * unit < extent)) out.push_back(s * unit);
    return out;
  }

  void tiles(Choices c) {
    const std::vector<int>& rows = m_rows_[c.rows];
    int64_t inner = 1, outer = 1;
    if (!rows.empty()) outer = view_.iter(rows[0]).extent;
    for (size_t i = 1; i < rows.size(); ++i) inner *= view_.iter(rows[i]).extent;
    std::set<int64_t> ms;
    for (int64_t size : sizes(outer * inner, c.lanes_m == 1)) ms.insert(std::clamp<int64_t>(size / inner, 1, outer));
    const int k = main_reduction();
    const int64_t taps = k_taps_inside() ? taps_count() : 1;
    for (int64_t m : ms)
      for (int64_t n : sizes(n_iter_ < 0 ? 1 : view_.iter(n_iter_).extent, c.lanes_m == 0))
        for (int64_t size : {8, 16, 32, 64, 96, 128, 192, 256, 384, 512}) {
          const int64_t extent = k < 0 ? 1 : view_.iter(k).extent;
          const int64_t channels = std::max<int64_t>(1, size / taps);
          if (size > 8 && channels >= 2 * extent) continue;
          c.m = m;
          c.n = n;
          c.k = std::min(channels, extent);
          for (c.outer_tap = 0; c.outer_tap <= (c.k == extent && tap_outside() >= 0 ? 1 : 0); ++c.outer_tap)
            for (c.order = 0; c.order <= 3; ++c.order) build(c);
        }
  }

  int main_reduction() const {
    int best = -1;
    for (int i = 0; i < view_.count(); ++i)
      if (ir::is_reduction(*view_.contraction, i) && (best < 0 || view_.iter(i).extent > view_.iter(best).extent ||
                                                      (seed_.stages.size() > 1 && view_.iter(i).name == "i")))
        best = i;
    return best;
  }

  std::vector<int> taps() const {
    std::vector<int> out;
    for (int i = 0; i < view_.count(); ++i)
      if (ir::is_reduction(*view_.contraction, i) && i != main_reduction()) out.push_back(i);
    return out;
  }

  int64_t taps_count() const {
    int64_t n = 1;
    for (int i : taps()) n *= view_.iter(i).extent;
    return n;
  }

  /// Taps join the channels in K where both operands hold them evenly spaced.
  bool k_taps_inside() const {
    std::vector<int> order = {main_reduction()};
    for (int i : taps()) order.push_back(i);
    for (const ir::Access* a : {&view_.contraction->a, &view_.contraction->b})
      for (size_t i = 0; i + 1 < order.size(); ++i)
        if (!chained(*a, order[i], order[i + 1])) return false;
    return order.size() > 1 && !view_.padded(view_.contraction->a);
  }

  /// A tap that goes on in both operands where all channels end: with them it is one longer sum. -1: none.
  int tap_outside() const {
    const int k = main_reduction();
    if (k_taps_inside() || view_.stride(view_.contraction->a, k) == 1) return -1;  // runs of one window would overlap those of the next
    for (int i : taps())
      if (view_.iter(i).extent > 1 && chained(view_.contraction->a, i, k) && chained(view_.contraction->b, i, k)) return i;
    return -1;
  }

  void build(const Choices& c) {
    Sketch s(view_.stage);
    const std::vector<int>& rows = m_rows_[c.rows];
    std::vector<std::string> m_outer, n_outer, k_outer, tap_loops, others;
    std::vector<std::string> m_tiles, n_tiles, k_tiles;
    std::set<int> done(rows.begin(), rows.end());
    const auto cut = [&](int iter, int64_t size, std::vector<std::string>& outer, std::vector<std::string>& tile) {
      const std::string name = view_.iter(iter).name;
      if (size >= view_.iter(iter).extent && &tile != &n_tiles && &tile != &m_tiles) {
        tile.push_back(name);
        return;
      }
      s.split(name, name + "o", name + "t", size);
      outer.push_back(name + "o");
      tile.push_back(name + "t");
    };
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i == 0)
        cut(rows[0], c.m, m_outer, m_tiles);
      else
        m_tiles.push_back(view_.iter(rows[i]).name);
    }
    if (n_iter_ >= 0) {
      cut(n_iter_, c.n, n_outer, n_tiles);
      done.insert(n_iter_);
    }
    if (c.outer_tap != 0) {
      k_tiles.push_back(view_.iter(tap_outside()).name);
      done.insert(tap_outside());
    }
    const int k = main_reduction();
    if (k >= 0) {
      cut(k, c.k, k_outer, k_tiles);
      done.insert(k);
    }
    for (int i : taps()) {
      if (done.count(i) != 0) continue;
      (k_taps_inside() ? k_tiles : tap_loops).push_back(view_.iter(i).name);
      done.insert(i);
    }
    for (int i = 0; i < view_.count(); ++i)
      if (done.count(i) == 0) (view_.cls(i) == ir::IterClass::k ? tap_loops : others).push_back(view_.iter(i).name);
    const auto loops = [&](const std::vector<std::string>& list) {
      for (const std::string& l : list) s.loop(l);
    };
    if (c.order == 1 || c.order == 3) loops(n_outer);
    loops(others);
    loops(m_outer);
    if (c.order == 0 || c.order == 2) loops(n_outer);
    const std::string stage_c = s.loops().empty() ? "root" : s.loops().back();
    if (c.order >= 2 && (tap_loops.empty() || k_outer.empty())) return;  // same as order - 2
    loops(c.order < 2 ? tap_loops : k_outer);
    loops(c.order < 2 ? k_outer : tap_loops);
    const std::string innermost = s.loops().empty() ? "root" : s.loops().back();
    for (const std::string& t : m_tiles) s.tensorize(t, "M");
    for (const std::string& t : n_tiles) s.tensorize(t, "N");
    for (const std::string& t : k_tiles) s.tensorize(t, "K");
    const auto& contraction = *view_.contraction;
    if (contraction.a.tensor == contraction.b.tensor) return;
    s.stage(seed_.tensors[contraction.a.tensor].name, innermost, "panel", 2);
    s.stage(seed_.tensors[contraction.b.tensor].name, innermost, "panel", 2);
    s.stage(seed_.tensors[contraction.out.tensor].name, stage_c, "panel", 1);
    s.vectorize(c.lanes_m == 1 ? "M" : "N");
    out_.push_back(s.candidate(seed_, layout_steps_, c.list()));
  }

  const ir::Seed& seed_;
  const target::Target& target_;
  ScheduleSpace& out_;
  ContractionView view_;
  std::vector<Step> layout_steps_;
  std::vector<std::vector<int>> m_rows_;
  int n_iter_ = -1;
};

}  // namespace

void derive_scratch(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out) {
  ScratchSpace(seed, target, out).derive();
}

}  // namespace swgen::tuner
