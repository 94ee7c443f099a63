// SPDX-License-Identifier: Apache-2.0
// Matrix product, batched: C[b,m,n] = sum over k of A[b,m,k] * B[b,k,n]. Row-major; transpose_a
// stores A as [b,k,m], transpose_b stores B as [b,n,k]. Both are inputs: packing is timed.
#include "compiler/ops/operators.h"

namespace swgen::ops {
namespace {

using frontend::Workload;

void check(const Workload& w, base::Diagnostics& errors) {
  const double b = double(w.value("batch")), m = double(w.value("m")), n = double(w.value("n")),
               k = double(w.value("k"));
  for (double size : {b * m * k, b * k * n, b * m * n})
    if (size > 1099511627776.0) {
      errors.error(w.at, "found a matrix of more than 2^40 elements, expected a smaller shape");
      break;
    }
}

std::vector<ir::Seed> make_seeds(const Workload& w) {
  enum { kB, kM, kN, kK };
  const int64_t b = w.value("batch"), m = w.value("m"), n = w.value("n"), k = w.value("k");
  const bool ta = w.value("transpose_a") != 0, tb = w.value("transpose_b") != 0;
  ir::Seed seed;
  seed.algorithm = "direct";
  seed.dtype = w.dtype;
  using Names = std::vector<std::string>;
  using Extents = std::vector<int64_t>;
  seed.tensors = {{"C", ir::Role::output, {"b", "m", "n"}, {b, m, n}, "", false},
                  {"A", ir::Role::input, ta ? Names{"b", "k", "m"} : Names{"b", "m", "k"},
                   ta ? Extents{b, k, m} : Extents{b, m, k}, "", false},
                  {"B", ir::Role::input, tb ? Names{"b", "n", "k"} : Names{"b", "k", "n"},
                   tb ? Extents{b, n, k} : Extents{b, k, n}, "", false}};
  ir::Contraction c;
  c.iters = {{"b", b}, {"m", m}, {"n", n}, {"k", k}};
  const auto at = [](int iter) { return ir::AffineIndex{0, {{iter, 1}}}; };
  c.out = {0, {at(kB), at(kM), at(kN)}};
  c.a = {1, {at(kB), at(ta ? kK : kM), at(ta ? kM : kK)}};
  c.b = {2, {at(kB), at(tb ? kN : kK), at(tb ? kK : kN)}};
  if (w.bias) {
    seed.tensors.push_back({"bias", ir::Role::constant, {"n"}, {n}, "", false});
    c.bias = ir::Access{3, {at(kN)}};
  }
  c.relu = w.relu;
  seed.stages.push_back({"direct", c});
  return {seed};
}

}  // namespace

Operator matmul() {
  using frontend::ParamKind;
  Operator op;
  op.schema.name = "matmul";
  op.schema.help = "matrix product C = A * B, batched, with transposes, all row-major";
  op.schema.params = {
      {"batch", ParamKind::integer, 1, 1, "independent products"},
      {"m", ParamKind::integer, 1, {}, "rows of C"},
      {"n", ParamKind::integer, 1, {}, "columns of C"},
      {"k", ParamKind::integer, 1, {}, "length of the sums"},
      {"transpose_a", ParamKind::boolean, 0, 0, "A is stored as [b,k,m]"},
      {"transpose_b", ParamKind::boolean, 0, 0, "B is stored as [b,n,k]"},
  };
  op.schema.directions = {frontend::Direction::forward};
  op.schema.layouts = {frontend::Layout::nchw};
  op.schema.check = check;
  op.seeds = make_seeds;
  return op;
}

}  // namespace swgen::ops
