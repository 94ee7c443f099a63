// SPDX-License-Identifier: Apache-2.0
// A contraction stage as the mesh runs it: the primitive's sides and operands. Code generator and simulator read the same.
#pragma once

#include <map>
#include <memory>

#include "compiler/codegen/sw26010/mesh_operand.h"

namespace swgen::codegen::sw26010 {

struct MeshStage {
  const ir::StageProgram* stage = nullptr;
  const ir::Gemm* gemm = nullptr;
  ir::Limits limits;
  Side m, n, k;
  std::map<int, std::unique_ptr<MeshOperand>> operands;  // by buffer

  const MeshOperand& operand(const ir::Transfer& t) const { return *operands.at(t.fill ? t.to.buffer : t.from.buffer); }
};

/// Throws base::Infeasible where the mesh can't run it. `program` must outlive the result.
MeshStage mesh_stage(const ir::Program& program, const target::Target& target, const ir::StageProgram& stage);

}  // namespace swgen::codegen::sw26010
