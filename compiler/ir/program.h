// SPDX-License-Identifier: Apache-2.0
// The Program: a Seed with a Schedule applied, as a small closed set of immutable statements.
// apply() makes it, passes rewrite it, code generators print it.
//
// Variables are loop variables and tile variables ("parts"): each part is a piece of one iterator,
// iterator = sum of stride * part. Part names are unique in a stage.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "compiler/ir/expr.h"
#include "compiler/ir/layout.h"
#include "compiler/ir/seed.h"

namespace swgen::ir {

/// Where a buffer lives. `prepacked`: filled once by the emitted packing function; `workspace`:
/// per-thread (x86) memory of the caller; `scratch`: the scratchpad of a core.
enum class Space { prepacked, workspace, scratch };

/// A copy of a box of a tensor. Its element address is `address`, a linear form over the parts that
/// run inside the level where it is staged.
struct Buffer {
  std::string name;
  int tensor = -1;
  Space space = Space::workspace;
  Linear address;        // for buffers addressed by parts (panel)
  bool by_parts = false;
  std::vector<Linear> corner;     // box: lowest index per tensor dimension, over outer variables
  std::vector<int64_t> extents;   // box: extent per tensor dimension
  TensorLayout layout;            // box: order of the dimensions
  int64_t elements = 0;           // of one copy
  int copies = 1;                 // 2: double buffered
  int64_t offset = -1;            // bytes from the start of the space, set by place_scratch
  // In scratchpads elements arrive as in memory (`copies` of `raw_bytes` each) and are spread and
  // widened into the tile that the primitive reads, at `wide_offset`; per core.
  int64_t raw_bytes = 0, wide_offset = -1;
};

/// An access of a tensor, perhaps through a buffer. `index`: one linear form per tensor dimension.
struct Operand {
  int tensor = -1;
  int buffer = -1;
  std::vector<Linear> index;
};

/// 0 <= value < extent, else the element is outside and reads zero (or is not written).
struct Guard {
  Linear value;
  int64_t extent = 0;
  std::string dim = {};  // of the tensor that is read, where a name is wanted
};

/// A part that runs inside a primitive: 0 <= begin <= part < end <= extent.
struct Tile {
  std::string name;
  int64_t extent = 1;
  Expr begin;
  Expr end;
};

class Stmt;

struct Block {
  std::vector<Stmt> body;
};

struct For {
  std::string var;
  Expr begin, end;
  bool parallel = false;  // consecutive parallel loops from the outermost on share one team
  std::vector<Stmt> body;
};

/// Marks that `tensor` is staged here; infer_transfers replaces it. `layout`: "prepacked", "panel",
/// or letters of the tensor's dimensions.
struct Staged {
  int tensor = -1;
  std::string layout;
  int copies = 1;
  std::vector<Stmt> body;
};

/// For every point of `loops` (outer to inner): to = from, or zero where a guard fails when `fill`;
/// without `fill` points outside are left alone.
struct Transfer {
  std::vector<Tile> loops;
  Operand to, from;
  std::vector<Guard> guards;
  bool fill = true;
  bool ahead = false;  // double buffered: issued one iteration of the enclosing loops ahead
};

/// Whose innermost tile sits in the vector lanes.
enum class Lanes { m, n, k };

/// c[m,n] (+)= sum over k of a[m,k] * b[k,n], over tiles; overwrites where `first`, applies bias and
/// ReLU where `last`. Products for which a guard fails are zero and left out: padding that is not
/// staged, along tiles.
struct Gemm {
  std::vector<Tile> m, n, k;
  Operand a, b, c;
  std::optional<Operand> bias;
  std::vector<Guard> guards;
  bool relu = false;
  Lanes lanes = Lanes::n;
  Expr first, last;
};

class Stmt {
 public:
  using Node = std::variant<Block, For, Staged, Transfer, Gemm>;
  template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, Stmt>>>
  Stmt(T node) : node_(std::make_shared<const Node>(std::move(node))) {}  // NOLINT: nodes are statements
  const Node& node() const { return *node_; }
  template <class T>
  const T* as() const {
    return std::get_if<T>(node_.get());
  }

 private:
  std::shared_ptr<const Node> node_;
};

/// The statements of one stage of the seed, with the parts its iterators are made of.
struct Part {
  std::string name;
  int iter = 0;
  int64_t stride = 1;  // in steps of the iterator
  int64_t extent = 1;
};

struct StageProgram {
  std::string name;
  std::vector<Iter> iters;
  std::vector<Part> parts;
  std::vector<Stmt> body;
};

struct Program {
  Seed seed;
  std::string schedule;
  std::vector<TensorLayout> layouts;  // by tensor
  std::vector<Buffer> buffers;
  std::vector<StageProgram> stages;
  std::vector<Stmt> prepack;          // transfers of the packing function
  int64_t workspace_bytes = 0;        // per thread (x86) or in main memory, set by place_scratch
  int64_t scratch_bytes = 0;          // of the busiest core
};

/// Largest values of all parts of a stage.
Limits limits_of(const StageProgram& stage);

/// Element offset of an operand in its buffer or tensor. nullopt: see element_offset.
std::optional<Linear> offset_of(const Program& program, const Operand& operand,
                                const Limits& limits);

/// Rebuilds a statement list bottom-up: `rewrite` gets each statement with its children already
/// rewritten and returns what replaces it.
std::vector<Stmt> rewrite(const std::vector<Stmt>& body,
                          const std::function<std::vector<Stmt>(const Stmt&)>& rewrite_one);

/// Calls `visit` for every statement, outer before inner.
void walk(const std::vector<Stmt>& body, const std::function<void(const Stmt&)>& visit);

/// Throws base::InternalError when an invariant is broken; `after` names the pass.
void verify(const Program& program, const std::string& after);

std::string to_text(const Program& program);

}  // namespace swgen::ir
