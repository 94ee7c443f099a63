// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/passes.h"

namespace swgen::passes {

const std::vector<Pass>& pass_table() {
  static const std::vector<Pass> table = {
      {"infer_transfers", "turns staging marks into buffers and transfers", infer_transfers},
      {"hoist", "moves transfers out of loops they do not depend on", hoist},
      {"boundary", "bounds tiles and loops where extents do not divide, drops needless guards",
       boundary},
      {"prefetch", "issues double-buffered transfers one iteration ahead", prefetch},
      {"place_scratch", "gives each buffer its place and checks the capacity", place_scratch},
      {"simplify", "drops loops of one iteration and folds bounds", simplify},
  };
  return table;
}

void run_passes(ir::Program& program, const target::Target& target, const Observer& observer) {
  ir::verify(program, "apply");
  if (observer) observer("apply", program);
  for (const Pass& pass : pass_table()) {
    pass.run(program, target);
    ir::verify(program, pass.name);
    if (observer) observer(pass.name, program);
  }
}

}  // namespace swgen::passes
