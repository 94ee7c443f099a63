// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/call.h"

namespace swgen::tuner {

Call::Call(const MeasureRequest& r, PackFunction pack, bool at_end) {
  const int64_t element = ir::size_of(r.bundle.dtype);
  for (size_t i = 0; i < r.bundle.arguments.size(); ++i) {
    const codegen::Argument& a = r.bundle.arguments[i];
    const int64_t elements = a.prepacked ? a.packed_elements : a.elements;
    memory_.push_back(std::make_unique<GuardedMemory>(elements * element, at_end));
    memory_.back()->poison();
    tensors_.push_back(memory_.back()->data());
    if (a.role == ir::Role::output) continue;
    if (!a.prepacked) {
      fill(a, static_cast<int>(i), r.bundle.dtype, tensors_.back());
      continue;
    }
    GuardedMemory plain(a.elements * element, true);
    fill(a, static_cast<int>(i), r.bundle.dtype, plain.data());
    const Clock::time_point start = Clock::now();
    pack(plain.data(), tensors_.back());
    pack_seconds_ += seconds_since(start);
  }
  const size_t bytes = r.bundle.shared_bytes + r.bundle.workspace_bytes * r.threads;
  workspace_ = std::make_unique<GuardedMemory>((bytes + 63) / 64 * 64, at_end);
  workspace_->poison();
  const std::vector<int64_t>& extents = r.bundle.arguments.back().extents;
  begin_.assign(extents.size(), 0);
  end_.assign(extents.begin(), extents.end());
}

}  // namespace swgen::tuner
