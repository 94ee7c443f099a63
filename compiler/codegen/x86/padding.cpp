// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/x86/padding.h"

#include <functional>
#include <set>

#include "compiler/base/error.h"

namespace swgen::codegen::x86 {
namespace {

/// Calls `visit` for every point of a box of named extents.
void each_point(const std::vector<std::pair<std::string, int64_t>>& box,
                const std::function<void(const Point&)>& visit) {
  Point p;
  std::function<void(size_t)> nest = [&](size_t i) {
    if (i == box.size()) {
      visit(p);
      return;
    }
    for (int64_t v = 0; v < box[i].second; ++v) {
      p[box[i].first] = v;
      nest(i + 1);
    }
  };
  nest(0);
}

int64_t value_at(const ir::Linear& form, const Point& p) {
  int64_t value = form.constant;
  for (const auto& [var, c] : form.terms) {
    const auto found = p.find(var);
    if (found != p.end()) value += c * found->second;
  }
  return value;
}

}  // namespace

PaddingGuard::PaddingGuard(const ir::Guard& guard, const ir::Gemm& gemm, const ir::Limits& limits)
    : dim_(guard.dim), extent_(guard.extent), outer_(guard.value), limits_(limits) {
  for (const ir::Tile& t : gemm.n)
    if (guard.value.uses(t.name))
      throw base::Infeasible("the lanes reach into the padding along " + dim_ + "; stage it");
  for (const auto& [tiles, mine] : {std::pair{&gemm.m, &rows_}, std::pair{&gemm.k, &taps_}})
    for (const ir::Tile& t : *tiles) {
      if (!guard.value.uses(t.name)) continue;
      const int64_t c = guard.value.coefficient(t.name);
      tile_.add_term(t.name, c);
      outer_.add_term(t.name, -c);
      mine->push_back(&t);
    }
  for (const ir::Tile* t : taps_)
    if (!t->begin.is_constant() || !t->end.is_constant())
      throw base::Infeasible("tap " + t->name + " is cut and in the padding along " + dim_ + "; stage it");
}

std::string PaddingGuard::signature(int64_t position, const std::map<std::string, int64_t>& extents) const {
  std::vector<std::pair<std::string, int64_t>> box;
  for (const ir::Tile* t : rows_) box.emplace_back(t->name, extents.at(t->name));
  for (const ir::Tile* t : taps_) box.emplace_back(t->name, t->extent);
  std::string bits;
  each_point(box, [&](const Point& p) {
    const int64_t at = position + value_at(tile_, p);
    bits += at >= 0 && at < extent_ ? '1' : '0';
  });
  return bits;
}

std::vector<Border> PaddingGuard::borders(const std::map<std::string, int64_t>& extents) const {
  std::set<std::string> vars;
  for (const auto& [var, c] : outer_.terms) vars.insert(var);
  for (const ir::Tile* t : rows_)
    for (const auto& [var, limit] : limits_)
      if (t->end.uses(var)) vars.insert(var);
  std::vector<std::pair<std::string, int64_t>> box;
  for (const std::string& var : vars) box.emplace_back(var, limits_.at(var) + 1);
  std::set<int64_t> positions;
  each_point(box, [&](const Point& p) {
    for (const ir::Tile* t : rows_)
      if (t->end.evaluate(p) != extents.at(t->name)) return;
    positions.insert(value_at(outer_, p));
  });
  std::vector<Border> found;
  std::string last;
  for (int64_t position : positions) {
    const std::string bits = signature(position, extents);
    if (found.empty() || bits != last) {
      found.push_back({position, position, found.empty(), false, bits.find('0') != std::string::npos, ""});
    } else {
      found.back().high = position;
    }
    last = bits;
  }
  if (found.empty()) return found;
  found.back().highest = true;
  if (found.size() == 1) return found;
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i].cut)
      found[i].suffix = "_" + dim_ + (found[i].lowest ? "_first" : found[i].highest ? "_last" : std::to_string(i));
  return found;
}

bool PaddingGuard::inside(const Border& border, const Point& row, const Point& tap) const {
  const int64_t at = border.low + value_at(tile_, row) + value_at(tile_, tap);
  return at >= 0 && at < extent_;
}

}  // namespace swgen::codegen::x86
