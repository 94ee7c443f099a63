// SPDX-License-Identifier: Apache-2.0
#include "tuner/space/space.h"

namespace swgen::tuner {
void derive_scratch(const ir::Seed&, const target::Target&, ScheduleSpace&) {}
}  // namespace swgen::tuner
