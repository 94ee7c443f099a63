// SPDX-License-Identifier: Apache-2.0
// The tuner: the only code that loops over candidates. Predicts all, measures the best, stores every
// trial as it ends, and goes on where an earlier run stopped.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/workload.h"
#include "compiler/target/target.h"
#include "tuner/model/model.h"
#include "tuning_db/database.h"

namespace swgen::tuner {

struct TuneOptions {
  double seconds = 60;          // per workload, counting what the database already holds
  int trials = 1000;            // likewise
  bool more = false;            // spend the budget again on top
  int threads = 1;
  bool model_only = false;
  uint64_t seed = 0;
  std::string compiler;         // "" = the built-in one
};

struct TuneResult {
  std::string workload;
  std::string target;
  std::string schedule;
  std::string verdict;          // of the best trial, or "none"
  std::string reason;           // the first real error when nothing is valid
  double seconds = 0;
  double gflops = 0;
  double percent_of_peak = 0;
  double predicted_seconds = 0;
  int trials = 0;               // in the database for this workload, target and threads
  int new_measurements = 0;
  double drift = 0;             // default candidate last / first - 1; 0 when not measured twice
};

/// Called after each trial; `best` is the best so far in seconds, 0 when there is none.
using Progress = std::function<void(const frontend::Workload&, int trials, double best)>;

/// Keys of the database: hex SHA-256 of canonical texts.
tuning_db::WorkloadRow workload_row(const frontend::Workload& workload);
tuning_db::TargetRow target_row(const target::Target& target, const std::string& compiler);

/// The target with what `swgen machine --calibrate`, or the first measurement, found on this machine
/// and left in the database; as it is where there is none.
target::Target planned_target(const target::Target& target, const tuning_db::Database& db);
std::string calibration_key(const target::Target& target);

/// Schedules in the order of predicted time, infeasible ones left out; `reasons` counts those.
struct RankedCandidate {
  std::string schedule;
  std::vector<int64_t> choices;
  Prediction prediction;
};
std::vector<RankedCandidate> rank_candidates(const frontend::Workload& workload, const target::Target& target,
                                             int threads, std::map<std::string, int>* reasons = nullptr);

TuneResult tune(const frontend::Workload& workload, const target::Target& target, const TuneOptions& options,
                tuning_db::Database& db, const Progress& progress);

}  // namespace swgen::tuner
