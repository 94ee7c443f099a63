// SPDX-License-Identifier: Apache-2.0
// Operator schemas for tests of the front end, shaped like real ones but independent of ops.
#pragma once

#include <vector>

#include "compiler/frontend/workload.h"

namespace swgen::frontend {

/// conv2d (checks that groups divide the channels and that the window fits) and matmul.
std::vector<OperatorSchema> test_operators();

}  // namespace swgen::frontend
