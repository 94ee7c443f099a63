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

bool is_tile(const ir::Gemm& g, const std::string& var) {
  for (const auto* tiles : {&g.m, &g.n, &g.k})
    for (const Tile& t : *tiles)
      if (t.name == var) return true;
  return false;
}

std::string plus(int64_t offset) { return offset == 0 ? "" : cat(" + ", offset); }

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
  partial_ = lanes_ > 1 && !gemm.n.back().end.is(gemm.n.back().extent);
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
  find_variants();
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
  return gemm_.n.empty() ? 0 : a.tile.coefficient(gemm_.n.back().name);
}

void MicroKernel::choose_lanes(const target::Target& target) {
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
  for (Variant& v : variants_) {
    const int64_t width = static_cast<int64_t>(columns(v).size()) * lanes_;
    v.name = cat("tile_", rows(v).size(), "x", width);
    for (const Variant& other : variants_)
      if (&other != &v && other.name == v.name)
        for (const auto& [tile, extent] : v.extents) v.name += cat("_", tile, extent);
  }
}

std::vector<MicroKernel::Point> MicroKernel::rows(const Variant& v) const {
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

std::vector<MicroKernel::Point> MicroKernel::columns(const Variant& v) const {
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

int64_t MicroKernel::at(const Address& a, const Point& row, const Point& column) const {
  int64_t offset = 0;
  for (const Point* p : {&row, &column})
    for (const auto& [var, value] : *p) offset += a.tile.coefficient(var) * value;
  return offset;
}

std::string MicroKernel::value(const char* pointer, int64_t offset, int64_t stride) const {
  if (lanes_ == 1) return cat(pointer, "[", offset, "]");
  if (stride == 0) return cat(pointer, "[", offset, "] - zero");
  return cat("*(const ", vec_, "*)(", pointer, plus(offset), ")");
}

std::string MicroKernel::parameters() const {
  std::string text = cat("const ", type_, "* pa, const ", type_, "* pb, ", type_, "* pc");
  if (gemm_.bias) text += cat(", const ", type_, "* bias");
  for (const std::string& var : bound_vars_) text += ", long " + var;
  if (partial_) text += ", long width";
  if (!gemm_.first.is_constant()) text += ", bool first";
  if (!gemm_.last.is_constant()) text += ", bool last";
  return text;
}

void MicroKernel::start(Writer& w, const std::vector<Point>& rows,
                        const std::vector<Point>& columns) const {
  const int64_t stride = lanes_ == 1 ? 1 : lane_stride(c_);
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string text = vec_;
    for (size_t v = 0; v < columns.size(); ++v) text += cat(v > 0 ? ", " : " ", "c", r, "_", v, " = zero");
    w.line(text, ";");
  }
  if (gemm_.first.is_constant()) return;
  const auto load = [&] {
    each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
      const int64_t offset = at(c_, rows[r], columns[v]);
      if (stride == 1) return cat(acc, " = ", value("pc", offset, 1), ";");
      return cat("for (int l = 0; l < ", lanes_, "; ++l) ", acc, "[l] = pc[", offset, " + l * ", stride, "];");
    });
  };
  const auto load_part = [&] {
    each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
      return cat("load_part(pc", plus(at(c_, rows[r], columns[v])), ", ", stride, ", width - ",
                 columns[v].at(lane_tile()), ", ", acc, ");");
    });
  };
  if (!partial_) {
    w.braces("if (!first)", load);
  } else {
    w.braces(cat("if (!first && width == ", gemm_.n.back().extent, ")"), load);
    w.braces("else if (!first)", load_part);
  }
}

void MicroKernel::inner(Writer& w, const std::vector<Point>& rows,
                        const std::vector<Point>& columns) const {
  bool shared = true;  // b does not depend on the row
  for (const Tile& t : gemm_.m) shared &= b_.tile.coefficient(t.name) == 0;
  const auto load_b = [&](const Point& row) {
    std::string text;
    for (size_t v = 0; v < columns.size(); ++v)
      text += cat(v > 0 ? ", " : "const " + vec_ + " ", "xb", v, " = ",
                  value("vb", at(b_, row, columns[v]), lane_stride(b_)));
    return text + ";";
  };
  if (shared) w.line(load_b(rows[0]));
  for (size_t r = 0; r < rows.size(); ++r) {
    bool same = true;  // one value of a serves all columns
    for (const Point& column : columns) same &= at(a_, rows[r], column) == at(a_, rows[r], columns[0]);
    std::string text = "{ ";
    if (!shared) text += load_b(rows[r]) + " ";
    if (same)
      text += cat("const ", vec_, " xa = ", value("va", at(a_, rows[r], columns[0]), lane_stride(a_)), ";");
    for (size_t v = 0; v < columns.size(); ++v) {
      const std::string x =
          same ? "xa" : "(" + value("va", at(a_, rows[r], columns[v]), lane_stride(a_)) + ")";
      text += cat(" c", r, "_", v, " += ", x, " * xb", v, ";");
    }
    w.line(text, " }");
  }
}

void MicroKernel::each_row(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns,
                           const std::function<std::string(size_t, size_t, const std::string&)>& text) {
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (size_t v = 0; v < columns.size(); ++v)
      line += (v > 0 ? " " : "") + text(r, v, cat("c", r, "_", v));
    w.line(line);
  }
}

