// SPDX-License-Identifier: Apache-2.0
// How a contraction's iterators walk its operands in memory, for a choice of layouts.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/layout.h"
#include "compiler/ir/seed.h"

namespace swgen::tuner {

struct ContractionView {
  const ir::Seed* seed = nullptr;
  const ir::Contraction* contraction = nullptr;
  std::string stage;                      // prefix of steps, "" in seeds of one stage
  std::vector<ir::TensorLayout> layouts;  // by tensor; set_layout() changes one
  std::vector<std::vector<int64_t>> strides;  // of the layouts' levels

  void set_layout(size_t tensor, const ir::TensorLayout& layout);

  /// Stride of an iterator in an operand under the layouts; in a blocked dimension, inside the block.
  int64_t stride(const ir::Access& access, int iter) const;
  /// Block of the dimension that the iterator walks in the operand, or 0.
  int64_t block(const ir::Access& access, int iter) const;
  /// Whether reads of `access` can leave its tensor.
  bool padded(const ir::Access& access) const;
  bool uses(const ir::Access& access, int iter) const;
  ir::IterClass cls(int iter) const { return ir::classify(*contraction, iter); }
  const ir::Iter& iter(int i) const { return contraction->iters[i]; }
  int count() const { return static_cast<int>(contraction->iters.size()); }
};

/// The view of the seed's contraction with the layouts of its tensors as they come, or as given.
ContractionView view_of(const ir::Seed& seed);
ContractionView view_of(const ir::Seed& seed, std::vector<ir::TensorLayout> layouts);

}  // namespace swgen::tuner
