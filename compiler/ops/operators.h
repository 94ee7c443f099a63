// SPDX-License-Identifier: Apache-2.0
// The operators: how each is read from YAML and which Seeds it has, one per algorithm.
#pragma once

#include <vector>

#include "compiler/frontend/workload.h"
#include "compiler/ir/seed.h"

namespace swgen::ops {

struct Operator {
  frontend::OperatorSchema schema;
  /// The first is the reference that the others are checked with, and has the interface's extents;
  /// others may see neighbouring dimensions of a tensor as one (1 x HW for H x W).
  std::vector<ir::Seed> (*seeds)(const frontend::Workload&);
};

const std::vector<Operator>& operator_table();

/// The schemas of the table, for frontend::read_workloads.
std::vector<frontend::OperatorSchema> schemas();

/// All seeds of a workload (a built-in operator's, or the one of its `compute:` expression).
/// Tensors: 0 output, 1 first operand, 2 second operand (constant), 3 bias when there is one.
std::vector<ir::Seed> seeds(const frontend::Workload& workload);

// One per file of its name.
Operator conv2d();
Operator matmul();

}  // namespace swgen::ops
