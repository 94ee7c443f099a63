// SPDX-License-Identifier: Apache-2.0
// Counts what a final Program does by executing its loop bounds, statement by statement.
#pragma once

#include "compiler/ir/program.h"

namespace swgen::fuzz {

struct Counted {
  int64_t multiply_adds = 0;   // of all visits of primitives, tiles at their cut extents
  int64_t transfers = 0;       // visits of transfers between memory and tiles
  int64_t transfer_bytes = 0;  // of whole tiles, whether cut or not
  int64_t gather_points = 0;   // of transfers from tensor to tensor
};

/// Throws std::runtime_error when a K tile begins above zero or ends early: such a program skips
/// the taps in the padding, which the model counts.
Counted count(const ir::Program& program);

}  // namespace swgen::fuzz
