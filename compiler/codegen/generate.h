// SPDX-License-Identifier: Apache-2.0
// The table of code generators, one per kind of target.
#pragma once

#include "compiler/codegen/bundle.h"
#include "compiler/target/target.h"

namespace swgen::codegen {

/// Prints a final Program for its target. `reference`: the seed of the self-test's oracle.
/// Throws base::Infeasible when the program does not suit the target's primitives.
SourceBundle generate(const ir::Program& program, const target::Target& target,
                      const Provenance& provenance, const ir::Seed& reference);

}  // namespace swgen::codegen
