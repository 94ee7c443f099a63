// SPDX-License-Identifier: Apache-2.0
// compile(): a pure function from (workload, schedule, target) to sources. Searches nothing, opens
// nothing, writes nothing, runs nothing.
#pragma once

#include <optional>
#include <string>

#include "compiler/codegen/bundle.h"
#include "compiler/frontend/workload.h"
#include "compiler/passes/passes.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"

namespace swgen {

/// Either a bundle, or the reason why the schedule does not fit seed or target.
struct Compiled {
  std::optional<codegen::SourceBundle> bundle;
  std::string infeasible;
};

/// Either the final Program, or the reason.
struct Lowered {
  std::optional<ir::Program> program;
  std::string infeasible;
};

/// The seed the schedule names; throws base::Infeasible when there is none.
ir::Seed seed_for(const frontend::Workload& workload, const schedule::Schedule& schedule);

Lowered lower(const frontend::Workload& workload, const schedule::Schedule& schedule,
              const target::Target& target, const passes::Observer& observer = {});

Compiled compile(const frontend::Workload& workload, const schedule::Schedule& schedule,
                 const target::Target& target);

}  // namespace swgen
