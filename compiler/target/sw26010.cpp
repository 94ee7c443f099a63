// SPDX-License-Identifier: Apache-2.0
#include "compiler/target/targets.h"

namespace swgen::target {

Target sw26010() {
  Target t;
  t.name = "sw26010";
  t.vector_bytes = 32;      // 4 doubles; floats are held as 4 widened lanes (Zhao et al., TACO 2018, 3.7)
  t.vector_registers = 32;  // Zhao et al., TACO 2018, 3.4.2
  t.clock_ghz = 1.45;       // Li et al., CLUSTER 2018, II
  t.peak_gflops = 742.4;    // 64 CPEs x 8 flop/cycle (TACO 2018, Eq. 1)
  t.peak_gflops_f64 = 742.4;
  t.memory_gbps = 26.0;  // strided DMA of 64 CPEs saturates here (public swGEMM measurements)
  t.has_scratch = true;
  t.mesh_rows = t.mesh_cols = 8;
  t.scratch_bytes = 56 << 10;  // of 64 KB; the rest is stack and small data (55 to 60 in public kernels)
  t.compute_dtype_f32 = ir::DType::f64;  // float2double: widened in LDM (TACO 2018, 3.7)
  // Legal extents of the register-communication GEMM (Gao et al., ICPP 2019; Fang 2019, 4.1.2).
  t.mesh_gemm = {128, 32, 8};
  // docs/sw26010.md tells the source of each, and the error against published measurements.
  t.dma = {128, 278, 246, 5.66, 6.53, 7.15, 5.03, 6.44, 11.0, 45.0, 6.8, 30};
  t.launch_cycles = 14500;  // 10 us: measured runs leave 10 to 20 for both (public swDNN logs)
  return t;
}

}  // namespace swgen::target
