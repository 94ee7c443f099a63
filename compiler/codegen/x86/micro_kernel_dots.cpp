// SPDX-License-Identifier: Apache-2.0
// Lanes along K: every element of the tile is a dot product whose terms fill the lanes; the lanes are
// added up at the end. For operands that both hold K contiguously, without packing either.
#include <algorithm>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/x86/micro_kernel.h"

namespace swgen::codegen::x86 {

using base::cat;
using ir::Tile;

void MicroKernel::check_dots() const {
  const Tile& k = gemm_.k.back();
  if (lane_stride(a_) != 1 || lane_stride(b_) != 1)
    throw base::Infeasible("vectorize(K): both operands need '" + k.name + "' contiguous");
  if (!k.begin.is(0)) throw base::Infeasible("vectorize(K): '" + k.name + "' begins at 0");
  for (const PaddingGuard& guard : guards_)
    if (guard.uses(k.name)) throw base::Infeasible("vectorize(K): '" + k.name + "' reaches into padding");
  for (const Tile& m : gemm_.m)
    if (b_.tile.coefficient(m.name) != 0) throw base::Infeasible("vectorize(K): '" + m.name + "' is a row of both operands");
  for (const Tile& n : gemm_.n)
    if (a_.tile.coefficient(n.name) != 0) throw base::Infeasible("vectorize(K): '" + n.name + "' is a column of both operands");
}

void MicroKernel::sum_dots(Writer& w, const Variant& v, const std::string& pa, const std::string& pb,
                           const Point& taps) const {
  const Tile& k = gemm_.k.back();
  const std::vector<Point> r = rows(v), n = columns(v);
  const std::vector<size_t> present = active(v, taps);
  const std::string end = k.end.to_c();
  const auto pointers = [&] {
    w.line("const ", type_, "* const va = ", pa, " + ", k.name, ";");
    w.line("const ", type_, "* const vb = ", pb, " + ", k.name, ";");
  };
  w.line("long ", k.name, " = 0;");
  w.braces(cat("for (; ", k.name, " + ", lanes_, " <= ", end, "; ", k.name, " += ", lanes_, ")"), [&] {
    pointers();
    inner(w, r, n, present);
  });
  if (!rest_) return;
  w.braces(cat("if (", k.name, " < ", end, ")"), [&] {
    pointers();
    const auto part = [&](const std::string& name, const char* from, int64_t offset) {
      return cat(vec_, " ", name, " = zero; load_part(", from, " + ", offset, ", 1, ", end, " - ", k.name, ", ", name, ");");
    };
    for (size_t c = 0; c < n.size(); ++c) w.line(part(cat("xb", c), "vb", at(b_, r[0], n[c])));
    for (size_t i : present) {
      std::string text = "{ " + part("xa", "va", at(a_, r[i], n[0]));
      for (size_t c = 0; c < n.size(); ++c) text += cat(" c", i, "_", c, " += xa * xb", c, ";");
      w.line(text, " }");
    }
  });
}

void MicroKernel::finish_dots(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns) const {
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string to = cat("pc[", at(c_, rows[r], columns[c]), "]");
      const std::string last = gemm_.last.is_constant() ? "" : "if (last) ";
      std::string text = cat("{ ", type_, " s = sum_of(c", r, "_", c, ");");
      if (!gemm_.first.is_constant()) text += cat(" if (!first) s += ", to, ";");
      if (gemm_.bias) text += cat(" ", last, "s += bias[", at(bias_, rows[r], columns[c]), "];");
      if (gemm_.relu) text += cat(" ", last, "s = s > 0 ? s : 0;");
      w.line(text, " ", to, " = s; }");
    }
}

void MicroKernel::define_lane_sum(Writer& w) const {
  w.line();
  w.line("// All lanes added up, halves first.");
  w.braces(cat("inline ", type_, " sum_of(const vec", lanes_, "& v", lanes_, ")"), [&] {
    for (int64_t half = lanes_ / 2; half > 1; half /= 2)
      w.line("const vec", half, " v", half, " = *(const vec", half, "*)&v", 2 * half, " + *((const vec", half, "*)&v", 2 * half, " + 1);");
    w.line("return v2[0] + v2[1];");
  });
}

}  // namespace swgen::codegen::x86
