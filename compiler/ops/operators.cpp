// SPDX-License-Identifier: Apache-2.0
#include "compiler/ops/operators.h"

#include "compiler/base/error.h"

namespace swgen::ops {
namespace {

/// A contraction of the user's own: one algorithm, laid out as written.
std::vector<ir::Seed> compute_seeds(const frontend::Workload& w) {
  ir::Seed seed;
  seed.algorithm = "direct";
  seed.dtype = w.dtype;
  seed.tensors = w.compute->tensors;
  ir::Contraction c = w.compute->contraction;
  c.relu = w.relu;
  seed.stages.push_back({"direct", c});
  return {seed};
}

}  // namespace

const std::vector<Operator>& operator_table() {
  static const std::vector<Operator> table = {conv2d(), matmul()};
  return table;
}

std::vector<frontend::OperatorSchema> schemas() {
  std::vector<frontend::OperatorSchema> out;
  for (const Operator& op : operator_table()) out.push_back(op.schema);
  return out;
}

std::vector<ir::Seed> seeds(const frontend::Workload& workload) {
  std::vector<ir::Seed> out;
  if (workload.compute) {
    out = compute_seeds(workload);
  } else {
    for (const Operator& op : operator_table())
      if (op.schema.name == workload.op) out = op.seeds(workload);
  }
  base::require(!out.empty(), "no operator of the workload's name");
  for (const ir::Seed& seed : out) ir::verify(seed);
  return out;
}

}  // namespace swgen::ops
