// SPDX-License-Identifier: Apache-2.0
// A tile of a tensor as the mesh of cores holds it: a matrix of rows and contiguous runs, cut 8 x 8.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/codegen/writer.h"
#include "compiler/ir/program.h"
#include "compiler/target/target.h"

namespace swgen::codegen::sw26010 {

/// One dimension of the GEMM primitive: tiles that together are one index, outer to inner.
struct Side {
  char name = 'M';
  std::vector<ir::Tile> tiles;
  int64_t multiple = 1;  // of the primitive

  int64_t extent() const;
  /// Extent that is there, rounded up to what the primitive takes, over 8: a core's share.
  ir::Expr share() const;
};

/// What of a core's slice of a tile lies inside its tensor: `rows` rows from `row` on, of each the elements `low` to `high` - 1.
/// `offset`: of the first one in the tensor; `raw`: where they lie, packed, in the raw tile.
struct Slice {
  int64_t row = 0, rows = 0, low = 0, high = 0, offset = 0, raw = 0;
  int64_t elements() const { return rows * (high - low); }
};

class MeshOperand {
 public:
  /// `transfer` moves between the operand's tensor and its tile; `sides`: the two it is made of, the
  /// one over mesh rows first; `fast`: the side that is contiguous in the tile. Throws
  /// base::Infeasible when a side is not evenly spaced in memory.
  MeshOperand(const ir::Program& program, const ir::Transfer& transfer, const ir::Limits& limits,
              const Side& over_rows, const Side& over_columns, char fast);

  const std::string& name() const { return name_; }
  bool output() const { return !transfer_.fill; }
  bool scattered() const { return scattered_; }
  const ir::Buffer& buffer() const;

  /// Loop variables on which the part depends, in alphabetical order.
  const std::vector<std::string>& variables() const { return variables_; }

  /// The tile at one place of the loops: what slices of all cores have in common.
  struct Place {
    int64_t rows = 0, run = 0;  // shares of a core
    std::vector<std::pair<int64_t, int64_t>> rows_there;  // first and end, of each segment where they differ
    int64_t low = 0, high = 0, first_segment = 0, end_segment = 1, base = 0;
  };
  Place place(const std::map<std::string, int64_t>& env) const;
  /// The parts of the slice of core (row, column): several where the run has gaps.
  std::vector<Slice> slices(const Place& place, int row, int column) const;
  /// Elements between rows in the tensor; between elements of a run.
  int64_t row_stride() const { return rows().extent() > 1 ? flat_stride(rows().tiles) : 0; }
  int64_t run_stride() const { return scattered_ ? flat_stride(run().tiles) : 1; }
  bool turned() const { return turned_; }

  /// Functions part_<name>, and ask_/take_<name> or put_<name>; and their data in scratch.
  void define(Writer& w, const std::string& task) const;

  std::string tile() const { return name_ + "_tile"; }
  std::string call(const std::string& function, const std::vector<std::string>& arguments,
                   const std::string& last) const;

 private:
  struct Range {
    ir::Expr low, high;
  };
  using Tiles = std::vector<ir::Tile>;
  Range range_of(const Tiles& tiles) const;
  /// Whether all guards hold that depend on no tile of the operand.
  ir::Expr anywhere() const;
  bool mine(const ir::Guard& g) const;
  bool across(const ir::Guard& g) const;
  int64_t limit(const std::string& var) const;
  const Side& rows() const { return run_is_columns_ ? over_rows_ : over_columns_; }
  const Side& run() const { return run_is_columns_ ? over_columns_ : over_rows_; }
  /// The tiles of the run that are one without gaps; the tile outside of them, where there is one.
  Tiles inner_run() const { return segmented_ ? Tiles(run().tiles.begin() + 1, run().tiles.end()) : run().tiles; }
  int64_t segment() const;
  int64_t flat_stride(const Tiles& tiles) const;
  int64_t longest_run() const;
  int64_t lowest(const ir::Linear& form) const;   // over all values of its variables
  int64_t highest(const ir::Linear& form) const;
  ir::Linear outer_offset() const;
  void define_part(Writer& w) const;
  void for_segments(Writer& w, const std::string& statement) const;
  std::string part_call() const;
  std::string raw_at(const std::string& slot) const;
  std::string parameters() const;

  const ir::Program& program_;
  const ir::Transfer& transfer_;
  ir::Limits limits_;
  Side over_rows_, over_columns_;
  std::string name_;
  ir::Linear offset_;
  bool run_is_columns_ = true;
  bool turned_ = false;     // rows of the tensor are runs of the tile
  bool scattered_ = false;  // runs have gaps between their elements
  bool segmented_ = false;  // runs have gaps between their segments: rows of an image
  struct {
    ir::Expr rows, run, first_row, end_row, low, high, first_segment = 0, end_segment = 1, base;
  } extent_;  // of a place, as expressions of loop variables
  std::vector<std::string> variables_;
};

}  // namespace swgen::codegen::sw26010
