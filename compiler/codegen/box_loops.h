// SPDX-License-Identifier: Apache-2.0
// Which loops `_run_box` narrows: per output dimension the outermost part of its slowest iterator, where it runs outside of
// the tiles in which the output is staged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace swgen::codegen {

struct BoxLoop {
  int dim = -1;
  int64_t scale = 1;  // a step of the dimension in output elements of the loop's iterator
  int64_t grain = 1;  // output elements per iteration

  /// A bound of the box, in C, in output elements of the iterator.
  std::string bound(const std::string& array) const;
};

struct BoxLoops {
  std::map<std::string, BoxLoop> loops;  // by loop variable
  std::vector<int64_t> grain;            // by output dimension; the extent where no loop can be narrowed

  /// First value of the loop and the value past its last, in C. `begin`, `end`: arrays of the box.
  std::string begin_of(const ir::For& loop, const std::string& begin) const;
  std::string end_of(const ir::For& loop, const std::string& end) const;
};

/// Boxes are in the extents of `reference`, of which the program may see two dimensions as one.
BoxLoops find_box_loops(const ir::Program& program, const ir::Seed& reference);

}  // namespace swgen::codegen
