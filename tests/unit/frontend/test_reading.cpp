// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontend/test_reading.h"

#include <gtest/gtest.h>

#include "tests/unit/frontend/test_operators.h"

namespace swgen::frontend {

std::vector<Workload> read_good(const std::string& yaml, const std::vector<Override>& overrides) {
  base::Diagnostics errors;
  auto workloads = read_workloads("test.yaml", yaml, test_operators(), overrides, errors);
  EXPECT_EQ(errors.text(), "");
  return workloads;
}

Workload read_one(const std::string& fields, const std::vector<Override>& overrides) {
  const auto workloads = read_good("workloads:\n  - {" + fields + "}\n", overrides);
  EXPECT_EQ(workloads.size(), 1u);
  return workloads.empty() ? Workload{} : workloads[0];
}

std::string read_bad(const std::string& yaml, const std::vector<Override>& overrides) {
  base::Diagnostics errors;
  const auto workloads = read_workloads("test.yaml", yaml, test_operators(), overrides, errors);
  EXPECT_TRUE(workloads.empty());
  return errors.text();
}

}  // namespace swgen::frontend
