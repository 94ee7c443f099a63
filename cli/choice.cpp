// SPDX-License-Identifier: Apache-2.0
#include "cli/choice.h"

#include <algorithm>

#include "compiler/base/error.h"
#include "compiler/compile.h"

namespace swgen::cli {

Choice choose_schedule(const frontend::Workload& w, const target::Target& t, int threads, const std::optional<std::string>& given,
                       const std::optional<tuning_db::Database>& db) {
  Choice e;
  const std::vector<tuner::RankedCandidate> ranked =
      tuner::rank_candidates(w, t, threads, &e.infeasible);
  e.candidates = ranked.size();
  if (given) {
    e.schedule = *given;
    e.origin = "given";
    return e;
  }
  if (db) {
    e.record = db->best(tuner::workload_row(w).key, tuner::target_row(t, "").key, threads);
    if (e.record) {
      e.schedule = e.record->schedule;
      e.origin = "best of the database (" + e.record->how + ")";
      return e;
    }
  }
  e.origin = "the model's pick";
  for (const tuner::RankedCandidate& c : ranked) {
    const Compiled compiled = compile(w, schedule::parse(c.schedule), t);
    if (compiled.bundle) {
      e.schedule = c.schedule;
      return e;
    }
    ++e.infeasible[compiled.infeasible];
  }
  const auto most = std::max_element(e.infeasible.begin(), e.infeasible.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  throw base::UserError(w.name + ": no schedule is possible" + (most == e.infeasible.end() ? "" : ": " + most->first));
}

}  // namespace swgen::cli
