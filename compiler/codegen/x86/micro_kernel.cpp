// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/x86/micro_kernel.h"

#include <algorithm>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::codegen::x86 {

using base::cat;
using ir::Linear;
using ir::Tile;

namespace {

constexpr size_t kMostVariants = 12;

bool is_tile(const ir::Gemm& g, const std::string& var) {
  for (const auto* tiles : {&g.m, &g.n, &g.k})
    for (const Tile& t : *tiles)
      if (t.name == var) return true;
  return false;
}

void variables(const ir::Expr& e, std::set<std::string>& out) {
  if (e.op() == ir::Op::constant) return;
  if (e.op() == ir::Op::variable) {
    out.insert(e.name());
    return;
  }
  variables(e.left(), out);
  variables(e.right(), out);
}

}  // namespace

MicroKernel::MicroKernel(const ir::Program& program, const ir::Gemm& gemm,
                         const ir::Limits& limits, const target::Target& target)
    : program_(program), gemm_(gemm), limits_(limits) {
  type_ = program.seed.dtype == ir::DType::f32 ? "float" : "double";
  a_ = address(gemm.a);
  b_ = address(gemm.b);
  c_ = address(gemm.c);
  if (gemm.bias) bias_ = address(*gemm.bias);
  choose_lanes(target);
  vec_ = lanes_ == 1 ? type_ : cat("vec", lanes_);
  partial_ = lanes_ > 1 && !along_k() && !gemm.n.back().end.is(gemm.n.back().extent);
  if (partial_ && gemm.b.buffer < 0 && lane_stride(b_) != 0)
    throw base::Infeasible("lanes that do not divide need a staged operand");
  if (partial_ && gemm.a.buffer < 0 && lane_stride(a_) != 0)
    throw base::Infeasible("lanes that do not divide need a staged operand");
  std::set<std::string> used;
  for (const Tile& k : gemm.k) {
    variables(k.begin, used);
    variables(k.end, used);
  }
  for (const std::string& var : used)
    if (!is_tile(gemm, var)) bound_vars_.push_back(var);
  for (const ir::Guard& g : gemm.guards) guards_.emplace_back(g, gemm, limits);
  find_variants();
  if (along_k()) {
    check_dots();
    for (int64_t end : values_of(gemm.k.back().end)) rest_ |= end % lanes_ != 0;
  }
}

MicroKernel::Address MicroKernel::address(const ir::Operand& operand) const {
  const auto offset = ir::offset_of(program_, operand, limits_);
  if (!offset) throw base::Infeasible("a tile crosses the blocks of a layout");
  Address a;
  a.outer.constant = offset->constant;
  for (const auto& [var, c] : offset->terms)
    (is_tile(gemm_, var) ? a.tile : a.outer).add_term(var, c);
  return a;
}

int64_t MicroKernel::lane_stride(const Address& a) const {
  return lane_tile().empty() ? 0 : a.tile.coefficient(lane_tile());
}

void MicroKernel::choose_lanes(const target::Target& target) {
  if (gemm_.lanes == ir::Lanes::m) throw base::Infeasible("vectorize(M): lanes along N or K here");
  if (along_k()) {
    if (gemm_.k.empty()) throw base::Infeasible("vectorize(K): no reduction is tensorized");
    lanes_ = target.lanes(program_.seed.dtype);
    return;
  }
  if (gemm_.n.empty()) return;
  for (const Address* a : {&a_, &b_})
    if (lane_stride(*a) != 0 && lane_stride(*a) != 1) return;
  for (int64_t w = target.lanes(program_.seed.dtype); w > 1; w /= 2)
    if (gemm_.n.back().extent % w == 0) {
      lanes_ = w;
      return;
    }
}

std::vector<int64_t> MicroKernel::values_of(const ir::Expr& end) const {
  std::set<std::string> used;
  variables(end, used);
  std::set<int64_t> values;
  std::map<std::string, int64_t> env;
  const std::vector<std::string> vars(used.begin(), used.end());
  std::function<void(size_t)> each = [&](size_t i) {
    if (i == vars.size()) {
      values.insert(end.evaluate(env));
      return;
    }
    for (int64_t v = 0; v <= limits_.at(vars[i]); ++v) {
      env[vars[i]] = v;
      each(i + 1);
    }
  };
  each(0);
  return {values.rbegin(), values.rend()};  // full tile first
}

void MicroKernel::find_variants() {
  variants_ = {Variant{}};
  std::vector<const Tile*> tiles;
  for (const Tile& t : gemm_.m) tiles.push_back(&t);
  for (size_t i = 0; i < counted_columns(); ++i) tiles.push_back(&gemm_.n[i]);
  for (const Tile* t : tiles) {
    std::vector<Variant> next;
    for (const Variant& v : variants_)
      for (int64_t extent : values_of(t->end)) {
        if (extent <= 0) continue;
        Variant copy = v;
        copy.extents[t->name] = extent;
        next.push_back(copy);
      }
    variants_ = next;
  }
  split_at_borders();
  for (Variant& v : variants_) {
    const int64_t width = static_cast<int64_t>(columns(v).size()) * (along_k() ? 1 : lanes_);
    v.name = cat("tile_", rows(v).size(), "x", width);
    for (const Border& b : v.borders) v.name += b.suffix;
    for (const Variant& other : variants_)
      if (&other != &v && other.name == v.name)
        for (const auto& [tile, extent] : v.extents) v.name += cat("_", tile, extent);
  }
}

