// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iostream>

#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/workloads.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/compile.h"
#include "tuner/simulate/program.h"
#include "tuner/simulate/trace.h"

namespace swgen::cli {
namespace {

struct SimulateOptions {
  std::vector<std::string> files, sets;
  std::string machine, db, schedule, trace;
  int core_groups = 1;
  bool json = false;
};

constexpr std::int64_t kGroupMemory = std::int64_t{8} << 30;  // of one core group (Fang et al., IPDPS 2017, III-B)

const CommandHelp kHelp = {
    "swgen simulate WORKLOADS.yaml... [options]",
    "Runs kernels on the simulated SW26010: time in cycles, and what the time went to. Without --schedule: the best of the\n"
    "database, else the model's pick. The simulation moves no data (times do not depend on it). docs/sw26010.md tells what is\n"
    "assumed of the machine and how far that agrees with published measurements.\n",
    "  swgen simulate conv.yaml\n"
    "  swgen simulate conv.yaml --core-groups 4 --json\n"
    "  swgen simulate conv.yaml --trace conv.json    # opens in chrome://tracing and Perfetto\n"};

llvm::json::Object counters_of(const tuner::Simulation& s) {
  const sim::GroupCounters& c = s.counters;
  return llvm::json::Object{{"compute_cycles", c.compute},       {"waiting_cycles", c.waiting},        {"primitive_calls", c.primitive_calls},
          {"get_requests", c.gets.requests},   {"get_bytes", c.gets.bytes},          {"get_lines", c.gets.lines},
          {"put_requests", c.puts.requests},   {"put_bytes", c.puts.bytes},          {"put_lines", c.puts.lines},
          {"channel_cycles", (c.gets.busy + c.puts.busy) / 100}};
}

void simulate_one(const frontend::Workload& w, const target::Target& facts, const SimulateOptions& o, bool schedule_given, llvm::json::Array& out, Table& table) {
  const std::optional<tuning_db::Database> db = existing_database(o.db);
  const target::Target t = db ? tuner::planned_target(facts, *db) : facts;
  const Choice choice = choose_schedule(w, t, o.core_groups, schedule_given ? std::optional(o.schedule) : std::nullopt, db);
  const schedule::Schedule s = schedule::parse(choice.schedule);
  const Lowered lowered = lower(w, s, t);
  if (!lowered.program) throw base::UserError(w.name + ": the schedule is not possible: " + lowered.infeasible);
  tuner::Simulation result;
  try {
    result = tuner::simulate(*lowered.program, seed_for(w, {}), t, o.core_groups, !o.trace.empty());
  } catch (const base::Infeasible& e) {
    throw base::UserError(w.name + ": the schedule is not possible: " + e.what());
  }
  if (!o.trace.empty()) {
    std::ofstream file(o.trace);
    file << tuner::trace_json(result, t.clock_ghz);
    file.close();
    if (!file) throw base::UserError(o.trace + ": error: can't be written");
  }
  const double flops = static_cast<double>(ir::flops(seed_for(w, {}))), gflops = flops / result.seconds / 1e9,
               percent = 100 * gflops / (t.peak_gflops * static_cast<double>(result.core_groups));
  const bool fits = result.memory_bytes <= kGroupMemory * result.core_groups;
  if (o.json) {
    out.push_back(llvm::json::Object{{"workload", w.name}, {"schedule", choice.schedule}, {"origin", choice.origin}, {"core_groups", result.core_groups},
                                     {"cycles", result.cycles}, {"seconds", result.seconds}, {"gflops", gflops}, {"percent_of_peak", percent},
                                     {"memory_bytes", result.memory_bytes}, {"fits_memory", fits}, {"counters", counters_of(result)}});
    return;
  }
  table.add({w.name, base::cat(result.cycles), format_seconds(result.seconds), format_number(gflops, 1), format_number(percent, 1),
             format_number(100.0 * static_cast<double>(result.counters.waiting) / static_cast<double>(result.counters.cycles), 1),
             fits ? "" : base::cat("needs ", result.memory_bytes >> 30, " GB, a core group has 8"), choice.schedule});
}

}  // namespace

int simulate_command(int argc, char** argv) {
  SimulateOptions o;
  po::options_description description;
  auto add = description.add_options();
  add("core-groups", po::value(&o.core_groups)->value_name("N"), "core groups that share the output, 1 to 4 (default 1)");
  add("schedule", po::value(&o.schedule)->value_name("TEXT"), "simulate this schedule");
  add("trace", po::value(&o.trace)->value_name("FILE"), "write a timeline of the first core group as trace events (JSON)");
  add("set", po::value(&o.sets)->value_name("KEY=VALUE"), "override a field of every workload");
  add("machine", po::value(&o.machine)->value_name("FILE"), kMachineHelp);
  add("db", po::value(&o.db)->value_name("FILE"), kDatabaseHelp);
  add("json", po::bool_switch(&o.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, &o.files, argc, argv)) return kOk;
  if (o.core_groups < 1 || o.core_groups > 4)
    throw base::UserError(base::cat("found --core-groups ", o.core_groups, ", expected 1 to 4"));
  bool schedule_given = false;
  for (int i = 1; i < argc; ++i) schedule_given |= std::string(argv[i]).rfind("--schedule", 0) == 0;
  const target::Target target = read_target("sw26010", o.machine);
  const std::vector<frontend::Workload> workloads = read_workloads(o.files, o.sets);
  if (!o.trace.empty() && workloads.size() != 1)
    throw base::UserError(base::cat("found --trace with ", workloads.size(), " workloads, expected one"));
  using Align = Table::Align;
  Table table({{"workload"}, {"cycles", Align::right}, {"simulated", Align::right}, {"GFLOPS", Align::right}, {"% of peak", Align::right},
               {"% waiting", Align::right}, {""}, {"schedule"}});
  llvm::json::Array results;
  for (const frontend::Workload& w : workloads) simulate_one(w, target, o, schedule_given, results, table);
  if (o.json)
    print_json(std::cout, llvm::json::Object{{"results", std::move(results)}});
  else
    table.print(std::cout);
  return kOk;
}

}  // namespace swgen::cli
