// SPDX-License-Identifier: Apache-2.0
// One YAML mapping with lists in scalar parameters -> one workload per combination.
#pragma once

#include <vector>

#include "compiler/frontend/params.h"
#include "compiler/frontend/workload.h"

namespace swgen::frontend {

/// Upper limit of workloads from one mapping; more is a mistake, not a campaign.
inline constexpr int64_t kMaxExpansion = 10000;

/// `pattern` with every combination of `choices`, the last one running fastest; parameters that
/// expand add `.key<value>` to the name, in the order of `choices`. More than kMaxExpansion
/// combinations are an error at the workload's place and give nothing.
std::vector<Workload> expand(const Workload& pattern, const std::vector<ParamChoices>& choices,
                             base::Diagnostics& errors);

}  // namespace swgen::frontend