void MicroKernel::split_at_borders() {
  for (const PaddingGuard& guard : guards_) {
    std::vector<Variant> next;
    for (const Variant& v : variants_)
      for (const Border& border : guard.borders(v.extents)) {
        next.push_back(v);
        next.back().borders.push_back(border);
      }
    variants_ = next;
  }
  if (variants_.size() > kMostVariants)
    throw base::Infeasible(cat("the tile would need ", variants_.size(), " micro-kernels for cut tiles and padding"));
}

bool MicroKernel::cut(const Variant& v, const std::string& tap) const {
  for (size_t g = 0; g < guards_.size(); ++g)
    if (v.borders[g].cut && guards_[g].uses(tap)) return true;
  return false;
}

std::vector<size_t> MicroKernel::active(const Variant& v, const Point& taps) const {
  const std::vector<Point> all = rows(v);
  std::vector<size_t> out;
  for (size_t r = 0; r < all.size(); ++r) {
    bool inside = true;
    for (size_t g = 0; g < guards_.size(); ++g) {
      if (!v.borders[g].cut) continue;
      bool known = true;
      for (const Tile& k : gemm_.k) known &= !guards_[g].uses(k.name) || taps.count(k.name) != 0;
      inside &= !known || guards_[g].inside(v.borders[g], all[r], taps);
    }
    if (inside) out.push_back(r);
  }
  return out;
}

std::vector<Point> MicroKernel::rows(const Variant& v) const {
  std::vector<Point> points = {{}};
  for (const Tile& t : gemm_.m) {
    std::vector<Point> next;
    for (const Point& p : points)
      for (int64_t i = 0; i < v.extents.at(t.name); ++i) {
        next.push_back(p);
        next.back()[t.name] = i;
      }
    points = next;
  }
  return points;
}

std::vector<Point> MicroKernel::columns(const Variant& v) const {
  std::vector<Point> points = {{}};
  for (size_t n = 0; n < gemm_.n.size(); ++n) {
    const Tile& t = gemm_.n[n];
    const bool last = n >= counted_columns();
    const int64_t extent = last ? t.extent : v.extents.at(t.name);
    std::vector<Point> next;
    for (const Point& p : points)
      for (int64_t i = 0; i < extent; i += last ? lanes_ : 1) {
        next.push_back(p);
        next.back()[t.name] = i;
      }
    points = next;
  }
  return points;
}

int64_t MicroKernel::max_rows() const {
  size_t most = 0;
  for (const Variant& v : variants_) most = std::max(most, rows(v).size());
  return static_cast<int64_t>(most);
}

int64_t MicroKernel::max_vectors() const {
  size_t most = 0;
  for (const Variant& v : variants_) most = std::max(most, columns(v).size());
  return static_cast<int64_t>(most);
}

std::vector<std::string> MicroKernel::tests(const Variant& v, const std::vector<const Tile*>& counted) const {
  std::vector<std::string> out;
  for (const Tile* t : counted) out.push_back(cat(t->name, "_count == ", v.extents.at(t->name)));
  for (size_t g = 0; g < guards_.size(); ++g) {
    const Border& b = v.borders[g];
    const std::string at = guards_[g].variable();
    if (b.lowest && b.highest) continue;
    if (b.low == b.high) {
      out.push_back(cat(at, " == ", b.low));
      continue;
    }
    if (!b.lowest) out.push_back(cat(at, " >= ", b.low));
    if (!b.highest) out.push_back(cat(at, " <= ", b.high));
  }
  return out;
}

void MicroKernel::call(Writer& w,
                       const std::function<std::string(const ir::Operand&)>& pointer) const {
  const auto base = [&](const ir::Operand& o, const Address& a) {
    const std::string offset = ir::Expr::from(a.outer).to_c();
    return pointer(o) + (offset == "0" ? "" : " + " + offset);
  };
  w.line("const ", type_, "* const pa = ", base(gemm_.a, a_), ";");
  w.line("const ", type_, "* const pb = ", base(gemm_.b, b_), ";");
  w.line(type_, "* const pc = ", base(gemm_.c, c_), ";");
  std::string args = "pa, pb, pc";
  if (gemm_.bias) args += ", " + base(*gemm_.bias, bias_);
  for (const std::string& var : bound_vars_) args += ", " + var;
  if (partial_) args += ", " + gemm_.n.back().end.to_c();
  if (!gemm_.first.is_constant()) args += ", " + gemm_.first.to_c();
  if (waits()) args += ", " + gemm_.last.to_c();
  std::vector<const Tile*> cut;
  for (const Tile& t : gemm_.m)
    if (!t.end.is_constant()) cut.push_back(&t);
  for (size_t i = 0; i < counted_columns(); ++i)
    if (!gemm_.n[i].end.is_constant()) cut.push_back(&gemm_.n[i]);
  bool exhaustive = true;
  for (const Tile* t : cut) {
    w.line("const long ", t->name, "_count = ", t->end.to_c(), ";");
    for (int64_t value : values_of(t->end)) exhaustive &= value > 0;
  }
  for (size_t g = 0; g < guards_.size(); ++g) {
    bool differ = false;
    for (const Variant& v : variants_) differ |= !v.borders[g].lowest || !v.borders[g].highest;
    if (differ) w.line("const long ", guards_[g].variable(), " = ", guards_[g].position(), ";");
  }
  for (size_t i = 0; i < variants_.size(); ++i) {
    const Variant& v = variants_[i];
    const std::vector<std::string> conditions = tests(v, cut);
    const bool last = exhaustive && i + 1 == variants_.size();
    const std::string head = i > 0 ? "else " : "";
    const std::string test = last || conditions.empty() ? "" : "if (" + base::join(conditions, " && ") + ") ";
    w.line(head, test, v.name, "(", args, ");");
  }
}

}  // namespace swgen::codegen::x86
