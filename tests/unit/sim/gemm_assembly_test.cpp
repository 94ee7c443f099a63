// SPDX-License-Identifier: Apache-2.0
// The generated GEMM primitive on the simulated mesh: every element against plain loops, and its cycles.
#include "compiler/codegen/sw26010/gemm_assembly.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "runtime/sim/mesh.h"

namespace swgen::sim {
namespace {

struct Extents {
  int m, n, k;  // of one core
};

using codegen::sw26010::PublishedBody;

/// Runs C += A * B, or C = A * B, on integers; the cycles, and the number of wrong elements.
class Product {
 public:
  Product(Extents e, bool lanes_n, bool overwrite = false) : Product(e, lanes_n, overwrite, codegen::sw26010::gemm_assembly("gemm", {lanes_n, overwrite})) {}
  Product(Extents e, bool lanes_n, PublishedBody body) : Product(e, lanes_n, false, codegen::sw26010::published_gemm_assembly("gemm", lanes_n, body)) {}

  std::int64_t cycles = 0, wrong = 0;
  const Counters& counters(int row, int column) { return mesh_->counters(row, column); }

 private:
  Product(Extents e, bool lanes_n, bool overwrite, const std::string& text) : e_(e), lanes_n_(lanes_n), text_(assemble("gemm.S", text)) {
    mesh_ = std::make_unique<Mesh>(text_);
    const int M = kSide * e.m, N = kSide * e.n, K = kSide * e.k;
    const auto fill = [](std::vector<double>& v, int count, int factor) {
      v.resize(static_cast<size_t>(count));
      for (int i = 0; i < count; ++i) v[static_cast<size_t>(i)] = i * factor % 5 - 2;
    };
    fill(a_, M * K, 7919);
    fill(b_, K * N, 104729);
    fill(c_, M * N, 31);
    at_b_ = at_a_ + 8L * e.m * e.k;
    at_c_ = at_b_ + 8L * e.n * e.k;
    EXPECT_LE(at_c_ + 8L * e.m * e.n, kScratchBytes);
    each([&](int row, int column, Core& core) {
      for (int k = 0; k < e_.k; ++k) {
        for (int m = 0; m < e_.m; ++m) word(core, at_a_, k * e_.m + m) = a(row * e_.m + m, column * e_.k + k);
        for (int n = 0; n < e_.n; ++n) word(core, at_b_, k * e_.n + n) = b(row * e_.k + k, column * e_.n + n);
      }
      for (int m = 0; m < e_.m; ++m)
        for (int n = 0; n < e_.n; ++n) word(core, at_c_, tile(m, n)) = c_[static_cast<size_t>((row * e_.m + m) * kSide * e_.n + column * e_.n + n)];
      const std::int64_t arguments[6] = {at_a_, at_b_, at_c_, e_.m, e_.n, e_.k};
      for (int i = 0; i < 6; ++i) core.registers[static_cast<size_t>(16 + i)] = Register::of(arguments[i]);
      for (int r : kKept) core.registers[static_cast<size_t>(r)] = Register::of(1000 + r);
      core.registers[30] = Register::of(992);
    });
    cycles = mesh_->run("gemm");
    each([&](int row, int column, Core& core) {
      for (int r : kKept) EXPECT_EQ(core.read(r).integer(), 1000 + r);
      EXPECT_EQ(core.read(30).integer(), 992);
      for (int m = 0; m < e_.m; ++m)
        for (int n = 0; n < e_.n; ++n) {
          double sum = overwrite ? 0 : c_[static_cast<size_t>((row * e_.m + m) * kSide * e_.n + column * e_.n + n)];
          for (int k = 0; k < kSide * e_.k; ++k) sum += a(row * e_.m + m, k) * b(k, column * e_.n + n);
          wrong += word(core, at_c_, tile(m, n)) == sum ? 0 : 1;
        }
    });
  }

  static constexpr int kKept[] = {9, 10, 11, 12, 13, 14, 15, 26, 29};  // what a function must leave to its caller

