// SPDX-License-Identifier: Apache-2.0
// Places buffers one after the other in their space, all copies of one together, and refuses a
// program whose tiles do not fit the scratchpad.
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/passes/passes.h"

namespace swgen::passes {
namespace {

/// Elements of one core's share of a tile: both sides rounded up to what the primitive takes.
int64_t share(const ir::Gemm& g, const ir::Buffer& b, int id, const target::Target& t) {
  const auto side = [](const std::vector<ir::Tile>& tiles, int64_t multiple) {
    int64_t extent = 1;
    for (const ir::Tile& tile : tiles) extent *= tile.extent;
    return (extent + multiple - 1) / multiple * multiple;
  };
  const target::MeshGemm& rule = t.mesh_gemm;
  const int64_t m = side(g.m, g.lanes == ir::Lanes::m ? rule.lanes_multiple : rule.other_multiple);
  const int64_t n = side(g.n, g.lanes == ir::Lanes::m ? rule.other_multiple : rule.lanes_multiple);
  const int64_t k = side(g.k, rule.k_multiple);
  int64_t plain = 1;
  for (const auto* tiles : {&g.m, &g.n, &g.k})
    for (const ir::Tile& tile : *tiles)
      if (b.address.uses(tile.name)) plain *= tile.extent;
  if (!b.by_parts || plain != b.elements)
    throw base::Infeasible("a scratchpad tile is the panel of one primitive");
  const int64_t all = id == g.a.buffer ? m * k : id == g.b.buffer ? k * n : m * n;
  return all / (int64_t{t.mesh_rows} * t.mesh_cols);
}

}  // namespace

void place_scratch(ir::Program& program, const target::Target& target) {
  const int64_t element = ir::size_of(program.seed.dtype);
  const int64_t wide = program.seed.dtype == ir::DType::f32 ? ir::size_of(target.compute_dtype_f32) : element;
  const auto align = [](int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; };
  int64_t prepacked = 0, workspace = 0, scratch = 0;
  for (size_t id = 0; id < program.buffers.size(); ++id) {
    ir::Buffer& b = program.buffers[id];
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
        int64_t elements = 0;
        for (const ir::StageProgram& stage : program.stages)
          ir::walk(stage.body, [&](const ir::Stmt& s) {
            const auto* g = s.as<ir::Gemm>();
            const int buffer = static_cast<int>(id);
            if (g != nullptr && (g->a.buffer == buffer || g->b.buffer == buffer || g->c.buffer == buffer))
              elements = share(*g, b, buffer, target);
          });
        b.offset = scratch;
        b.raw_bytes = align(elements * element, target.scratch_alignment);
        b.wide_offset = scratch + b.raw_bytes * b.copies;
        scratch = b.wide_offset + align(elements * wide, target.scratch_alignment);
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
