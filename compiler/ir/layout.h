// SPDX-License-Identifier: Apache-2.0
// Memory layouts: an order of dimensions, some of them blocked ("nChw16c").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/linear.h"
#include "compiler/ir/seed.h"

namespace swgen::ir {

/// One level of a layout: dimension `dim` in whole (block 0), its blocks of `block` elements
/// (outer), or the position inside a block (inner).
struct LayoutLevel {
  int dim = 0;
  int64_t block = 0;
  bool inner = false;
};

/// Levels from slowest to fastest. A blocked dimension is padded to whole blocks.
struct TensorLayout {
  std::vector<LayoutLevel> levels;

  /// Row-major over `rank` dimensions.
  static TensorLayout plain(int rank);
  /// Parses letters of `dims` ("nhwc"; upper case = blocked, "nChw16c"); nullopt when the text names
  /// a dimension twice, leaves one out or names an unknown one.
  static std::optional<TensorLayout> parse(const std::string& text,
                                           const std::vector<std::string>& dims);

  std::string text(const std::vector<std::string>& dims) const;
  int64_t elements(const std::vector<int64_t>& extents) const;
  /// Stride in elements of each level.
  std::vector<int64_t> strides(const std::vector<int64_t>& extents) const;
  bool blocked() const;
};

/// Largest value that a part (loop or tile variable) takes, by name.
using Limits = std::map<std::string, int64_t>;

/// Element offset of `index` in a tensor of `extents` so laid out. nullopt when a blocked dimension's
/// index does not fall apart into whole blocks and a position inside one.
std::optional<Linear> element_offset(const TensorLayout& layout,
                                     const std::vector<int64_t>& extents,
                                     const std::vector<Linear>& index, const Limits& limits);

}  // namespace swgen::ir
