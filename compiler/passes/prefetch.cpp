// SPDX-License-Identifier: Apache-2.0
// Marks transfers into double-buffered tiles: the code generator issues the tile of the next
// iteration, across the borders of the enclosing loops, before it waits for the present one.
#include "compiler/base/error.h"
#include "compiler/passes/passes.h"

namespace swgen::passes {

void prefetch(ir::Program& program, const target::Target& target) {
  for (ir::StageProgram& stage : program.stages)
    stage.body = ir::rewrite(stage.body, [&](const ir::Stmt& s) -> std::vector<ir::Stmt> {
      const auto* t = s.as<ir::Transfer>();
      if (t == nullptr || t->to.buffer < 0 || program.buffers[t->to.buffer].copies == 1) return {s};
      if (!target.has_scratch)
        throw base::Infeasible("double buffering needs a scratchpad with asynchronous transfers");
      ir::Transfer copy = *t;
      copy.ahead = true;
      return {copy};
    });
}

}  // namespace swgen::passes
