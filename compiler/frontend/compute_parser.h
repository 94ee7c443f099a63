// SPDX-License-Identifier: Apache-2.0
// The text of `compute:` -> its syntax, without extents. compute_extents turns that into the IR.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/node.h"

namespace swgen::frontend {

struct IndexTerm {
  std::string iter;
  int64_t coefficient = 1;  // not zero once parsed
  size_t offset = 0;        // of the iterator's first mention in this index
};

/// constant + sum of coefficient * iterator, every iterator once.
struct IndexExpr {
  int64_t constant = 0;
  std::vector<IndexTerm> terms;  // in the order of the text
  size_t offset = 0;

  /// The iterator when the index is nothing but one, else null.
  const IndexTerm* plain() const {
    const bool one = terms.size() == 1 && constant == 0 && terms[0].coefficient == 1;
    return one ? terms.data() : nullptr;
  }
};

struct AccessExpr {
  std::string tensor;
  size_t offset = 0;
  std::vector<IndexExpr> index;
};

/// out += a * b.
struct Statement {
  AccessExpr out, a, b;
  std::vector<IndexTerm> iters;  // names with first offsets: of the output, then reductions
  size_t outputs = 0;            // how many of `iters` index the output
};

/// Parses "Y[n,o,y,x] += X[n,i,y*2+p,x*2+q] * W[o,i,p,q]". Indices are affine in the iterators:
/// whole numbers, iterators, + - and products with at most one iterator. The output's indices are
/// distinct plain iterators, each of which occurs on the right; the three tensors differ. Errors
/// point into the text. `text` must be a scalar.
std::optional<Statement> parse_compute(const Node& text, base::Diagnostics& errors);

}  // namespace swgen::frontend
