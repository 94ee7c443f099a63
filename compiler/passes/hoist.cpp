// SPDX-License-Identifier: Apache-2.0
// Moves transfers as far out as dependence allows: past every loop whose variable they do not use
// (after "DMA placement", J. Fang, PhD thesis, Tsinghua University 2019, Alg. 7). A tile that stays
// put while an inner loop runs is then moved once.
#include "compiler/passes/passes.h"

namespace swgen::passes {
namespace {

using namespace ir;

bool uses(const Transfer& t, const std::string& var) {
  for (const Operand* o : {&t.to, &t.from})
    for (const Linear& index : o->index)
      if (index.uses(var)) return true;
  for (const Guard& g : t.guards)
    if (g.value.uses(var)) return true;
  return false;
}

}  // namespace

void hoist(Program& program, const target::Target&) {
  for (StageProgram& stage : program.stages)
    stage.body = rewrite(stage.body, [&](const Stmt& s) -> std::vector<Stmt> {
      const auto* loop = s.as<For>();
      // A thread's buffers are filled by that thread.
      if (loop == nullptr || loop->parallel) return {s};
      std::vector<Stmt> before, after;
      For copy = *loop;
      copy.body.clear();
      for (const Stmt& inner : loop->body) {
        const auto* t = inner.as<Transfer>();
        if (t == nullptr || uses(*t, loop->var))
          copy.body.push_back(inner);
        else
          (t->fill ? before : after).push_back(inner);
      }
      before.push_back(copy);
      before.insert(before.end(), after.begin(), after.end());
      return before;
    });
}

}  // namespace swgen::passes
