// SPDX-License-Identifier: Apache-2.0
// The face that kernels of all targets share: C header, reorder functions, self-test.
#pragma once

#include "compiler/codegen/bundle.h"

namespace swgen::codegen {

/// Whether the kernel takes the tensor in another order than its dimensions are named in.
bool own_layout(const Argument& a);

/// `calls`: a sentence on concurrent calls; `bad_threads`: when a thread count is refused.
std::string header_text(const SourceBundle& b, const Provenance& provenance, const std::string& calls,
                        const std::string& bad_threads);

/// Definitions of the packing and reorder functions that header_text declares. `pack`: a function
/// (from, to) that packs the prepacked argument.
std::string reorder_functions(const SourceBundle& b, const std::string& pack);

/// `max_threads`: the test runs with 1 .. max_threads. `includes`, `before`: lines for the target's runtime.
std::string selftest_text(const SourceBundle& b, const Provenance& provenance, const ir::Seed& reference,
                          int max_threads, const std::string& includes, const std::string& before);

std::string type_name(ir::DType t);

}  // namespace swgen::codegen
