// SPDX-License-Identifier: Apache-2.0
// The tensors of one call of a candidate: filled inputs, poisoned outputs and workspace, all on guard
// pages.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "tuner/measure/check.h"

namespace swgen::tuner {

class Call {
 public:
  using Clock = std::chrono::steady_clock;
  using PackFunction = void (*)(const void* from, void* to);
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// `at_end`: memory ends at a guard page, else it begins behind one.
  Call(const MeasureRequest& r, PackFunction pack, bool at_end);

  void** tensors() { return tensors_.data(); }  // in the order of the arguments
  void* workspace() { return workspace_->data(); }
  const long* begin() const { return begin_.data(); }
  const long* end() const { return end_.data(); }
  const void* output() const { return tensors_.back(); }
  void poison_output() const { memory_.back()->poison(); }
  double pack_seconds() const { return pack_seconds_; }

 private:
  std::vector<std::unique_ptr<GuardedMemory>> memory_;
  std::unique_ptr<GuardedMemory> workspace_;
  std::vector<void*> tensors_;
  std::vector<long> begin_, end_;
  double pack_seconds_ = 0;
};

}  // namespace swgen::tuner
