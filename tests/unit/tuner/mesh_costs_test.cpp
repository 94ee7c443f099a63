// SPDX-License-Identifier: Apache-2.0
// tuner/model/data/sw26010/mesh_costs.csv against the simulator it was fitted to.
#include "tuner/model/mesh_costs.h"

#include <gtest/gtest.h>

#include "tuner/simulate/costs.h"

namespace swgen::tuner {
namespace {

TEST(MeshCosts, OfThePrimitiveAreThoseOfTheSimulator) {
  const MeshCosts& c = mesh_costs();
  for (const ir::Lanes lanes : {ir::Lanes::m, ir::Lanes::n})
    for (const bool overwrite : {false, true})
      for (const auto& [vectors, values, k] : {std::tuple{16, 4, 2}, {16, 4, 16}, {32, 32, 8}, {64, 16, 33}}) {
        const double rows = values / 4, tiles = rows * vectors / 16, fitted = c.gemm_call + rows * c.gemm_row + tiles * (c.gemm_tile + c.gemm_k * k);
        const bool n = lanes == ir::Lanes::n;
        const auto cycles = static_cast<double>(gemm_cycles(lanes, overwrite, n ? values : vectors, n ? vectors : values, k));
        EXPECT_NEAR(fitted / cycles, 1, 0.03) << vectors << " " << values << " " << k;
      }
}

TEST(MeshCosts, OfConversionsAreThoseOfTheSimulator) {
  const MeshCosts& c = mesh_costs();
  const auto cycles = [](Conversion v) { return static_cast<double>(conversion_cycles(v)); };
  EXPECT_NEAR((c.call + 2048 * c.straight) / cycles({ir::DType::f32, false, false, true, 64, 32, 32}), 1, 0.03);
  EXPECT_NEAR((c.call + 64 * c.row + 1024 * c.straight) / cycles({ir::DType::f32, false, false, true, 64, 16, 32}), 1, 0.08);
  EXPECT_NEAR((16 * c.turn_rows + 4096 * c.turn) / cycles({ir::DType::f32, false, true, true, 64, 64, 64}), 1, 0.08);
  EXPECT_NEAR(100 * c.scalar / cycles({ir::DType::f32, false, false, false, 10, 10, 10}), 1, 0.03);
  EXPECT_NEAR(4096 * c.zero / static_cast<double>(zero_cycles(4096)), 1, 0.03);
}

}  // namespace
}  // namespace swgen::tuner
