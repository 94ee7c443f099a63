// SPDX-License-Identifier: Apache-2.0
// A Schedule: how a Seed is computed, as an ordered list of steps. Plain data with one line of text.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace swgen::schedule {

/// One step `name(arg,...)`, or `stage.name(arg,...)` in seeds of several stages.
struct Step {
  std::string stage;
  std::string name;
  std::vector<std::string> args;

  bool operator==(const Step& o) const {
    return stage == o.stage && name == o.name && args == o.args;
  }
};

struct Schedule {
  std::vector<Step> steps;

  /// `algo(...)`'s argument, or `otherwise`.
  std::string algorithm(const std::string& otherwise) const;
  bool operator==(const Schedule& o) const { return steps == o.steps; }
};

/// What a step does; the closed table behind parse() and `swgen explain`.
struct StepKind {
  const char* name;
  const char* args;
  int least, most;  // number of arguments
  const char* help;
};
const std::vector<StepKind>& step_kinds();

/// The steps in the order of step_kinds(), in which they are printed and applied.
Schedule canonical(const Schedule& schedule);

/// Steps in the order of step_kinds(), separated by one space, no blanks inside.
std::string to_text(const Schedule& schedule);

/// Throws base::UserError with the position, what was found and the legal choices.
Schedule parse(const std::string& text);

/// Applies the steps to every stage of the seed: splits, loop order, primitives, staging marks.
/// Throws base::Infeasible with the step and the reason when a step is not legal.
ir::Program apply(const ir::Seed& seed, const Schedule& schedule);

}  // namespace swgen::schedule
