// SPDX-License-Identifier: Apache-2.0
// Measures one candidate in a child process.
#pragma once

#include "tuner/measure/process.h"
#include "tuner/measure/request.h"

namespace swgen::tuner {

/// Path of a worker program: beside the running executable, or in ../lib/swgen. Throws
/// base::UserError when it is not there.
std::string worker_path(const std::string& name);

/// Never throws for what a candidate does: crash, time-out and garbage are verdicts.
MeasureReply measure(const std::string& worker, const MeasureRequest& request,
                     const ProcessLimits& limits);

}  // namespace swgen::tuner