  void each(const std::function<void(int, int, Core&)>& f) {
    for (int r = 0; r < kSide; ++r)
      for (int c = 0; c < kSide; ++c) f(r, c, mesh_->core(r, c));
  }
  static double& word(Core& core, std::int64_t at, int i) { return *(reinterpret_cast<double*>(core.scratch.data() + at) + i); }
  int tile(int m, int n) const { return lanes_n_ ? m * e_.n + n : n * e_.m + m; }
  double a(int m, int k) const { return a_[static_cast<size_t>(m * kSide * e_.k + k)]; }
  double b(int k, int n) const { return b_[static_cast<size_t>(k * kSide * e_.n + n)]; }

  Extents e_;
  bool lanes_n_;
  Assembly text_;
  std::unique_ptr<Mesh> mesh_;
  std::vector<double> a_, b_, c_;
  std::int64_t at_a_ = 1024, at_b_ = 0, at_c_ = 0;
};

TEST(GemmAssembly, IsRightForAllExtentsItTakes) {
  for (const Extents e : {Extents{16, 4, 1}, {16, 4, 2}, {16, 8, 3}, {32, 4, 5}, {48, 12, 1}, {32, 16, 17}, {16, 20, 33}})
    EXPECT_EQ(Product(e, false).wrong, 0) << e.m << " " << e.n << " " << e.k;
  for (const Extents e : {Extents{4, 16, 1}, {8, 16, 2}, {4, 32, 5}, {12, 48, 3}, {16, 32, 17}})
    EXPECT_EQ(Product(e, true).wrong, 0) << e.m << " " << e.n << " " << e.k;
}

TEST(GemmAssembly, OverwritesWhatWasInC) {
  EXPECT_EQ(Product({32, 8, 3}, false, true).wrong, 0);
  EXPECT_EQ(Product({4, 32, 1}, true, true).wrong, 0);
}

TEST(GemmAssembly, PublishedBodiesAreRightAndTakeTheirCycles) {
  const Extents less{16, 4, 64}, more{16, 4, 128};
  for (const auto& [body, cycles] : {std::pair{PublishedBody::pipelined, 17}, {PublishedBody::compiled, 25}}) {
    for (const Extents e : {Extents{16, 4, 1}, {16, 8, 2}, {32, 12, 3}, {32, 16, 17}}) EXPECT_EQ(Product(e, false, body).wrong, 0);
    EXPECT_EQ(Product({8, 32, 5}, true, body).wrong, 0);
    EXPECT_EQ(Product(more, false, body).cycles - Product(less, false, body).cycles, 8 * 64 * cycles);
  }
}

TEST(GemmAssembly, AllRolesTakeSixteenCyclesForSixteenMultiplyAdds) {
  for (const bool lanes_n : {false, true}) {
    const Extents less = lanes_n ? Extents{4, 16, 64} : Extents{16, 4, 64}, more = lanes_n ? Extents{4, 16, 128} : Extents{16, 4, 128};
    Product a(less, lanes_n), b(more, lanes_n);
    EXPECT_EQ(b.cycles - a.cycles, 8 * 64 * 16);  // 8 steps of a mesh, in each of which a core has another role
    // Core (3,5) sends both operands in no step, one in two of them; core (2,2) both in one.
    for (const auto& [row, column] : {std::pair{3, 5}, {2, 2}})
      EXPECT_EQ(b.counters(row, column).p0 - a.counters(row, column).p0, 8 * 64 * 16);
  }
}

TEST(GemmAssembly, ReachesNinetySixPercentOfThePeak) {
  const Extents e{32, 32, 64};  // 256 x 256 x 512 of the mesh
  Product run(e, false);
  EXPECT_EQ(run.wrong, 0);
  const double floor = e.m * e.n * (kSide * e.k) / 4.0;  // a multiply-add of four lanes a cycle
  EXPECT_GE(floor / static_cast<double>(run.cycles), 0.96);
  EXPECT_EQ(run.cycles, Product(e, true).cycles);
}

}  // namespace
}  // namespace swgen::sim
