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

/// Rows: `name`(from $16, to $17, rows $18, length $19, from_pitch $20, to_pitch $21): rows of `length` elements whose
/// beginnings lie `pitch` elements apart; length and pitches are multiples of 4. Where rows follow each other closely in
/// both, they are one.
/// Turned: `name`(from $16, to $17, rows $18, run $19), from[rows][run] to to[run][rows], both multiples of 4.
/// Addresses are multiples of 32 bytes (16 for float).
std::string convert_assembly(const std::string& name, Conversion conversion);

}  // namespace swgen::codegen::sw26010
