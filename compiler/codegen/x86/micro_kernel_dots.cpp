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
  if (r.size() > 1) {  // g++ 12 otherwise loads the columns again for every row
    w.directive("#if defined(__GNUC__) && !defined(__clang__)");
    w.directive("#pragma GCC unroll 2  // keeps the columns in registers");
    w.directive("#endif");
  }
  w.braces(cat("for (; ", k.name, " + ", lanes_, " <= ", end, "; ", k.name, " += ", lanes_, ")"), [&] {
    pointers();
    inner(w, r, n, present);
  });
  if (!rest_) return;
  w.braces(cat("if (", k.name, " < ", end, ")"), [&] {
    pointers();
    const auto part = [&](const std::string& name, const char* from, int64_t offset) {
      return cat(vec_, " ", name, " = zero; load_part(", from, offset == 0 ? "" : cat(" + ", offset), ", 1, ", end, " - ", k.name, ", ", name, ");");
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
  std::vector<std::string> sums;
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) sums.push_back(cat("c", r, "_", c));
  const size_t lanes = static_cast<size_t>(lanes_), vectors = (sums.size() + lanes - 1) / lanes;
  w.line(type_, " sums[", vectors * lanes, "];");
  for (size_t v = 0; v < vectors; ++v) {
    const size_t first = v * lanes, count = std::min(lanes, sums.size() - first);
    for (size_t half = lanes / 2, step = 1; half > 0; half /= 2, step *= 2) {
      std::string text;
      for (size_t i = 0; i < count; i += 2 * step)
        text += cat(i > 0 ? " " : "", "fold_", half, "(", sums[first + i], ", ", i + step < count ? sums[first + i + step] : "zero", ");");
      w.line(text);
    }
    w.line("*(", vec_, "*)(sums + ", first, ") = ", sums[first], ";");
  }
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string to = cat("pc[", at(c_, rows[r], columns[c]), "]"), sum = cat("sums[", r * columns.size() + c, "]");
      const std::string last = waits() ? "if (last) " : "";
      const std::string bias = gemm_.bias ? cat("bias[", at(bias_, rows[r], columns[c]), "]") : "";
      if (gemm_.first.is_constant() && !waits() && !gemm_.relu) {
        w.line(to, " = ", sum, bias.empty() ? "" : " + " + bias, ";");
        continue;
      }
      std::string text = cat("{ ", type_, " s = ", sum, ";");
      if (!gemm_.first.is_constant()) text += cat(" if (!first) s += ", to, ";");
      if (gemm_.bias) text += cat(" ", last, "s += ", bias, ";");
      if (gemm_.relu) text += cat(" ", last, "s = s > 0 ? s : 0;");
      w.line(text, " ", to, " = s; }");
    }
}

void MicroKernel::define_folds(Writer& w) const {
  w.line();
  w.line("// The lanes of a and b in blocks of 2 h; the halves of each are added: blocks of h, those of a first.");
  for (int64_t half = lanes_ / 2; half > 0; half /= 2) {
    std::vector<int64_t> low, high;
    for (int64_t l = 0; l < 2 * lanes_; ++l)
      if ((l & half) == 0) {
        low.push_back(l);
        high.push_back(l + half);
      }
    w.braces(cat("inline void fold_", half, "(", vec_, "& a, const ", vec_, "& b)"), [&] {
      w.line("a = __builtin_shufflevector(a, b, ", base::join(low, ", "), ") +");
      w.line("    __builtin_shufflevector(a, b, ", base::join(high, ", "), ");");
    });
  }
}

}  // namespace swgen::codegen::x86
