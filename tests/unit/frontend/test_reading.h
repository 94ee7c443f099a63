// SPDX-License-Identifier: Apache-2.0
// Helpers that read workloads which must be good.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/reader.h"

namespace swgen::frontend {

/// All workloads of `yaml`; errors fail the test and are printed.
std::vector<Workload> read_good(const std::string& yaml,
                                const std::vector<Override>& overrides = {});

/// The one workload of `- {fields}` under `workloads:`.
Workload read_one(const std::string& fields, const std::vector<Override>& overrides = {});

/// The text of all errors of `yaml`.
std::string read_bad(const std::string& yaml, const std::vector<Override>& overrides = {});

}  // namespace swgen::frontend
