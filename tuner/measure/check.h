// SPDX-License-Identifier: Apache-2.0
// Data for a candidate, on guard pages and poisoned, and the independent check of its output.
#pragma once

#include <string>
#include <vector>

#include "tuner/measure/request.h"

namespace swgen::tuner {

/// Memory between two inaccessible pages. `at_end`: the last byte is the last before the guard, so
/// that reading past it traps; else the first byte is the first behind one.
class GuardedMemory {
 public:
  GuardedMemory(size_t bytes, bool at_end);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  void* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  void poison() const;  // every byte 0xff: NaN as float and as double

 private:
  void* map_ = nullptr;
  size_t mapped_ = 0;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

/// The value of element `i` (plain layout) of the `tensor`-th argument: small integers, so that sums
/// of products are exact and every order of summation gives the same bits.
double integer_value(int64_t i, int tensor);

/// Writes a plain tensor of integer values into `to`, in the argument's layout.
void fill(const codegen::Argument& a, int position, ir::DType dtype, void* to);

/// Compares `output` (in the argument's layout) with the contraction in double precision at its
/// corners and `samples` further points. Empty when equal, else the first difference.
std::string compare(const MeasureRequest& request, const void* output, int64_t samples);

/// Writes the output to `path` as raw elements in plain layout; false when the disk refuses.
bool save_plain(const codegen::Argument& a, ir::DType dtype, const void* output, const std::string& path);

/// FNV-1a over the bits of all elements inside the tensor's extents.
std::string digest(const codegen::Argument& a, ir::DType dtype, const void* output);

}  // namespace swgen::tuner
