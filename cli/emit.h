// SPDX-License-Identifier: Apache-2.0
// Emission as tune --out and emit share it.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/workload.h"
#include "compiler/target/target.h"
#include "tuning_db/database.h"

namespace swgen::cli {

struct EmitRequest {
  std::string folder;
  int threads = 1;             // whose measurements decide
  bool require_tuned = false;  // refuse the model's pick
  std::string compiler;        // of the measurements
  std::string schedule;        // given by the user; "" = from database or model
  bool schedule_given = false;
};

/// Emits all workloads into one package named after the folder's last part. Returns the schedules.
std::vector<std::string> emit_package(const std::vector<frontend::Workload>& workloads,
                                      const target::Target& target, const tuning_db::Database* db,
                                      const EmitRequest& request);

}  // namespace swgen::cli
