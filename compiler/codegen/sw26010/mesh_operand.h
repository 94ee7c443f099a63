// SPDX-License-Identifier: Apache-2.0
// A tile of a tensor as the mesh of cores holds it: a matrix of rows and contiguous runs, cut 8 x 8.
#pragma once

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
  /// Extent that is there, rounded up to what the primitive takes, over 8: a core's share. In C.
  std::string share() const;
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

  /// Functions part_<name>, and ask_/take_<name> or put_<name>; and their data in scratch.
  void define(Writer& w, const std::string& task) const;

  std::string tile() const { return name_ + "_tile"; }
  std::string call(const std::string& function, const std::vector<std::string>& arguments,
                   const std::string& last) const;

 private:
  struct Range {
    ir::Expr low, high;
  };
  Range range_of(const Side& side) const;
  const Side& rows() const { return run_is_columns_ ? over_rows_ : over_columns_; }
  const Side& run() const { return run_is_columns_ ? over_columns_ : over_rows_; }
  int64_t flat_stride(const Side& side) const;
  int64_t longest_run() const;
  int64_t lowest(const ir::Linear& form) const;   // over all values of its variables
  int64_t highest(const ir::Linear& form) const;
  void define_part(Writer& w) const;
  std::string parameters() const;

  const ir::Program& program_;
  const ir::Transfer& transfer_;
  ir::Limits limits_;
  Side over_rows_, over_columns_;
  std::string name_;
  ir::Linear offset_;
  bool run_is_columns_ = true;
  bool transposed_ = false;
  bool scattered_ = false;  // runs have gaps between their elements
  std::vector<std::string> variables_;
};

}  // namespace swgen::codegen::sw26010
