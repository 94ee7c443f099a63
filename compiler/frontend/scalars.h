// SPDX-License-Identifier: Apache-2.0
// YAML scalars -> values, each with its error message. Every function reports and returns nothing
// when the node is something else; refused nodes are skipped silently.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/node.h"

namespace swgen::frontend {

/// Largest value of any extent or parameter; products are then far from silent wrap-around.
inline constexpr int64_t kMaxValue = (int64_t{1} << 31) - 1;

/// A whole number minimum .. kMaxValue, decimal, without quotes.
std::optional<int64_t> read_integer(const Node& node, int64_t minimum, base::Diagnostics& errors);

/// A decimal number above 0, without quotes: 3, 0.5, 26.0.
std::optional<double> read_decimal(const Node& node, base::Diagnostics& errors);

/// `true` or `false`, without quotes.
std::optional<bool> read_boolean(const Node& node, base::Diagnostics& errors);

/// Any nonempty scalar, quoted or not; `expected` names it in the message.
std::optional<std::string> read_text(const Node& node, const std::string& expected,
                                     base::Diagnostics& errors);

/// The position in `choices` of a scalar; `remark` is added to the message.
std::optional<size_t> read_choice(const Node& node, const std::vector<std::string>& choices,
                                  const std::string& remark, base::Diagnostics& errors);

}  // namespace swgen::frontend
