// SPDX-License-Identifier: Apache-2.0
#include "tuner/space/contraction_view.h"

namespace swgen::tuner {

int64_t ContractionView::stride(const ir::Access& access, int iter) const {
  const ir::TensorLayout& layout = layouts[access.tensor];
  const std::vector<int64_t>& of_levels = strides[static_cast<size_t>(access.tensor)];
  int64_t stride = 0;
  for (size_t l = 0; l < layout.levels.size(); ++l) {
    const ir::LayoutLevel& level = layout.levels[l];
    if (level.block > 0 && !level.inner) continue;
    stride += of_levels[l] * access.index[level.dim].coefficient(iter);
  }
  return stride;
}

int64_t ContractionView::block(const ir::Access& access, int iter) const {
  for (const ir::LayoutLevel& level : layouts[access.tensor].levels)
    if (level.inner && access.index[level.dim].coefficient(iter) != 0) return level.block;
  return 0;
}

void ContractionView::set_layout(size_t tensor, const ir::TensorLayout& layout) {
  layouts[tensor] = layout;
  strides[tensor] = layout.strides(seed->tensors[tensor].extents);
}

bool ContractionView::padded(const ir::Access& access) const {
  const ir::Tensor& tensor = seed->tensors[access.tensor];
  for (size_t d = 0; d < access.index.size(); ++d) {
    int64_t low = access.index[d].constant, high = low;
    for (const auto& [i, c] : access.index[d].terms)
      (c < 0 ? low : high) += c * (contraction->iters[i].extent - 1);
    if (low < 0 || high >= tensor.extents[d]) return true;
  }
  return false;
}

bool ContractionView::uses(const ir::Access& access, int iter) const {
  for (const ir::AffineIndex& index : access.index)
    if (index.coefficient(iter) != 0) return true;
  return false;
}

ContractionView view_of(const ir::Seed& seed) {
  std::vector<ir::TensorLayout> layouts;
  for (const ir::Tensor& t : seed.tensors)
    layouts.push_back(t.layout.empty() ? ir::TensorLayout::plain(static_cast<int>(t.dims.size()))
                                       : *ir::TensorLayout::parse(t.layout, t.dims));
  return view_of(seed, layouts);
}

ContractionView view_of(const ir::Seed& seed, std::vector<ir::TensorLayout> layouts) {
  ContractionView view;
  view.seed = &seed;
  view.layouts = std::move(layouts);
  for (size_t t = 0; t < view.layouts.size(); ++t) view.strides.push_back(view.layouts[t].strides(seed.tensors[t].extents));
  for (const ir::Stage& stage : seed.stages)
    if (const auto* c = std::get_if<ir::Contraction>(&stage.op)) {
      view.contraction = c;
      view.stage = seed.stages.size() > 1 ? stage.name : "";
    }
  return view;
}

}  // namespace swgen::tuner
