// SPDX-License-Identifier: Apache-2.0
// An emitted kernel as a peer program sees it; generated from adapter.cpp.in, one per kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace swgen::bench {

struct Tensor {
  int64_t plain;  // elements in row-major order
  int64_t own;    // elements in the form that the kernel takes
  // Inputs: plain -> own (reordered or packed). Output: own -> plain. Null where both are the same.
  void (*convert)(const float* from, float* to);
};

struct Kernel {
  const char* name;
  int64_t flops;                // of one execution, two per multiply-add
  std::vector<Tensor> tensors;  // first operand, second operand, bias if any; the output last
  size_t (*workspace_bytes)(int threads);
  // `tensors` in the order above, in own form. Returns 0, or the kernel's error code.
  int (*run)(float* const* tensors, void* workspace, int threads);
};

Kernel make_kernel();

}  // namespace swgen::bench
