// SPDX-License-Identifier: Apache-2.0
// `swgen db list` and `swgen db best`: both go through the groups of trials that compete.
#include <iostream>
#include <map>
#include <optional>
#include <tuple>

#include "cli/db_actions.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "compiler/base/text.h"

namespace swgen::cli {
namespace {

using tuning_db::Database;
using tuning_db::Record;

/// The trials of one workload on one target with one number of threads.
struct Group {
  const tuning_db::WorkloadRow* workload = nullptr;
  const tuning_db::TargetRow* target = nullptr;
  int threads = 1;
  int trials = 0;
  std::map<std::string, int> by_verdict;
  std::optional<Record> best;
};

/// By workload name, target, threads.
std::vector<Group> group(const Database& db, const DbContents& contents) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, int>, Group> groups;
  for (const Record& record : contents.records) {
    const auto& workload = contents.workloads.at(record.workload_key);
    const auto& target = contents.targets.at(record.target_key);
    Group& group =
        groups[{workload.name, workload.key, label_of(target), target.key, record.threads}];
    group.workload = &workload;
    group.target = &target;
    group.threads = record.threads;
    ++group.trials;
    ++group.by_verdict[tuning_db::to_string(record.verdict)];
  }
  std::vector<Group> sorted;
  for (auto& [order, one] : groups) {
    one.best = db.best(one.workload->key, one.target->key, one.threads);
    sorted.push_back(std::move(one));
  }
  return sorted;
}

/// The keys of `swgen tune --json`, and what tells groups apart.
llvm::json::Object group_json(const Group& group) {
  llvm::json::Object verdicts;
  for (const auto& [verdict, count] : group.by_verdict) verdicts[verdict] = count;
  llvm::json::Object object{{"workload", json_text(group.workload->name)},
                            {"workload_key", group.workload->key},
                            {"target", json_text(label_of(*group.target))},
                            {"target_key", group.target->key},
                            {"threads", group.threads},
                            {"trials", group.trials},
                            {"by_verdict", std::move(verdicts)},
                            {"verdict", "none"}};
  if (!group.best) return object;
  llvm::json::Object best = record_json(*group.best);
  for (const char* key : {"id", "schedule", "verdict", "how", "seconds", "predicted_seconds",
                          "gflops", "peak_gflops", "percent_of_peak", "created"})
    object[key] = std::move(best[key]);
  return object;
}

void print_groups_json(const std::vector<Group>& groups) {
  llvm::json::Array results;
  for (const Group& group : groups) results.push_back(group_json(group));
  print_json(std::cout, llvm::json::Object{{"results", std::move(results)}});
}

const std::vector<Table::Column> kColumns = {{"workload"},
                                             {"target"},
                                             {"threads", Table::Align::right},
                                             {"trials", Table::Align::right},
                                             {"ok", Table::Align::right},
                                             {"best", Table::Align::right},
                                             {"GFLOP/s", Table::Align::right},
                                             {"% of peak", Table::Align::right},
                                             {"how"}};

std::vector<std::string> cells(const Group& group) {
  const auto ok = group.by_verdict.find("ok");
  const Record best = group.best.value_or(Record{});
  return {group.workload->name,
          label_of(*group.target),
          base::cat(group.threads),
          base::cat(group.trials),
          base::cat(ok == group.by_verdict.end() ? 0 : ok->second),
          format_seconds(group.best ? time_of(best) : 0),
          format_number(best.gflops, 1),
          format_number(percent_of_peak(best), 1),
          group.best ? best.how : "-"};
}

std::string schedule_cell(const Group& group) {
  if (!group.best) return "-";
  return group.best->schedule.empty() ? "(reference)" : group.best->schedule;
}

void print_groups(const Database& db, const std::vector<Group>& groups, bool schedules) {
  if (groups.empty()) {
    std::cout << "no such trials in " << db.path() << '\n';
    return;
  }
  std::vector<Table::Column> columns = kColumns;
  if (schedules) columns.push_back({"schedule"});
  Table table(columns);
  for (const Group& group : groups) {
    std::vector<std::string> row = cells(group);
    if (schedules) row.push_back(schedule_cell(group));
    table.add(std::move(row));
  }
  table.print(std::cout);
}

}  // namespace

int db_list(const Database& db, const DbOptions& options) {
  const DbContents contents = read_contents(db, options.arguments, options);
  const std::vector<Group> groups = group(db, contents);
  if (options.json)
    print_groups_json(groups);
  else
    print_groups(db, groups, false);
  return kOk;
}

int db_best(const Database& db, const DbOptions& options) {
  const DbContents contents = read_contents(db, options.arguments, options);
  const std::vector<Group> groups = group(db, contents);
  if (options.json)
    print_groups_json(groups);
  else
    print_groups(db, groups, true);
  if (options.arguments.empty()) return kOk;
  // Whoever names a workload relies on a result of it.
  std::map<std::string, std::string> without;
  for (const auto& [key, row] : contents.workloads) without[key] = row.name;
  for (const Group& group : groups)
    if (group.best) without.erase(group.workload->key);
  for (const auto& [key, name] : without)
    std::cerr << "swgen: error: found no valid trial of '" << name << "' in " << db.path()
              << ", expected one; 'swgen tune' makes them\n";
  return without.empty() ? kOk : kWorkloadFailed;
}

}  // namespace swgen::cli
