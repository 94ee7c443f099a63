// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <optional>
#include <tuple>

#include "cli/db_actions.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "compiler/base/text.h"

namespace swgen::cli {
namespace {

using tuning_db::Record;
using tuning_db::Verdict;

/// "17" as a record's number; nothing for other texts.
std::optional<std::int64_t> record_number(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() < 19 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::optional(std::int64_t{std::stoll(text)}) : std::nullopt;
}

void print_record(const Record& record, const DbContents& contents) {
  const auto& workload = contents.workloads.at(record.workload_key);
  std::cout << "record: " << record.id << '\n'
            << "workload: " << workload.name << " (" << workload.canonical << ")\n"
            << "target: " << label_of(contents.targets.at(record.target_key)) << '\n'
            << "threads: " << record.threads << '\n'
            << "schedule: " << (record.schedule.empty() ? "(reference)" : record.schedule) << '\n'
            << "verdict: " << tuning_db::to_string(record.verdict) << '\n';
  if (!record.reason.empty()) std::cout << "reason: " << record.reason << '\n';
  std::cout << "how: " << record.how << '\n'
            << "time: " << format_seconds(record.seconds) << '\n'
            << "predicted time: " << format_seconds(record.predicted_seconds) << '\n'
            << "GFLOP/s: " << format_number(record.gflops, 2) << '\n'
            << "% of peak: " << format_number(percent_of_peak(record), 1) << '\n'
            << "samples in seconds: "
            << (record.samples.empty() ? "-" : base::join(record.samples, " ")) << '\n'
            << "provenance: " << (record.provenance.empty() ? "-" : record.provenance) << '\n'
            << "created: " << record.created << '\n';
}

int show_record(const Record& record, const DbContents& contents, const DbOptions& options) {
  if (!options.json) {
    print_record(record, contents);
    return kOk;
  }
  print_json(std::cout, llvm::json::Object{
                            {"record", record_json(record)},
                            {"workload", workload_json(contents.workloads.at(record.workload_key))},
                            {"target", target_json(contents.targets.at(record.target_key))}});
  return kOk;
}

/// Competing trials side by side, the fastest first, failures last.
void sort_by_time(DbContents& contents) {
  const auto order = [&](const Record& r) {
    return std::make_tuple(label_of(contents.targets.at(r.target_key)), r.target_key, r.threads,
                           r.verdict != Verdict::ok, r.how == "predicted", time_of(r), r.id);
  };
  std::sort(contents.records.begin(), contents.records.end(),
            [&](const Record& a, const Record& b) { return order(a) < order(b); });
}

void print_workload(const tuning_db::WorkloadRow& workload, const DbContents& contents) {
  std::cout << "workload: " << workload.name << '\n'
            << "key: " << workload.key << '\n'
            << "canonical: " << workload.canonical << '\n'
            << "trials: " << contents.records.size() << '\n';
  if (contents.records.empty()) return;
  using Align = Table::Align;
  Table table({{"record", Align::right},
               {"target"},
               {"threads", Align::right},
               {"verdict"},
               {"how"},
               {"time", Align::right},
               {"predicted", Align::right},
               {"GFLOP/s", Align::right},
               {"schedule, or what went wrong"}});
  for (const Record& r : contents.records) {
    std::string text = r.schedule.empty() ? "(reference)" : r.schedule;
    if (!r.reason.empty()) text += ": " + r.reason.substr(0, r.reason.find('\n'));
    table.add({base::cat(r.id), label_of(contents.targets.at(r.target_key)), base::cat(r.threads),
               tuning_db::to_string(r.verdict), r.how, format_seconds(r.seconds),
               format_seconds(r.predicted_seconds), format_number(r.gflops, 1), text});
  }
  std::cout << '\n';
  table.print(std::cout);
}

}  // namespace

int db_show(const tuning_db::Database& db, const DbOptions& options) {
  const std::string& wanted = options.arguments.front();
  if (const auto number = record_number(wanted); number && !db.workload(wanted))
    if (const auto record = db.record(*number))
      return show_record(*record, read_contents(db, {}, DbOptions{}), options);
  DbContents contents = read_contents(db, options.arguments, options);
  sort_by_time(contents);
  const auto& workload = contents.workloads.begin()->second;
  if (!options.json) {
    print_workload(workload, contents);
    return kOk;
  }
  llvm::json::Array records, targets;
  for (const Record& record : contents.records) records.push_back(record_json(record));
  for (const auto& [key, row] : contents.targets) targets.push_back(target_json(row));
  print_json(std::cout, llvm::json::Object{{"workload", workload_json(workload)},
                                           {"targets", std::move(targets)},
                                           {"records", std::move(records)}});
  return kOk;
}

}  // namespace swgen::cli
