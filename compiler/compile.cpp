// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/generate.h"
#include "compiler/ops/operators.h"

namespace swgen {

ir::Seed seed_for(const frontend::Workload& workload, const schedule::Schedule& schedule) {
  const std::vector<ir::Seed> seeds = ops::seeds(workload);
  const std::string wanted = schedule.algorithm(seeds[0].algorithm);
  std::vector<std::string> names;
  for (const ir::Seed& seed : seeds) {
    if (seed.algorithm == wanted) return seed;
    names.push_back(seed.algorithm);
  }
  throw base::Infeasible("algo(" + wanted + "): expected one of " + base::join(names, ", "));
}

Lowered lower(const frontend::Workload& workload, const schedule::Schedule& schedule,
              const target::Target& target, const passes::Observer& observer) {
  try {
    ir::Program program = schedule::apply(seed_for(workload, schedule), schedule);
    passes::run_passes(program, target, observer);
    return {program, ""};
  } catch (const base::Infeasible& e) {
    return {std::nullopt, e.what()};
  }
}

Compiled compile(const frontend::Workload& workload, const schedule::Schedule& schedule,
                 const target::Target& target) {
  const Lowered lowered = lower(workload, schedule, target);
  if (!lowered.program) return {std::nullopt, lowered.infeasible};
  codegen::Provenance provenance;
  provenance.workload_name = workload.name;
  provenance.workload = frontend::canonical_text(workload);
  provenance.schedule = schedule::to_text(schedule);
  provenance.target = target.name + (target.level.empty() ? "" : " " + target.level);
  provenance.summary = workload.compute ? workload.compute->text : workload.op + " " + frontend::name_of(workload.direction);
  try {
    return {codegen::generate(*lowered.program, target, provenance, ops::seeds(workload)[0]), ""};
  } catch (const base::Infeasible& e) {
    return {std::nullopt, e.what()};
  }
}

}  // namespace swgen
