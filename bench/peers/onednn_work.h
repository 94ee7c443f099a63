// SPDX-License-Identifier: Apache-2.0
// What swgen-peer-onednn times: oneDNN primitives with all their memory in place.
#pragma once

#include "options.h"
#include "protocol.h"

#include <dnnl.hpp>

#include <unordered_map>
#include <utility>
#include <vector>

namespace swgen::bench {

using DnnlArgs = std::unordered_map<int, dnnl::memory>;

struct DnnlWork {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream{engine};
    std::vector<std::pair<dnnl::primitive, DnnlArgs>> steps;  // the timed part, in order
    dnnl::memory output;                                      // written by the last step
    dnnl::memory::desc plain_output;                          // its row-major descriptor
    std::string impl;                                         // oneDNN's name of the implementation

    // A tensor in `plain`, a dense descriptor, element i of its memory being value(i).
    dnnl::memory filled(const dnnl::memory::desc& plain, float (*value)(int64_t));
    // `source` in the layout `wanted`; `source` itself where that is its layout.
    dnnl::memory in_layout(dnnl::memory source, const dnnl::memory::desc& wanted);
    // Appends a timed reorder.
    void add_reorder(const dnnl::memory& from, const dnnl::memory& to);
    void execute();
    // Poisons the output with NaN, executes, and sums the output.
    Checksum check();
};

// Throw dnnl::error where the library has no implementation, UsageError for an illegal layout or algorithm.
DnnlWork make_conv(const ConvShape& shape, const Options& options);
DnnlWork make_matmul(const MatmulShape& shape, const Options& options);

// Attributes with the ReLU epilogue if asked for.
dnnl::primitive_attr epilogue(const Options& options);

}  // namespace swgen::bench
