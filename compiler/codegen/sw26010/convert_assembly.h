// SPDX-License-Identifier: Apache-2.0
// Passes over a tile in scratch as assembly text: elements as they come from memory <-> the double tile that the GEMM
// primitive reads.
#pragma once

#include <string>

#include "compiler/ir/seed.h"

namespace swgen::codegen::sw26010 {

struct Conversion {
  ir::DType from = ir::DType::f32, to = ir::DType::f64;
  bool turned = false;
};

/// Straight: `name`(from $16, to $17, n $18), n elements in order, a multiple of 16.
/// Turned: `name`(from $16, to $17, rows $18, run $19), from[rows][run] to to[run][rows], both multiples of 4.
/// Addresses are multiples of 32 bytes (16 for float).
std::string convert_assembly(const std::string& name, Conversion conversion);

}  // namespace swgen::codegen::sw26010
