// SPDX-License-Identifier: Apache-2.0
// Which schedule a command is about: the one given, the best of the database, or the model's pick.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "compiler/frontend/workload.h"
#include "compiler/target/target.h"
#include "tuner/tune.h"

namespace swgen::cli {

struct Choice {
  std::string schedule, origin;
  std::optional<tuning_db::Record> record;
  size_t candidates = 0;
  std::map<std::string, int> infeasible;  // reasons, with how many schedules each
};

/// Throws base::UserError when no schedule is possible.
Choice choose_schedule(const frontend::Workload& w, const target::Target& t, int threads, const std::optional<std::string>& given,
                       const std::optional<tuning_db::Database>& db);

}  // namespace swgen::cli
