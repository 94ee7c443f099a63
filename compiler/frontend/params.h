// SPDX-License-Identifier: Apache-2.0
// The parameters of an operator: YAML values -> numbers, by the operator's schema.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/node.h"
#include "compiler/frontend/workload.h"

namespace swgen::frontend {

/// One legal value of a parameter, in the form of Workload::params.
struct ParamValue {
  std::vector<int64_t> values;
  std::string spelling;  // as it appears in the name of an expanded workload
  base::SourceLocation at;
};

/// What the user wrote for one parameter: a value, or a list that expands to one workload each.
struct ParamChoices {
  std::string name;
  std::vector<ParamValue> values;
  bool expands = false;
};

/// Reads `node` as the parameter `spec`; nothing when an error was reported.
std::optional<ParamChoices> read_param(const ParamSpec& spec, int spatial_rank, const Node& node,
                                       base::Diagnostics& errors);

/// The default of `spec` in the form of Workload::params.
std::vector<int64_t> default_values(const ParamSpec& spec, int spatial_rank);

/// What `spec` accepts, for messages.
std::string expected_form(const ParamSpec& spec, int spatial_rank);

}  // namespace swgen::frontend
