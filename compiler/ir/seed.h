// SPDX-License-Identifier: Apache-2.0
// The Seed: what is computed, as stages over named tensors, with nothing said about how.
// Made by ops (or by the `compute:` parser), consumed by schedule spaces and by apply().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace swgen::ir {

enum class DType { f32, f64 };
inline int64_t size_of(DType t) { return t == DType::f32 ? 4 : 8; }
inline const char* name_of(DType t) { return t == DType::f32 ? "f32" : "f64"; }

/// An iterator of a stage: runs over 0 .. extent-1.
struct Iter {
  std::string name;
  int64_t extent = 1;
};

/// constant + sum of coefficient * iterator; `terms` name iterators of the stage by position, in
/// increasing order, each once, with coefficients other than zero.
struct AffineIndex {
  int64_t constant = 0;
  std::vector<std::pair<int, int64_t>> terms;

  int64_t coefficient(int iter) const {
    for (const auto& [i, c] : terms)
      if (i == iter) return c;
    return 0;
  }
};

enum class Role { input, constant, output, intermediate };

/// A dense tensor. `dims` are one-letter-or-more names of its dimensions in the order of `extents`;
/// in memory the last dimension is fastest, until a schedule chooses another layout.
struct Tensor {
  std::string name;
  Role role = Role::input;
  std::vector<std::string> dims;
  std::vector<int64_t> extents;
  std::string layout;        // letters of `dims`, "" = in their order; see ir/layout.h
  bool layout_free = false;  // a schedule may choose another

  int64_t elements() const {
    int64_t n = 1;
    for (int64_t e : extents) n *= e;
    return n;
  }
};

/// One affine index per dimension of `Seed::tensors[tensor]`. Reading outside an extent gives zero.
struct Access {
  int tensor = -1;
  std::vector<AffineIndex> index;
};

/// out[o] = epilogue(sum over r of a[f(o,r)] * b[g(o,r)]); every dimension of `out` is indexed by
/// iterators of o only. `bias` is added once per output element before ReLU.
struct Contraction {
  std::vector<Iter> iters;
  Access out, a, b;
  std::optional<Access> bias;
  bool relu = false;
};

/// out[o] = in[f(o)], or zero where f(o) lies outside: padding, im2col, change of layout.
struct Gather {
  std::vector<Iter> iters;
  Access out, in;
};

struct Stage {
  std::string name;
  std::variant<Contraction, Gather> op;
};

/// A small program for one algorithm. Stages run in order. Tensor 0 is the output of the last
/// stage; inputs and constants follow in the order of the emitted function's arguments.
struct Seed {
  std::string algorithm;
  DType dtype = DType::f32;
  bool covered = false;  // another algorithm of the workload expresses all of its schedules: not searched
  std::vector<Tensor> tensors;
  std::vector<Stage> stages;
};

/// 2 per multiply-add of every contraction, taps in the padding included (the field's convention).
int64_t flops(const Seed& seed);

/// Bytes of all inputs, constants and outputs, each counted once: the compulsory traffic.
int64_t compulsory_bytes(const Seed& seed);

/// How an iterator of a contraction is used; decides which may form a GEMM's M, N, K or batch.
enum class IterClass { m, n, k, batch };
IterClass classify(const Contraction& c, int iter);
bool is_reduction(const Contraction& c, int iter);

/// Throws base::InternalError naming stage and tensor when an invariant above is broken.
void verify(const Seed& seed);

/// Multi-line text for people and goldens.
std::string to_text(const Seed& seed);

}  // namespace swgen::ir
