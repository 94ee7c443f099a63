// SPDX-License-Identifier: Apache-2.0
// `swgen db ACTION`: the actions, one per file db_<action>.cpp, and what they share.
#pragma once

#include <llvm/Support/JSON.h>

#include <map>
#include <string>
#include <vector>

#include "tuning_db/database.h"

namespace swgen::cli {

struct DbOptions {
  std::string action;
  std::vector<std::string> arguments;  ///< what follows the action: workloads, mostly
  std::string db;
  std::string target;  ///< "": all
  int threads = 0;     ///< 0: all
  std::string out;     ///< "": standard output
  bool json = false;
};

// Each prints to standard output, or to options.out, and returns an ExitCode.
int db_best(const tuning_db::Database& db, const DbOptions& options);
int db_check(const tuning_db::Database& db, const DbOptions& options);
int db_export(const tuning_db::Database& db, const DbOptions& options);
int db_list(const tuning_db::Database& db, const DbOptions& options);
int db_show(const tuning_db::Database& db, const DbOptions& options);

/// The records that the options choose, with the rows they refer to. By key.
struct DbContents {
  std::vector<tuning_db::Record> records;
  std::map<std::string, tuning_db::WorkloadRow> workloads;
  std::map<std::string, tuning_db::TargetRow> targets;
};

/// Reads records of `workloads` (keys or names; empty: all) on options.target with options.threads.
/// Throws base::UserError when the database has no such workload or target.
DbContents read_contents(const tuning_db::Database& db, const std::vector<std::string>& workloads,
                         const DbOptions& options);

/// "x86-avx2": how --target calls it.
std::string label_of(const tuning_db::TargetRow& target);

/// 0 when either number is unknown.
double percent_of_peak(const tuning_db::Record& record);

/// The time that stands for a record: measured, or predicted where it was only predicted.
double time_of(const tuning_db::Record& record);

// JSON of stored rows, every field under its name.
llvm::json::Object workload_json(const tuning_db::WorkloadRow& row);
llvm::json::Object target_json(const tuning_db::TargetRow& row);
llvm::json::Object record_json(const tuning_db::Record& record);

}  // namespace swgen::cli
