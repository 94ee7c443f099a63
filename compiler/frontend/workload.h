// SPDX-License-Identifier: Apache-2.0
// A Workload: one operator with all its parameters, each with the place it came from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostics.h"
#include "compiler/ir/seed.h"

namespace swgen::frontend {

enum class Direction { forward, backward_data, backward_weights };
enum class Layout { nchw, nhwc, any };

const char* name_of(Direction d);
const char* name_of(Layout l);

/// How many numbers a parameter holds and how YAML may write them.
enum class ParamKind {
  integer,        // one number; a list of numbers expands to several workloads
  boolean,        // true or false, stored as 1 or 0; a list expands
  per_dimension,  // one number for all spatial dimensions, or a list of `spatial_rank`
  padding,        // one number, `spatial_rank` numbers, or `spatial_rank` pairs [begin, end]
};

struct ParamSpec {
  std::string name;
  ParamKind kind = ParamKind::integer;
  int64_t minimum = 1;
  std::optional<int64_t> default_value;  // none: the parameter is required
  std::string help;
};

struct Workload;

/// What the front end must know of an operator to read it; ops has the table.
struct OperatorSchema {
  std::string name;
  std::string help;
  int spatial_rank = 0;
  std::vector<ParamSpec> params;
  std::vector<Direction> directions;
  std::vector<Layout> layouts;
  /// Reports impossible shapes (parameters that are each legal but do not fit together).
  void (*check)(const Workload&, base::Diagnostics&) = nullptr;
};

/// `compute:` after parsing: iterators with extents, tensors with extents, accesses.
struct ComputeExpr {
  std::string text;  // canonical spelling: "Y[n,o]+=X[n,i]*W[i,o]"
  ir::Contraction contraction;
  std::vector<ir::Tensor> tensors;  // 0: output, 1: first operand, 2: second operand
};

struct Workload {
  std::string name;
  std::string op;  // an OperatorSchema's name, or "compute"
  Direction direction = Direction::forward;
  Layout layout = Layout::nchw;
  ir::DType dtype = ir::DType::f32;
  bool bias = false;
  bool relu = false;
  /// By parameter name: 1 value (integer, boolean), spatial_rank values (per_dimension),
  /// 2 * spatial_rank values begin,end per dimension (padding).
  std::map<std::string, std::vector<int64_t>> params;
  std::optional<ComputeExpr> compute;

  base::SourceLocation at;                               // the workload's first line
  std::map<std::string, base::SourceLocation> location;  // by YAML key, where the user wrote it

  int64_t value(const std::string& param, int position = 0) const {
    return params.at(param).at(position);
  }
  /// The place of `key`, or of the workload when the user did not write it.
  base::SourceLocation where(const std::string& key) const {
    const auto found = location.find(key);
    return found == location.end() ? at : found->second;
  }
};

/// One line with every field that changes what is computed, in fixed order; not name or places.
/// "conv2d forward batch=1 in_channels=64 ... dtype=f32 layout=nchw epilogue=bias,relu".
std::string canonical_text(const Workload& w);

}  // namespace swgen::frontend
