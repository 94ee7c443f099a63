// SPDX-License-Identifier: Apache-2.0
// The statements of a program after each pass, for before/after tests.
#pragma once

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"
#include "compiler/passes/passes.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace swgen::passes {

/// Text after each pass, by its name, without the first line (the schedule). `refused` holds the
/// reason when a pass finds the schedule infeasible.
struct Stages {
  std::map<std::string, std::string> after;
  std::string refused;
};

inline Stages stages_of(const std::string& workload, const std::string& schedule,
                        const std::string& target = "x86-avx2") {
  base::Diagnostics errors;
  const auto read = frontend::read_workloads("a.yaml", "workloads:\n  - " + workload + "\n",
                                             ops::schemas(), {}, errors);
  if (errors.any()) throw std::runtime_error(errors.text());
  const schedule::Schedule steps = schedule::parse(schedule);
  Stages out;
  for (const ir::Seed& seed : ops::seeds(read.at(0))) {
    if (seed.algorithm != steps.algorithm("direct")) continue;
    ir::Program program = schedule::apply(seed, steps);
    try {
      run_passes(program, target::find_target(target),
                 [&](const std::string& pass, const ir::Program& p) {
                   const std::string text = ir::to_text(p);
                   out.after[pass] = text.substr(text.find('\n') + 1);
                 });
    } catch (const base::Infeasible& e) {
      out.refused = e.what();
    }
  }
  return out;
}

}  // namespace swgen::passes
