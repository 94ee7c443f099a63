// SPDX-License-Identifier: Apache-2.0
// Sources on disk, and the peer programs that compilers make of them.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/plan.h"

namespace swgen::bench {

/// The generated text that joins a kernel with kernel_peer.cpp, from the template adapter.cpp.in.
std::string adapter_text(const TunedKernel& kernel, const std::string& adapter_template);

/// Writes package and adapters of all kernels below `work`; leaves unchanged files alone. Throws
/// base::UserError when that fails.
void write_sources(const std::string& work, const std::vector<Comparison>& plan);

/// Builds them; returns the folder of the peer programs, which are named after the kernels'
/// symbols. Throws ToolchainError with the compiler's messages.
std::string build_peers(const std::string& work, const std::vector<Comparison>& plan,
                        const std::string& compiler);

struct ToolchainError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace swgen::bench
