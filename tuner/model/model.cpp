// SPDX-License-Identifier: Apache-2.0
#include "tuner/model/model.h"

#include "compiler/base/error.h"
#include "tuner/model/nest.h"

namespace swgen::tuner {

Prediction predict(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target,
                   int threads) {
  return target.has_scratch ? predict_scratch(seed, schedule, target, threads)
                            : predict_cached(seed, schedule, target, threads);
}

Work count_work(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target) {
  const Nest nest = read_nest(seed, schedule);
  const int64_t element = ir::size_of(seed.dtype);
  const int64_t cores = int64_t{target.mesh_rows} * target.mesh_cols;
  const auto align = [](int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; };
  Work work;
  work.multiply_adds = nest.multiply_adds();
  const auto round = [](int64_t e, int64_t unit) { return (e + unit - 1) / unit * unit; };
  const target::MeshGemm& rule = target.mesh_gemm;
  const int64_t m = round(nest.tile(nest.m), nest.lanes == ir::Lanes::m ? rule.lanes_multiple : rule.other_multiple);
  const int64_t n = round(nest.tile(nest.n), nest.lanes == ir::Lanes::m ? rule.other_multiple : rule.lanes_multiple);
  const int64_t k = round(nest.tile(nest.k), rule.k_multiple);
  const auto& c = *nest.contraction;
  for (const NestStage& s : nest.stages) {
    if (s.prepacked) continue;
    work.transfers += s.trips;
    work.transfer_bytes += s.trips * s.elements * element;
    if (target.has_scratch) {
      const int64_t wide = seed.dtype == ir::DType::f32 ? ir::size_of(target.compute_dtype_f32) : element;
      const int64_t tile = s.tensor == c.a.tensor ? m * k : s.tensor == c.b.tensor ? k * n : m * n;
      work.scratch_bytes += align(tile / cores * element, target.scratch_alignment) * s.copies +
                            align(tile / cores * wide, target.scratch_alignment);
    } else {
      work.scratch_bytes += align(s.elements * element, 64) * s.copies;
    }
  }
  return work;
}

}  // namespace swgen::tuner
