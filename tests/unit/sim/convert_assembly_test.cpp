// SPDX-License-Identifier: Apache-2.0
// Conversions of tiles on one simulated core: every element, and cycles per element.
#include "compiler/codegen/sw26010/convert_assembly.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "runtime/sim/mesh.h"

namespace swgen::sim {
namespace {

using codegen::sw26010::Conversion;
using ir::DType;

constexpr std::int64_t kFrom = 1024, kTo = 16384;

double element(const Core& core, std::int64_t at, DType type, std::int64_t i) {
  if (type == DType::f64) {
    double v;
    std::memcpy(&v, core.scratch.data() + at + 8 * i, 8);
    return v;
  }
  float v;
  std::memcpy(&v, core.scratch.data() + at + 4 * i, 4);
  return v;
}

struct Case {
  std::int64_t rows, run;
  std::int64_t from_pitch = 0, to_pitch = 0;  // of rows; 0: the run
};

/// Runs it; the cycles. Elements that are wrong fail the test.
std::int64_t run(Conversion c, Case k) {
  const Assembly text = assemble("convert.S", codegen::sw26010::convert_assembly("convert", c));
  const auto mesh = std::make_unique<Mesh>(text);
  const std::int64_t from_pitch = k.from_pitch > 0 ? k.from_pitch : k.run, to_pitch = k.to_pitch > 0 ? k.to_pitch : k.run;
  const auto value = [](int core, std::int64_t i) { return static_cast<double>(100 * core + i % 97); };
  for (int core = 0; core < 64; ++core) {
    Core& at = mesh->core(core / 8, core % 8);
    for (std::int64_t i = 0; i < k.rows * from_pitch; ++i) {
      const double v = value(core, i);
      const float f = static_cast<float>(v);
      if (c.from == DType::f64)
        std::memcpy(at.scratch.data() + kFrom + 8 * i, &v, 8);
      else
        std::memcpy(at.scratch.data() + kFrom + 4 * i, &f, 4);
    }
    const std::vector<std::int64_t> arguments = {kFrom, kTo, k.rows, k.run, from_pitch, to_pitch};
    for (std::size_t i = 0; i < arguments.size(); ++i) at.registers[16 + i] = Register::of(arguments[i]);
  }
  const std::int64_t cycles = mesh->run("convert");
  int wrong = 0;
  for (int core : {0, 5, 63})
    for (std::int64_t r = 0; r < k.rows; ++r)
      for (std::int64_t x = 0; x < k.run; ++x)
        wrong += element(mesh->core(core / 8, core % 8), kTo, c.to, c.turned ? x * k.rows + r : r * to_pitch + x) == value(core, r * from_pitch + x) ? 0 : 1;
  EXPECT_EQ(wrong, 0) << k.rows << " x " << k.run;
  return cycles;
}

TEST(ConvertAssembly, WidensNarrowsAndTurns) {
  for (const auto& [from, to] : {std::pair{DType::f32, DType::f64}, {DType::f64, DType::f32}, {DType::f64, DType::f64}}) {
    for (const Case& k : {Case{4, 4}, {2, 16}, {16, 20}, {1, 4}, {3, 16, 16, 24}, {5, 20, 24, 20}, {4, 64, 64, 128}, {2, 8, 12, 32}}) run({from, to, false}, k);
    for (const Case& k : {Case{4, 4}, {4, 8}, {8, 4}, {12, 20}, {32, 16}}) run({from, to, true}, k);
  }
}

TEST(ConvertAssembly, TakesLittleMoreThanItsLoadsAndStores) {
  EXPECT_LE(run({DType::f32, DType::f64, false}, {16, 64}), 0.6 * 16 * 64 + 30);
  EXPECT_LE(run({DType::f32, DType::f64, false}, {16, 64, 64, 128}), 0.9 * 16 * 64);
  EXPECT_LE(run({DType::f32, DType::f64, true}, {16, 64}), 0.9 * 16 * 64 + 100);
}

}  // namespace
}  // namespace swgen::sim
