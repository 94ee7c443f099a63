// SPDX-License-Identifier: Apache-2.0
// The verifiers: each broken invariant is an internal error that names the place.
#include "compiler/ir/program.h"

#include <gtest/gtest.h>

#include <functional>

#include "compiler/base/error.h"

namespace swgen::ir {
namespace {

AffineIndex at(int iter) { return {0, {{iter, 1}}}; }

/// Y[i,j] += X[i,k] * W[k,j].
Seed matmul_seed() {
  Seed seed;
  seed.algorithm = "direct";
  seed.tensors = {{"Y", Role::output, {"i", "j"}, {4, 6}, "", false},
                  {"X", Role::input, {"i", "k"}, {4, 8}, "", false},
                  {"W", Role::constant, {"k", "j"}, {8, 6}, "", false}};
  Contraction c;
  c.iters = {{"i", 4}, {"j", 6}, {"k", 8}};
  c.out = {0, {at(0), at(1)}};
  c.a = {1, {at(0), at(2)}};
  c.b = {2, {at(2), at(1)}};
  seed.stages.push_back({"direct", c});
  return seed;
}

Linear var(const std::string& name) {
  Linear f;
  f.add_term(name, 1);
  return f;
}

Gemm gemm() {
  Gemm g;
  g.k = {{"k", 8, 0, 8}};
  g.c = {0, -1, {var("i"), var("j")}};
  g.a = {1, -1, {var("i"), var("k")}};
  g.b = {2, -1, {var("k"), var("j")}};
  g.first = g.last = 1;
  return g;
}

Program program_of(const Stmt& leaf) {
  Program p;
  p.seed = matmul_seed();
  p.layouts.assign(3, TensorLayout::plain(2));
  const Stmt inner = For{"j", 0, 6, false, {leaf}};
  p.stages.push_back({"direct", {}, {}, {For{"i", 0, 4, true, {inner}}}});
  return p;
}

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const base::InternalError& e) {
    return e.what();
  }
  return "";
}

std::string error_of(const Gemm& g) {
  return error_of([&] { verify(program_of(g), "a pass"); });
}

TEST(Program, AGoodOneVerifiesAndPrints) {
  EXPECT_EQ(error_of(gemm()), "");
  EXPECT_EQ(to_text(program_of(gemm())),
            "program direct schedule \"\"\n"
            "stage direct\n"
            "  parallel for i in 0..4\n"
            "    for j in 0..6\n"
            "      gemm m: 1 n: 1 k: k=0..8/8: Y[i, j] += X[i, k] * W[k, j] first 1 last 1\n");
}

TEST(Program, VerifyFindsUnboundVariables) {
  Gemm g = gemm();
  g.first = equal(Expr::variable("ko"), 0);
  EXPECT_EQ(error_of(g), "internal error: after a pass: variable ko is not bound");
  g = gemm();
  g.a.index[1].add_term("z", 2);
  EXPECT_EQ(error_of(g), "internal error: after a pass: variable z is not bound");
  g = gemm();
  g.k[0].end = Expr::variable("q");
  EXPECT_EQ(error_of(g), "internal error: after a pass: variable q is not bound");
}

TEST(Program, VerifyFindsVariablesBoundTwice) {
  Gemm g = gemm();
  g.m = {{"j", 6, 0, 6}};
  EXPECT_EQ(error_of(g), "internal error: after a pass: variable j is bound twice");
}

TEST(Program, VerifyFindsBadOperands) {
  Gemm g = gemm();
  g.c.tensor = 3;
  EXPECT_EQ(error_of(g), "internal error: after a pass: an operand names no tensor");
  g = gemm();
  g.b.index.pop_back();
  EXPECT_EQ(error_of(g), "internal error: after a pass: an operand has a wrong number of indices");
  g = gemm();
  g.a.buffer = 0;
  EXPECT_EQ(error_of(g), "internal error: after a pass: an operand names no buffer");
  Program p = program_of(gemm());
  p.layouts.pop_back();
  EXPECT_EQ(error_of([&] { verify(p, "a pass"); }),
            "internal error: after a pass: not every tensor has a layout");
}

TEST(Program, RewriteReplacesBottomUp) {
  const Program p = program_of(gemm());
  std::vector<std::string> seen;
  const auto out = rewrite(p.stages[0].body, [&](const Stmt& s) -> std::vector<Stmt> {
    if (const auto* loop = s.as<For>()) {
      seen.push_back(loop->var);
      if (loop->var == "j") return {loop->body[0], loop->body[0]};
    }
    return {s};
  });
  EXPECT_EQ(seen, (std::vector<std::string>{"j", "i"}));
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].as<For>()->body.size(), 2u);
}

TEST(Seed, CountsAndClasses) {
  const Seed seed = matmul_seed();
  const auto& c = std::get<Contraction>(seed.stages[0].op);
  EXPECT_EQ(flops(seed), 2 * 4 * 6 * 8);
  EXPECT_EQ(compulsory_bytes(seed), 4 * (24 + 32 + 48));
  EXPECT_EQ(classify(c, 0), IterClass::m);
  EXPECT_EQ(classify(c, 1), IterClass::n);
  EXPECT_EQ(classify(c, 2), IterClass::k);
  EXPECT_TRUE(is_reduction(c, 2));
  EXPECT_EQ(to_text(seed),
            "seed direct f32\n  direct: i=4 j=6 k=8\n    Y[i,j] += X[i,k] * W[k,j]\n");
}

TEST(Seed, VerifyFindsBrokenInvariants) {
  const auto broken = [](const std::function<void(Seed&)>& damage) {
    Seed seed = matmul_seed();
    damage(seed);
    return error_of([&] { verify(seed); });
  };
  EXPECT_EQ(broken([](Seed&) {}), "");
  EXPECT_EQ(broken([](Seed& s) { s.tensors[0].role = Role::input; }),
            "internal error: tensor 0 of a seed is its output");
  EXPECT_EQ(broken([](Seed& s) { s.tensors[1].dims.pop_back(); }),
            "internal error: tensor X names 1 dimensions and has 2");
  EXPECT_EQ(broken([](Seed& s) { s.tensors[2].extents[1] = 0; }),
            "internal error: tensor W has an extent below 1");
  EXPECT_EQ(broken([](Seed& s) { std::get<Contraction>(s.stages[0].op).a.index.pop_back(); }),
            "internal error: stage direct: X is indexed with a wrong number of indices");
  EXPECT_EQ(broken([](Seed& s) { std::get<Contraction>(s.stages[0].op).b.index[0] = at(3); }),
            "internal error: stage direct: an index of W is malformed");
  EXPECT_EQ(broken([](Seed& s) { std::get<Contraction>(s.stages[0].op).out.tensor = 7; }),
            "internal error: stage direct: an access names no tensor");
}

}  // namespace
}  // namespace swgen::ir
