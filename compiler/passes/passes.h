// SPDX-License-Identifier: Apache-2.0
// The passes between apply() and code generation, and the one runner through which each goes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/target/target.h"

namespace swgen::passes {

/// Rewrites the program in place. Throws base::Infeasible when the schedule does not fit the target.
using PassFunction = void (*)(ir::Program&, const target::Target&);

struct Pass {
  const char* name;
  const char* help;
  PassFunction run;
};

/// In the order they run.
const std::vector<Pass>& pass_table();

/// Sees the program after each pass ("apply" first).
using Observer = std::function<void(const std::string& pass, const ir::Program&)>;

/// Runs all passes and verifies after each.
void run_passes(ir::Program& program, const target::Target& target, const Observer& observer = {});

// Each in the file of its name.
void infer_transfers(ir::Program&, const target::Target&);
void hoist(ir::Program&, const target::Target&);
void boundary(ir::Program&, const target::Target&);
void prefetch(ir::Program&, const target::Target&);
void place_scratch(ir::Program&, const target::Target&);
void simplify(ir::Program&, const target::Target&);

}  // namespace swgen::passes
