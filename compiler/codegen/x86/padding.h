// SPDX-License-Identifier: Apache-2.0
// Which rows of a register tile have data at which taps, when the tile reaches into padding that is
// not staged. Tiles at the borders of the image differ from those inside: each border is a range of
// positions and gets a micro-kernel of its own, in which the taps are unrolled.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace swgen::codegen::x86 {

using Point = std::map<std::string, int64_t>;  // a value per tile

/// Positions (values of a guard's part over outer loops) with the same rows active at every tap.
struct Border {
  int64_t low = 0, high = 0;                // the positions, both included
  bool lowest = false, highest = false;     // none is below, above
  bool cut = false;                         // some product is left out
  std::string suffix;                       // of the micro-kernel's name
};

class PaddingGuard {
 public:
  /// Throws base::Infeasible when the lanes reach into the padding.
  PaddingGuard(const ir::Guard& guard, const ir::Gemm& gemm, const ir::Limits& limits);

  /// The borders of tiles with these extents, by position.
  std::vector<Border> borders(const std::map<std::string, int64_t>& extents) const;

  /// Whether the product at a row and tap lies inside the tensor, for a tile at `border`.
  bool inside(const Border& border, const Point& row, const Point& tap) const;

  bool uses(const std::string& tile) const { return tile_.uses(tile); }
  /// The position in C, and the name of its variable.
  std::string position() const { return ir::Expr::from(outer_).to_c(); }
  std::string variable() const { return dim_ + "_at"; }
  const std::string& dim() const { return dim_; }

 private:
  /// '1' per product inside, over all rows and taps of the tile.
  std::string signature(int64_t position, const std::map<std::string, int64_t>& extents) const;

  std::string dim_;
  int64_t extent_ = 0;
  ir::Linear outer_, tile_;
  std::vector<const ir::Tile*> rows_, taps_;  // tiles that the guard uses
  const ir::Limits& limits_;
};

}  // namespace swgen::codegen::x86
