// SPDX-License-Identifier: Apache-2.0
// Problem strings of oneDNN's benchmark driver benchdnn -> operator and parameters.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/node.h"

namespace swgen::frontend {

struct BenchdnnProblem {
  std::string op;                                        // conv2d or matmul
  std::map<std::string, std::vector<int64_t>> params;    // in the form of Workload::params
  std::map<std::string, base::SourceLocation> location;  // of each parameter in the string
};

/// Reads the two forms, told apart by the first character:
///  - a convolution `gXmbX_icXihXiwX_ocXohXowX_khXkwX_shXswX_phXpwX_dhXdwX_n"name"`, in any order,
///    `_` ignored. As benchdnn does: g is 1, mb is 2, strides are 1 and dilations 0 (dense) unless
///    given; without any w-key the h-values count for both; without any h-key the problem is one of
///    height 1; a missing oh follows from equal padding on both sides, a missing ph from oh. The
///    padding at the end is what oh needs; where the input is not used up to its end (a stride
///    that does not divide) it is 0. Three-dimensional problems are refused.
///  - a matrix product `MxK:KxN` or `BxMxK:BxKxN`, optionally followed by `_n"name"`.
/// Errors point into the string.
std::optional<BenchdnnProblem> parse_benchdnn(const Node& text, base::Diagnostics& errors);

}  // namespace swgen::frontend
