// SPDX-License-Identifier: Apache-2.0
// `extents:` beside `compute:`; gives the iterators and tensors of a Statement their sizes.
#pragma once

#include <optional>

#include "compiler/frontend/compute_parser.h"
#include "compiler/frontend/workload.h"

namespace swgen::frontend {

/// `extents` (may be null) maps iterators to numbers and tensors to lists of numbers. An iterator
/// without entry takes the extent of a declared tensor's dimension that it indexes alone. A tensor
/// without entry reaches from 0 to its largest index. Indices outside a tensor read zero; the
/// output must have its iterators' extents. Tensors: output, first operand (Role::input), second
/// operand (Role::constant); dims are iterator names for the output, d0, d1, ... else.
std::optional<ComputeExpr> resolve_compute(const Statement& statement, const Node& text,
                                           const Node* extents, base::Diagnostics& errors);

}  // namespace swgen::frontend
