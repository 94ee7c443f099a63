// SPDX-License-Identifier: Apache-2.0
// A simulation's timeline in the trace event format of Chrome and Perfetto.
#pragma once

#include <string>

#include "tuner/simulate/program.h"

namespace swgen::tuner {

/// A track for each row of the mesh (its first core) and one for the DMA channel; microseconds of simulated time.
std::string trace_json(const Simulation& simulation, double clock_ghz);

}  // namespace swgen::tuner
