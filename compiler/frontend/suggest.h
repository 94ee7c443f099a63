// SPDX-License-Identifier: Apache-2.0
// Says which choices are legal and which one the user may have meant.
#pragma once

#include <string>
#include <vector>

namespace swgen::frontend {

/// The choice nearest to `found` by edit distance, or "" when none is near.
std::string nearest(const std::string& found, const std::vector<std::string>& choices);

/// "forward", "one of f32, f64", or "nothing" for no choices.
std::string one_of(const std::vector<std::string>& choices);

/// "expected one of kernel, input; did you mean 'kernel'?" (the question only when one is near).
std::string expected_one_of(const std::string& found, const std::vector<std::string>& choices);

}  // namespace swgen::frontend