void MicroKernel::finish(Writer& w, const std::vector<Point>& rows,
                         const std::vector<Point>& columns) const {
  const int64_t stride = lanes_ == 1 ? 1 : lane_stride(c_);
  const auto epilogue = [&] {
    if (gemm_.bias)
      each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
        const int64_t offset = at(bias_, rows[r], columns[v]);
        if (partial_ && lane_stride(bias_) != 0)
          return cat("add_part(bias", plus(offset), ", width - ", columns[v].at(lane_tile()), ", ", acc, ");");
        return cat(acc, " += ", value("bias", offset, lane_stride(bias_)), ";");
      });
    if (gemm_.relu)
      each_row(w, rows, columns, [&](size_t, size_t, const std::string& acc) {
        return cat(acc, " = ", acc, " > zero ? ", acc, " : zero;");
      });
  };
  if (gemm_.bias || gemm_.relu) {
    if (gemm_.last.is_constant())
      epilogue();
    else
      w.braces("if (last)", epilogue);
  }
  const auto store = [&] {
    each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
      const int64_t offset = at(c_, rows[r], columns[v]);
      if (lanes_ == 1) return cat("pc[", offset, "] = ", acc, ";");
      if (stride == 1) return cat("*(", vec_, "*)(pc", plus(offset), ") = ", acc, ";");
      return cat("for (int l = 0; l < ", lanes_, "; ++l) pc[", offset, " + l * ", stride, "] = ", acc, "[l];");
    });
  };
  if (!partial_) {
    store();
    return;
  }
  w.braces(cat("if (width == ", gemm_.n.back().extent, ")"), store);
  w.braces("else", [&] {
    each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
      return cat("store_part(pc", plus(at(c_, rows[r], columns[v])), ", ", stride, ", width - ",
                 columns[v].at(lane_tile()), ", ", acc, ");");
    });
  });
}

void MicroKernel::define_one(Writer& w, const Variant& v) const {
  const std::vector<Point> r = rows(v), n = columns(v);
  std::vector<std::string> row_names, column_names, sum_names;
  for (const Tile& t : gemm_.m) row_names.push_back(t.name);
  for (const Tile& t : gemm_.n) column_names.push_back(t.name);
  for (const Tile& t : gemm_.k) sum_names.push_back(t.name);
  const auto named = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string() : " (" + base::join(names, ", ") + ")";
  };
  w.line();
  w.line("// ", r.size(), r.size() == 1 ? " row" : " rows", named(row_names), " by ", n.size(),
         lanes_ == 1 ? " value" : cat(" vector", n.size() == 1 ? "" : "s", " of ", lanes_), lanes_ == 1 && n.size() != 1 ? "s" : "",
         named(column_names), ", summed over ", sum_names.empty() ? "one product" : base::join(sum_names, ", "), ".");
  w.braces(cat("SWGEN_TILE void ", v.name, "(", parameters(), ")"), [&] {
    w.line("const ", vec_, " zero = ", lanes_ == 1 ? "0" : "{}", ";");
    start(w, r, n);
    std::string ak = "pa", bk = "pb";
    std::function<void(size_t)> loops = [&](size_t i) {
      if (i == gemm_.k.size()) {
        w.line("const ", type_, "* const va = ", ak, ";");
        w.line("const ", type_, "* const vb = ", bk, ";");
        inner(w, r, n);
        return;
      }
      const Tile& k = gemm_.k[i];
      if (k.begin.is(0) && k.end.is(1)) {
        loops(i + 1);
        return;
      }
      for (auto [text, address] : {std::pair{&ak, &a_}, std::pair{&bk, &b_}}) {
        const int64_t c = address->tile.coefficient(k.name);
        if (c != 0) *text += cat(" + ", k.name, c == 1 ? "" : cat(" * ", c));
      }
      w.braces(cat("for (long ", k.name, " = ", k.begin.to_c(), "; ", k.name, " < ", k.end.to_c(),
                   "; ++", k.name, ")"),
               [&] { loops(i + 1); });
    };
    const bool looped = std::any_of(gemm_.k.begin(), gemm_.k.end(),
                                    [](const Tile& k) { return !k.begin.is(0) || !k.end.is(1); });
    if (looped)
      loops(0);
    else
      w.braces("", [&] { loops(0); });
    finish(w, r, n);
  });
}

void MicroKernel::define(Writer& w) const {
  if (partial_ && lanes_ > 1) {
    w.line();
    w.line("// Tiles at the right edge: only the first `n` lanes exist in memory.");
    w.braces(cat("inline void load_part(const ", type_, "* p, long stride, long n, ", vec_, "& v)"), [&] {
      w.line("for (long l = 0; l < ", lanes_, " && l < n; ++l) v[l] = p[l * stride];");
    });
    w.braces(cat("inline void add_part(const ", type_, "* p, long n, ", vec_, "& v)"), [&] {
      w.line("for (long l = 0; l < ", lanes_, " && l < n; ++l) v[l] += p[l];");
    });
    w.braces(cat("inline void store_part(", type_, "* p, long stride, long n, const ", vec_, "& v)"), [&] {
      w.line("for (long l = 0; l < ", lanes_, " && l < n; ++l) p[l * stride] = v[l];");
    });
  }
  for (const Variant& v : variants_) define_one(w, v);
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
  if (!gemm_.last.is_constant()) args += ", " + gemm_.last.to_c();
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
  for (size_t i = 0; i < variants_.size(); ++i) {
    const Variant& v = variants_[i];
    std::vector<std::string> tests;
    for (const Tile* t : cut) tests.push_back(cat(t->name, "_count == ", v.extents.at(t->name)));
    const bool last = exhaustive && i + 1 == variants_.size();
    const std::string head = i > 0 ? "else " : "";
    const std::string test = last || tests.empty() ? "" : "if (" + base::join(tests, " && ") + ") ";
    w.line(head, test, v.name, "(", args, ");");
  }
}

}  // namespace swgen::codegen::x86
