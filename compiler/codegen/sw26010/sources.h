// SPDX-License-Identifier: Apache-2.0
// Program -> the files of one SW26010 kernel: header, host code, slave code, self-test.
#pragma once

#include "compiler/codegen/bundle.h"
#include "compiler/target/target.h"

namespace swgen::codegen::sw26010 {

/// Throws base::Infeasible when the program does not suit the mesh primitive.
SourceBundle make_sources(const ir::Program& program, const target::Target& target, const Provenance& provenance,
                          const ir::Seed& reference);

}  // namespace swgen::codegen::sw26010
