// SPDX-License-Identifier: Apache-2.0
// The workloads and targets that the fuzz tests draw from.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/workload.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace swgen::fuzz {

/// One of each kind of machine, and x86 with other numbers of registers and lanes.
inline const std::vector<std::string> kTargets = {"x86-avx512", "x86-avx2", "x86-generic",
                                                  "sw26010"};

std::vector<frontend::Workload> workloads();

/// `count` schedules of the workload's derived space, drawn with `seed`; none when it is empty.
std::vector<schedule::Schedule> draw(const frontend::Workload& workload,
                                     const target::Target& target, int count, unsigned seed);

}  // namespace swgen::fuzz
