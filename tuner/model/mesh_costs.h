// SPDX-License-Identifier: Apache-2.0
// Cycles of a core's code, fitted to the simulator: tuner/model/data/sw26010/mesh_costs.csv, which tells how to make it again.
#pragma once

namespace swgen::tuner {

struct MeshCosts {
  double gemm_call = 0, gemm_row = 0, gemm_tile = 0, gemm_k = 0;  // per call, row of tiles, tile of 16 x 4 of a core, k of one in it
  double straight = 0, row = 0, turn = 0, turn_rows = 0, scalar = 0, zero = 0, call = 0;  // conversions: per element, row, four rows
  double place = 0, round = 0;  // C around a transfer, and around a step
  double error = 0;             // of predicted times against simulated ones: nine of ten are closer
};

const MeshCosts& mesh_costs();

}  // namespace swgen::tuner
