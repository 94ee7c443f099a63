// SPDX-License-Identifier: Apache-2.0
// What the Halide pipelines share: views of plain data, and a lock. Internal to the library; the only header here that includes Halide.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <mutex>
#include <vector>

namespace swgen::oracle {

// `extents` innermost first. Halide's JIT parameters are not const-correct; the pipelines only read their inputs.
template <typename T>
Halide::Buffer<T> view(const T* data, const std::vector<int64_t>& extents) {
    return Halide::Buffer<T>(const_cast<T*>(data), std::vector<int>(extents.begin(), extents.end()));
}

// Held while a pipeline compiles or runs: its parameters are state of the process.
inline std::mutex halide_mutex;

}  // namespace swgen::oracle
