// SPDX-License-Identifier: Apache-2.0
// The text of one micro-kernel: accumulators, the loops of the sum, epilogue and stores.
#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/codegen/x86/micro_kernel.h"

namespace swgen::codegen::x86 {

using base::cat;
using ir::Tile;

namespace {

std::string plus(int64_t offset) { return offset == 0 ? "" : cat(" + ", offset); }

}  // namespace

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
  if (waits()) text += ", bool last";
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
  if (gemm_.first.is_constant() || along_k()) return;
  const auto load = [&] {
    each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
      const int64_t offset = at(c_, rows[r], columns[v]);
      if (stride == 1) return cat(acc, " = ", value("pc", offset, 1), ";");
      return cat("for (int l = 0; l < ", lanes_, "; ++l) { ", acc, "[l] = pc[", offset, " + l * ", stride, "]; }");
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

void MicroKernel::inner(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns,
                        const std::vector<size_t>& active) const {
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
  for (size_t r : active) {
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
  if (along_k()) return finish_dots(w, rows, columns);
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
    if (waits())
      w.braces("if (last)", epilogue);
    else
      epilogue();
  }
  const auto store = [&] {
    each_row(w, rows, columns, [&](size_t r, size_t v, const std::string& acc) {
      const int64_t offset = at(c_, rows[r], columns[v]);
      if (lanes_ == 1) return cat("pc[", offset, "] = ", acc, ";");
      if (stride == 1) return cat("*(", vec_, "*)(pc", plus(offset), ") = ", acc, ";");
      return cat("for (int l = 0; l < ", lanes_, "; ++l) { pc[", offset, " + l * ", stride, "] = ", acc, "[l]; }");
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
  const std::string sums = sum_names.empty() ? "one product" : base::join(sum_names, ", ");
  const std::string what = along_k() ? " column" : lanes_ == 1 ? " value" : " vector";
  w.line("// ", r.size(), r.size() == 1 ? " row" : " rows", named(row_names), " by ", n.size(), what, n.size() == 1 ? "" : "s",
         lanes_ == 1 || along_k() ? "" : cat(" of ", lanes_), named(column_names), ", summed over ", sums,
         along_k() ? cat(", ", lanes_, " terms at a time") : "", ".");
  std::vector<std::string> along;
  for (size_t g = 0; g < guards_.size(); ++g)
    if (v.borders[g].cut) along.push_back(guards_[g].dim());
  if (!along.empty())
    w.line("// At the border along ", base::join(along, ", "), ": taps that fall into the padding are left out.");
  w.braces(cat("SWGEN_TILE void ", v.name, "(", parameters(), ")"), [&] {
    w.line("const ", vec_, " zero = ", lanes_ == 1 ? "0;" : along_k() ? "{};" : "{};  // x - zero: x in all lanes");
    start(w, r, n);
    const bool looped = std::any_of(gemm_.k.begin(), gemm_.k.end(),
                                    [](const Tile& k) { return !k.begin.is(0) || !k.end.is(1); });
    if (looped)
      sum(w, v, 0, "pa", "pb", {});
    else
      w.braces("", [&] { sum(w, v, 0, "pa", "pb", {}); });
    finish(w, r, n);
  });
}

void MicroKernel::sum(Writer& w, const Variant& v, size_t depth, const std::string& pa, const std::string& pb,
                      const Point& taps) const {
  if (depth == gemm_.k.size()) {
    const std::vector<size_t> with_data = active(v, taps);
    if (with_data.empty()) return;
    w.line("const ", type_, "* const va = ", pa, ";");
    w.line("const ", type_, "* const vb = ", pb, ";");
    inner(w, rows(v), columns(v), with_data);
    return;
  }
  if (along_k() && depth + 1 == gemm_.k.size()) return sum_dots(w, v, pa, pb, taps);
  const Tile& k = gemm_.k[depth];
  const auto advanced = [&](const std::string& pointer, const Address& address, int64_t tap) {
    const int64_t c = address.tile.coefficient(k.name);
    if (c == 0 || tap == 0) return pointer;
    if (tap > 0) return cat(pointer, " + ", c * tap);
    return cat(pointer, " + ", k.name, c == 1 ? "" : cat(" * ", c));
  };
  const auto loop = [&](const std::string& begin, const std::string& end, const Point& fixed) {
    w.braces(cat("for (long ", k.name, " = ", begin, "; ", k.name, " < ", end, "; ++", k.name, ")"),
             [&] { sum(w, v, depth + 1, advanced(pa, a_, -1), advanced(pb, b_, -1), fixed); });
  };
  if (!cut(v, k.name)) {
    if (k.begin.is(0) && k.end.is(1))
      sum(w, v, depth + 1, pa, pb, taps);
    else
      loop(k.begin.to_c(), k.end.to_c(), taps);
    return;
  }
  bool alone = true;  // no tap further in decides about the same rows
  for (size_t g = 0; g < guards_.size(); ++g)
    for (size_t later = depth + 1; later < gemm_.k.size(); ++later)
      alone &= !v.borders[g].cut || !guards_[g].uses(k.name) || !guards_[g].uses(gemm_.k[later].name);
  const auto rows_at = [&](int64_t tap) {
    Point fixed = taps;
    fixed[k.name] = tap;
    return active(v, fixed);
  };
  for (int64_t tap = k.begin.value(), end = tap; tap < k.end.value(); tap = end) {
    const std::vector<size_t> now = rows_at(tap);
    for (end = tap + 1; alone && end < k.end.value() && rows_at(end) == now;) ++end;
    if (now.empty()) continue;
    Point fixed = taps;
    fixed[k.name] = tap;
    const bool all = now.size() == rows(v).size();
    const std::string which = all ? "all rows" : now.size() == 1 ? cat("row ", now[0]) :
        now.back() - now[0] + 1 == now.size() ? cat("rows ", now[0], " to ", now.back()) : cat(now.size(), " rows");
    if (end > tap + 1) {
      w.line("// ", k.name, " = ", tap, " to ", end - 1, ": ", which);
      loop(std::to_string(tap), std::to_string(end), fixed);
    } else {
      w.line("// ", k.name, " = ", tap, ": ", which);
      w.braces("", [&] { sum(w, v, depth + 1, advanced(pa, a_, tap), advanced(pb, b_, tap), fixed); });
    }
  }
}

void MicroKernel::define(Writer& w) const {
  if (partial_) {
    w.line();
    w.line("// Tiles at the right edge: only the first `n` lanes exist in memory.");
    define_load_part(w);
    w.braces(cat("inline void add_part(const ", type_, "* p, long n, ", vec_, "& v)"), [&] {
      w.line("for (long l = 0; l < ", lanes_, " && l < n; ++l) v[l] += p[l];");
    });
    w.braces(cat("inline void store_part(", type_, "* p, long stride, long n, const ", vec_, "& v)"), [&] {
      w.line("for (long l = 0; l < ", lanes_, " && l < n; ++l) p[l * stride] = v[l];");
    });
  }
  if (rest_) {
    w.line();
    w.line("// The end of a sum: only the first `n` lanes exist in memory.");
    define_load_part(w);
  }
  if (along_k()) define_folds(w);
  for (const Variant& v : variants_) define_one(w, v);
}

void MicroKernel::define_load_part(Writer& w) const {
  w.braces(cat("inline void load_part(const ", type_, "* p, long stride, long n, ", vec_, "& v)"), [&] {
    w.line("for (long l = 0; l < ", lanes_, " && l < n; ++l) v[l] = p[l * stride];");
  });
}

}  // namespace swgen::codegen::x86
