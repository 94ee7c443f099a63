// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/layout.h"

#include <algorithm>
#include <cctype>

#include "compiler/base/error.h"

namespace swgen::ir {
namespace {

int64_t level_extent(const LayoutLevel& level, int64_t extent) {
  if (level.block == 0) return extent;
  return level.inner ? level.block : (extent + level.block - 1) / level.block;
}

int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

TensorLayout TensorLayout::plain(int rank) {
  TensorLayout layout;
  for (int d = 0; d < rank; ++d) layout.levels.push_back({d, 0, false});
  return layout;
}

std::optional<TensorLayout> TensorLayout::parse(const std::string& text,
                                                const std::vector<std::string>& dims) {
  TensorLayout layout;
  std::vector<int64_t> blocks(dims.size(), -1);  // -1: not seen, 0: whole, -2: outer seen
  for (size_t i = 0; i < text.size(); ++i) {
    int64_t number = 0;
    while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0)
      number = number * 10 + (text[i++] - '0');
    if (i == text.size() || number > (1 << 20)) return std::nullopt;
    const char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    const auto found = std::find(dims.begin(), dims.end(), std::string(1, lower));
    if (found == dims.end()) return std::nullopt;
    const int dim = static_cast<int>(found - dims.begin());
    const bool upper = lower != text[i];
    if (number > 0 && (blocks[dim] != -2 || upper)) return std::nullopt;
    if (number == 0 && blocks[dim] != -1) return std::nullopt;
    blocks[dim] = upper ? -2 : number;
    layout.levels.push_back({dim, number, number > 0});
  }
  for (LayoutLevel& level : layout.levels)
    if (!level.inner) level.block = blocks[level.dim];
  for (int64_t block : blocks)
    if (block < 0) return std::nullopt;
  return layout;
}

std::string TensorLayout::text(const std::vector<std::string>& dims) const {
  std::string out;
  for (const LayoutLevel& level : levels) {
    const char letter = dims[level.dim][0];
    if (level.inner) out += std::to_string(level.block);
    out += level.block > 0 && !level.inner ? static_cast<char>(std::toupper(letter)) : letter;
  }
  return out;
}

int64_t TensorLayout::elements(const std::vector<int64_t>& extents) const {
  int64_t n = 1;
  for (const LayoutLevel& level : levels) n *= level_extent(level, extents[level.dim]);
  return n;
}

std::vector<int64_t> TensorLayout::strides(const std::vector<int64_t>& extents) const {
  std::vector<int64_t> out(levels.size());
  int64_t stride = 1;
  for (size_t i = levels.size(); i-- > 0;) {
    out[i] = stride;
    stride *= level_extent(levels[i], extents[levels[i].dim]);
  }
  return out;
}

bool TensorLayout::blocked() const {
  return std::any_of(levels.begin(), levels.end(), [](const LayoutLevel& l) { return l.inner; });
}

std::optional<Linear> element_offset(const TensorLayout& layout,
                                     const std::vector<int64_t>& extents,
                                     const std::vector<Linear>& index, const Limits& limits) {
  const std::vector<int64_t> strides = layout.strides(extents);
  Linear offset;
  for (size_t l = 0; l < layout.levels.size(); ++l) {
    const LayoutLevel& level = layout.levels[l];
    const Linear& at = index[level.dim];
    if (level.block == 0) {
      offset.add(at, strides[l]);
      continue;
    }
    const int64_t outer_constant = floor_div(at.constant, level.block);
    Linear outer(outer_constant), inner(at.constant - outer_constant * level.block);
    int64_t reach = inner.constant;
    for (const auto& [var, c] : at.terms) {
      if (c % level.block == 0) {
        outer.add_term(var, c / level.block);
      } else {
        const auto limit = limits.find(var);
        base::require(limit != limits.end(), "a variable of an address has no limit");
        if (c < 0) return std::nullopt;
        reach += c * limit->second;
        inner.add_term(var, c);
      }
    }
    if (reach >= level.block) return std::nullopt;
    offset.add(level.inner ? inner : outer, strides[l]);
  }
  return offset;
}

}  // namespace swgen::ir
