// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"

namespace swgen::tuner {

/// One workload from its YAML mapping.
inline frontend::Workload workload_of(const std::string& mapping) {
  base::Diagnostics errors;
  const auto read = frontend::read_workloads("a.yaml", "workloads:\n  - " + mapping + "\n",
                                             ops::schemas(), {}, errors);
  if (errors.any()) throw std::runtime_error(errors.text());
  return read.at(0);
}

}  // namespace swgen::tuner
