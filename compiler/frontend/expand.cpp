// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/expand.h"

#include "compiler/base/text.h"

namespace swgen::frontend {

std::vector<Workload> expand(const Workload& pattern, const std::vector<ParamChoices>& choices,
                             base::Diagnostics& errors) {
  std::vector<Workload> workloads{pattern};
  for (const ParamChoices& choice : choices) {
    const int64_t count = static_cast<int64_t>(workloads.size() * choice.values.size());
    if (count > kMaxExpansion) {
      errors.error(pattern.at, base::cat("found lists that give ", count,
                                         " workloads or more, expected at most ", kMaxExpansion));
      return {};
    }
    std::vector<Workload> next;
    next.reserve(count);
    for (const Workload& workload : workloads) {
      for (const ParamValue& value : choice.values) {
        next.push_back(workload);
        next.back().params[choice.name] = value.values;
        next.back().location[choice.name] = value.at;
        if (choice.expands) next.back().name += "." + choice.name + value.spelling;
      }
    }
    workloads = std::move(next);
  }
  return workloads;
}

}  // namespace swgen::frontend
