// SPDX-License-Identifier: Apache-2.0
// Checks shared by the references: descriptions and operand sizes. Internal to the library.
#pragma once

#include "oracle.h"

#include <cstddef>

namespace swgen::oracle {

struct OperandSizes {
    size_t first, second, bias;
};

// Throw std::invalid_argument unless the description has an output and the operands have its sizes.
void require_operands(const Conv2d& op, const OperandSizes& found);
void require_operands(const Matmul& op, const OperandSizes& found);

// Throws std::invalid_argument unless all coordinates and counts of elements fit Halide's 32-bit indices.
void require_int32(const Conv2d& op);
void require_int32(const Matmul& op);

}  // namespace swgen::oracle
