// SPDX-License-Identifier: Apache-2.0
// Places buffers one after the other in their space, all copies of one together, and refuses a
// program whose tiles do not fit the scratchpad.
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/passes/passes.h"

namespace swgen::passes {

void place_scratch(ir::Program& program, const target::Target& target) {
  const int64_t element = ir::size_of(program.seed.dtype);
  const auto align = [](int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; };
  const int64_t cores = int64_t{target.mesh_rows} * target.mesh_cols;
  int64_t prepacked = 0, workspace = 0, scratch = 0;
  for (ir::Buffer& b : program.buffers) {
    switch (b.space) {
      case ir::Space::prepacked:
        b.offset = prepacked;
        prepacked += align(b.elements * element, 64);
        break;
      case ir::Space::workspace:
        b.offset = workspace;
        workspace += align(b.elements * element, 64) * b.copies;
        break;
      case ir::Space::scratch: {
        // An f32 tile arrives in the space of its wider copy and is widened in place.
        const int64_t wide = program.seed.dtype == ir::DType::f32
                                 ? ir::size_of(target.compute_dtype_f32)
                                 : element;
        b.offset = scratch;
        scratch += align(b.elements / cores * wide, target.scratch_alignment) * b.copies;
        break;
      }
    }
  }
  program.workspace_bytes = workspace;
  program.scratch_bytes = scratch;
  if (target.has_scratch && scratch > target.scratch_bytes)
    throw base::Infeasible(base::cat("tiles need ", scratch, " bytes of scratchpad, ",
                                     target.scratch_bytes, " are there"));
}

}  // namespace swgen::passes
