// SPDX-License-Identifier: Apache-2.0
// One mapping of `workloads:` -> the workloads it stands for.
#pragma once

#include <vector>

#include "compiler/frontend/node.h"
#include "compiler/frontend/workload.h"

namespace swgen::frontend {

/// Reads `node` with `overrides` applied, expands lists and calls the operator's check. Reports all
/// errors of the mapping; after any the result is empty.
std::vector<Workload> read_entry(const Node& node, const std::vector<OperatorSchema>& operators,
                                 const std::vector<Entry>& overrides, base::Diagnostics& errors);

}  // namespace swgen::frontend
