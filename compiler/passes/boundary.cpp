// SPDX-License-Identifier: Apache-2.0
// Bounds loops and tiles where extents do not divide, and kernel taps that would read the padding of
// an operand that is not staged; drops guards that always hold.
#include <algorithm>
#include <optional>

#include "compiler/base/error.h"
#include "compiler/passes/passes.h"

namespace swgen::passes {
namespace {

using namespace ir;

class Bounds {
 public:
  Bounds(const Program& program, StageProgram& stage) : program_(program), stage_(stage) {
    limits_ = limits_of(stage);
  }

  std::vector<Stmt> statements(const std::vector<Stmt>& body) {
    std::vector<Stmt> out;
    for (const Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        For copy = *loop;
        copy.end = end_of(loop->var);
        bound_.push_back(loop->var);
        copy.body = statements(loop->body);
        bound_.pop_back();
        out.push_back(copy);
      } else if (const auto* g = s.as<Gemm>()) {
        out.push_back(gemm(*g));
      } else if (const auto* t = s.as<Transfer>()) {
        out.push_back(transfer(*t));
      } else {
        out.push_back(s);
      }
    }
    return out;
  }

  Transfer transfer(const Transfer& t) {
    Transfer copy = t;
    if (t.to.buffer < 0 && t.from.buffer < 0) {  // a gather runs over iterators themselves
      const size_t depth = bound_.size();
      for (Tile& loop : copy.loops) {
        loop.end = end_of(loop.name);
        bound_.push_back(loop.name);
      }
      bound_.resize(depth);
    }
    copy.guards.clear();
    for (const Guard& g : t.guards)
      if (!holds(g) && !known(copy.guards, g)) copy.guards.push_back(g);
    return copy;
  }

 private:
  const Part& part(const std::string& name) const {
    for (const Part& p : stage_.parts)
      if (p.name == name) return p;
    throw base::InternalError("no part " + name);
  }

  /// Whether all values of the iterator's parts together stay inside its extent.
  bool exact(int iter) const {
    int64_t reach = 0;
    for (const Part& p : stage_.parts)
      if (p.iter == iter) reach += (p.extent - 1) * p.stride;
    return reach < stage_.iters[iter].extent;
  }

  /// Whether the parts around `p` step by whole blocks of it through an extent of whole blocks: they
  /// end inside of the extent, where a whole block is left.
  bool never_cut(const Part& p) const {
    const int64_t block = p.extent * p.stride;
    if (stage_.iters[p.iter].extent % block != 0) return false;
    for (const std::string& other : bound_)
      if (part(other).iter == p.iter && part(other).stride % block != 0) return false;
    return true;
  }

  Expr end_of(const std::string& var) const {
    const Part& p = part(var);
    if (exact(p.iter) || never_cut(p)) return p.extent;
    Linear rest(stage_.iters[p.iter].extent + p.stride - 1);
    for (const std::string& other : bound_)
      if (part(other).iter == p.iter) rest.add_term(other, -part(other).stride);
    int64_t least = rest.constant;
    for (const auto& [other, c] : rest.terms) least += c * limits_.at(other);
    if (rest.terms.empty()) return std::min(p.extent, rest.constant / p.stride);
    const Expr left = least < 0 ? max(Expr::from(rest), 0) : Expr::from(rest);
    return min(p.extent, div(left, p.stride));
  }

  void bound_tiles(std::vector<Tile>& tiles) {
    for (Tile& tile : tiles) {
      tile.end = end_of(tile.name);
      bound_.push_back(tile.name);
    }
  }

  Gemm gemm(const Gemm& g) {
    Gemm copy = g;
    const size_t depth = bound_.size();
    bound_tiles(copy.m);
    bound_tiles(copy.n);
    bound_tiles(copy.k);
    bound_.resize(depth);
    for (const Operand* o : {&g.a, &g.b})
      if (o->buffer < 0) skip_padding(copy, *o);
    return copy;
  }

  /// Narrows a K tile so that `o` is only read inside its tensor; where that depends on the place in
  /// the tile, guards the products instead.
  void skip_padding(Gemm& g, const Operand& o) const {
    const Tensor& tensor = program_.seed.tensors[o.tensor];
    for (size_t d = 0; d < tensor.extents.size(); ++d) {
      const Linear& index = o.index[d];
      if (inside(index, tensor.extents[d])) continue;
      Tile* tap = nullptr;
      int taps = 0;
      bool rows = false;
      for (Tile& tile : g.k) {
        if (!index.uses(tile.name)) continue;
        tap = &tile;
        ++taps;
      }
      for (const auto* tiles : {&g.m, &g.n})
        for (const Tile& tile : *tiles) rows |= index.uses(tile.name) && tile.extent > 1;
      if (rows || taps != 1 || index.coefficient(tap->name) < 0) {
        g.guards.push_back({index, tensor.extents[d], tensor.dims[d]});
        continue;
      }
      Linear base = index;
      base.add_term(tap->name, -index.coefficient(tap->name));
      const int64_t step = index.coefficient(tap->name);
      // first tap with base + step * tap >= 0, and one past the last with ... < extent
      Linear low(step - 1), high(tensor.extents[d] - 1 + step);
      low.add(base, -1);
      high.add(base, -1);
      for (const auto* tiles : {&g.m, &g.n})
        for (const Tile& tile : *tiles)
          for (Linear* bound : {&low, &high}) bound->add_term(tile.name, -bound->coefficient(tile.name));
      const Expr begin = div(max(Expr::from(low), 0), step);
      const Expr end = div(max(Expr::from(high), 0), step);
      tap->begin = tap->begin.is(0) ? begin : max(tap->begin, begin);
      tap->end = min(tap->end, end);
    }
  }

  /// Range over the iterators themselves: parts past an extent are cut off elsewhere.
  bool inside(const Linear& index, int64_t extent) const {
    int64_t low = index.constant, high = index.constant;
    std::vector<bool> seen(stage_.iters.size(), false);
    for (const auto& [var, c] : index.terms) {
      const Part& p = part(var);
      if (seen[p.iter]) continue;
      seen[p.iter] = true;
      const int64_t reach = c / p.stride * (stage_.iters[p.iter].extent - 1);
      (reach < 0 ? low : high) += reach;
    }
    return low >= 0 && high < extent;
  }

  static bool known(const std::vector<Guard>& guards, const Guard& g) {
    return std::any_of(guards.begin(), guards.end(), [&](const Guard& other) {
      return other.extent == g.extent && other.value.constant == g.value.constant && other.value.terms == g.value.terms;
    });
  }

  bool holds(const Guard& g) const {
    int64_t low = g.value.constant, high = g.value.constant;
    for (const auto& [var, c] : g.value.terms) {
      const int64_t reach = c * limits_.at(var);
      (reach < 0 ? low : high) += reach;
    }
    return low >= 0 && high < g.extent;
  }

  const Program& program_;
  StageProgram& stage_;
  Limits limits_;
  std::vector<std::string> bound_;
};

}  // namespace

void boundary(Program& program, const target::Target&) {
  for (StageProgram& stage : program.stages) {
    Bounds bounds(program, stage);
    stage.body = bounds.statements(stage.body);
    std::vector<Stmt> prepack;
    for (const Stmt& s : program.prepack) {
      const auto* t = s.as<Transfer>();
      bool here = true;  // the packing transfers of this stage run over its parts
      for (const Tile& loop : t->loops) here &= limits_of(stage).count(loop.name) != 0;
      prepack.push_back(here ? Stmt(bounds.transfer(*t)) : s);
    }
    program.prepack = prepack;
  }
}

}  // namespace swgen::passes
