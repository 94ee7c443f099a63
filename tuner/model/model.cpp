// SPDX-License-Identifier: Apache-2.0
#include "tuner/model/model.h"

#include "compiler/base/error.h"
#include "tuner/model/nest.h"

namespace swgen::tuner {

Prediction predict(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target,
                   int threads) {
  return target.has_scratch ? predict_scratch(seed, schedule, target)
                            : predict_cached(seed, schedule, target, threads);
}

Work count_work(const ir::Seed& seed, const schedule::Schedule& schedule, const target::Target& target) {
  const Nest nest = read_nest(seed, schedule);
  const int64_t element = ir::size_of(seed.dtype);
  const int64_t cores = int64_t{target.mesh_rows} * target.mesh_cols;
  const auto align = [](int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; };
  Work work;
  work.multiply_adds = 1;
  for (const ir::Iter& i : nest.contraction->iters) work.multiply_adds *= i.extent;
  for (const NestStage& s : nest.stages) {
    if (s.prepacked) continue;
    work.transfers += s.trips;
    work.transfer_bytes += s.trips * s.elements * element;
    if (target.has_scratch) {
      const int64_t wide = seed.dtype == ir::DType::f32 ? ir::size_of(target.compute_dtype_f32) : element;
      work.scratch_bytes += align(s.elements / cores * wide, target.scratch_alignment) * s.copies;
    } else {
      work.scratch_bytes += align(s.elements * element, 64) * s.copies;
    }
  }
  return work;
}

}  // namespace swgen::tuner
