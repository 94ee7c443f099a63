// SPDX-License-Identifier: Apache-2.0
// Schedules with the lanes along K, for contractions whose operands both hold a reduction iterator
// contiguously (a product with the second matrix transposed): nothing is packed, every element of the
// register tile is a dot product.
#include <algorithm>

#include "tuner/space/contraction_view.h"
#include "tuner/space/sketch.h"
#include "tuner/space/space.h"

namespace swgen::tuner {
namespace {

class DotSpace {
 public:
  DotSpace(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out)
      : seed_(seed), target_(target), out_(out), view_(view_of(seed)) {}

  void derive() {
    const auto& c = *view_.contraction;
    for (const ir::Access* a : {&c.a, &c.b}) {
      const ir::Tensor& t = seed_.tensors[a->tensor];
      if (t.layout_free || view_.padded(*a)) return;  // a free layout has its lanes along channels
    }
    lanes_ = target_.lanes(seed_.dtype);
    for (int i = 0; i < view_.count(); ++i)
      if (ir::is_reduction(c, i) && view_.iter(i).extent >= 2 * lanes_ && view_.stride(c.a, i) == 1 && view_.stride(c.b, i) == 1)
        tiles(i);
  }

 private:
  /// The iterator of a class that is fastest in the output, or -1.
  int fastest(ir::IterClass cls) const {
    int best = -1;
    for (int i = 0; i < view_.count(); ++i)
      if (view_.cls(i) == cls && view_.iter(i).extent > 1 &&
          (best < 0 || view_.stride(view_.contraction->out, i) < view_.stride(view_.contraction->out, best)))
        best = i;
    return best;
  }

  void tiles(int k) {
    const int m = fastest(ir::IterClass::m), n = fastest(ir::IterClass::n);
    const int64_t rows = m < 0 ? 1 : view_.iter(m).extent, columns = n < 0 ? 1 : view_.iter(n).extent;
    const int64_t registers = target_.vector_registers, most = std::min<int64_t>(rows, 8);
    for (int64_t r = 1; r <= most; ++r)
      for (int64_t c = 1; c <= std::min<int64_t>(columns, 16); ++c) {
        const bool fits = r * c + c + 1 <= registers;
        const bool fills = r * c * 2 >= registers || (r == most && (c == columns || c % 4 == 0));
        if (!fits || !fills) continue;
        for (int64_t block : {0, 256, 512, 1024, 2048})
          if (block < view_.iter(k).extent)
            for (int64_t order : {0, 1})
              for (int64_t parallel : {0, 1}) build({k, m, n, r, c, block, order, parallel});
      }
  }

  struct Choices {
    int k, m, n;  // iterators
    int64_t rows, columns, block, order, parallel;
  };

  void build(const Choices& c) {
    Sketch s(view_.stage);
    std::vector<std::string> across, others;  // loops over tiles; all other output iterators
    const auto tile = [&](int iter, int64_t size, const char* dim) {
      if (iter < 0) return;
      const std::string name = view_.iter(iter).name;
      s.split(name, name + "o", name + "t", size);
      s.tensorize(name + "t", dim);
      across.push_back(name + "o");
    };
    tile(c.m, c.rows, "M");
    tile(c.n, c.columns, "N");
    if (c.order == 0) std::reverse(across.begin(), across.end());
    if (c.order == 1 && across.size() < 2) return;
    for (int i = 0; i < view_.count(); ++i) {
      if (i == c.k || i == c.m || i == c.n) continue;
      if (ir::is_reduction(*view_.contraction, i)) s.tensorize(view_.iter(i).name, "K");
      else others.push_back(view_.iter(i).name);
    }
    const std::string k = view_.iter(c.k).name;
    for (const std::string& o : others) s.loop(o);
    if (c.block > 0) {
      s.split(k, k + "o", k + "t", c.block);
      s.loop(k + "o");
    }
    for (const std::string& a : across) s.loop(a);
    s.tensorize(c.block > 0 ? k + "t" : k, "K");
    std::vector<std::string> team = c.parallel == 1 ? others : std::vector<std::string>{};
    if (c.parallel == 0 && !across.empty()) team = {across[0]};
    const bool single = std::all_of(others.begin(), others.end(), [&](const std::string& o) {
      for (int i = 0; i < view_.count(); ++i)
        if (view_.iter(i).name == o) return view_.iter(i).extent == 1;
      return true;
    });
    if (c.parallel == 1 && single) return;  // nothing to share out
    if (!team.empty()) s.parallel(team);
    s.vectorize("K");
    out_.push_back(s.candidate(seed_, {}, {0, c.k, 0, 3 + c.order, c.columns, c.rows, 1, c.block, 0, 0, 0, c.parallel}));
  }

  const ir::Seed& seed_;
  const target::Target& target_;
  ScheduleSpace& out_;
  ContractionView view_;
  int64_t lanes_ = 1;
};

}  // namespace

void derive_dots(const ir::Seed& seed, const target::Target& target, ScheduleSpace& out) {
  DotSpace(seed, target, out).derive();
}

}  // namespace swgen::tuner
