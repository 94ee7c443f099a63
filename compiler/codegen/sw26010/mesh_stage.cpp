// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/mesh_stage.h"

#include "compiler/base/error.h"

namespace swgen::codegen::sw26010 {

using namespace ir;

MeshStage mesh_stage(const Program& program, const target::Target& target, const StageProgram& stage) {
  MeshStage out;
  out.stage = &stage;
  out.limits = limits_of(stage);
  walk(stage.body, [&](const Stmt& s) {
    if (const auto* g = s.as<Gemm>()) out.gemm = g;
  });
  base::require(out.gemm != nullptr, "a contraction stage has a primitive");
  const Gemm& gemm = *out.gemm;
  if (gemm.lanes == Lanes::k) throw base::Infeasible("the mesh primitive has lanes along M or N");
  for (const Operand* o : {&gemm.a, &gemm.b, &gemm.c})
    if (o->buffer < 0) throw base::Infeasible(program.seed.tensors[o->tensor].name + " is not staged in the scratchpad");
  const target::MeshGemm& rule = target.mesh_gemm;
  out.m = {'M', gemm.m, gemm.lanes == Lanes::m ? rule.lanes_multiple : rule.other_multiple};
  out.n = {'N', gemm.n, gemm.lanes == Lanes::m ? rule.other_multiple : rule.lanes_multiple};
  out.k = {'K', gemm.k, rule.k_multiple};
  for (const Tile& t : gemm.k)
    if (!t.begin.is(0)) throw base::Infeasible("a reduction of the mesh primitive begins at 0");
  walk(stage.body, [&](const Stmt& s) {
    const auto* t = s.as<Transfer>();
    if (t == nullptr) return;
    const int buffer = t->fill ? t->to.buffer : t->from.buffer;
    const bool a = buffer == gemm.a.buffer, b = buffer == gemm.b.buffer;
    // A is cut M x K, B is cut K x N, C is cut M x N over mesh rows x columns.
    const Side& over_rows = b ? out.k : out.m;
    const Side& over_columns = a ? out.k : out.n;
    const char fast = a ? 'M' : b ? 'N' : gemm.lanes == Lanes::m ? 'M' : 'N';
    out.operands[buffer] = std::make_unique<MeshOperand>(program, *t, out.limits, over_rows, over_columns, fast);
  });
  return out;
}

}  // namespace swgen::codegen::sw26010
