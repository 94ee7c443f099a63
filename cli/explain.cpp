// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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
#include "compiler/ir/program.h"
#include "tuner/tune.h"

namespace swgen::cli {
namespace {

struct ExplainOptions {
  std::vector<std::string> files, sets;
  std::string target = "x86", machine, db, schedule, after;
  int threads = 1;
  bool json = false;
};

const CommandHelp kHelp = {"swgen explain WORKLOADS.yaml... [options]",
                           "Shows why a schedule is what it is: the predicted time by term, the "
                           "roofline, how many candidates there\n"
                           "were and why others are not possible. Without --schedule: the best of "
                           "the database, else the model's\n"
                           "pick. --after PASS prints the program after that pass ('apply' is the "
                           "first, 'simplify' the last).\n",
                           "  swgen explain conv.yaml --target sw26010\n"
                           "  swgen explain fc.yaml --schedule '' --after boundary\n"};

void explain(const frontend::Workload& w, const target::Target& facts, const ExplainOptions& o,
             bool schedule_given, llvm::json::Array& out) {
  const std::optional<tuning_db::Database> db = existing_database(o.db);
  const target::Target t = db ? tuner::planned_target(facts, *db) : facts;
  const Choice e = choose_schedule(w, t, o.threads, schedule_given ? std::optional(o.schedule) : std::nullopt, db);
  const schedule::Schedule s = schedule::parse(e.schedule);
  std::string program;
  const Lowered lowered = lower(w, s, t, [&](const std::string& pass, const ir::Program& p) {
    if (pass == o.after) program = ir::to_text(p);
  });
  if (!lowered.program)
    throw base::UserError(w.name + ": the schedule is not possible: " + lowered.infeasible);
  const Compiled compiled = compile(w, s, t);
  if (!compiled.bundle) throw base::UserError(w.name + ": the schedule is not possible: " + compiled.infeasible);
  const ir::Seed seed = seed_for(w, s);
  const tuner::Prediction p = tuner::predict(seed, s, t, o.threads);
  const double flops = static_cast<double>(ir::flops(seed)),
               bytes = static_cast<double>(ir::compulsory_bytes(seed));
  const double planned = (w.dtype == ir::DType::f32 ? t.peak_gflops : t.peak_gflops_f64) *
                         (t.has_scratch ? 1 : o.threads);
  const double peak = e.record && e.record->peak_gflops > 0 ? e.record->peak_gflops : planned;
  const double floor_compute = flops / peak / 1e9, floor_memory = bytes / t.memory_gbps / 1e9;
  if (o.json) {
    llvm::json::Array terms;
    for (const tuner::Term& term : p.terms)
      terms.push_back(llvm::json::Object{
          {"name", term.name}, {"seconds", term.seconds}, {"detail", term.detail}});
    llvm::json::Object item{{"workload", w.name},
                            {"schedule", e.schedule},
                            {"origin", e.origin},
                            {"candidates", static_cast<int64_t>(e.candidates)},
                            {"predicted_seconds", p.seconds},
                            {"low_seconds", p.low},
                            {"high_seconds", p.high},
                            {"terms", std::move(terms)},
                            {"flops", flops},
                            {"bytes", bytes},
                            {"floor_seconds", std::max(floor_compute, floor_memory)}};
    if (!p.limit.empty()) item["limit"] = p.limit;
    if (e.record) item["seconds"] = e.record->seconds;
    if (!o.after.empty()) item["program"] = program;
    out.push_back(std::move(item));
    return;
  }
  std::cout << w.name << "  (" << t.name << (t.level.empty() ? "" : " ") << t.level << ")\n  schedule   "
            << (e.schedule.empty() ? "(the plain nest)" : e.schedule) << "\n  chosen     "
            << e.origin << ", of " << e.candidates << " candidates\n";
  for (const auto& [reason, count] : e.infeasible)
    std::cout << "             " << count << " not possible: " << reason << '\n';
  std::cout << "  predicted  " << format_seconds(p.seconds) << "  (" << format_seconds(p.low)
            << " to " << format_seconds(p.high) << ")\n";
  for (const tuner::Term& term : p.terms)
    std::cout << "    " << format_seconds(term.seconds) << "  " << term.name << ": " << term.detail
              << '\n';
  if (e.record && e.record->seconds > 0)
    std::cout << (e.record->how == "emulated" ? "  simulated  " : "  measured   ") << format_seconds(e.record->seconds) << '\n';
  std::cout << "  roofline   " << format_number(flops / bytes, 1) << " flop/byte; at peak "
            << format_seconds(floor_compute) << ", at memory bandwidth "
            << format_seconds(floor_memory) << ": limited by "
            << (floor_compute > floor_memory ? "arithmetic" : "memory") << '\n';
  if (!p.limit.empty()) std::cout << "  limit      " << p.limit << '\n';
  if (!o.after.empty()) std::cout << program;
}

}  // namespace

int explain_command(int argc, char** argv) {
  ExplainOptions o;
  po::options_description description;
  auto add = description.add_options();
  add("machine", po::value(&o.machine)->value_name("FILE"), kMachineHelp);
  add("target", po::value(&o.target)->value_name("NAME"),
      "x86 (default), x86-avx512, x86-avx2, x86-generic, sw26010");
  add("schedule", po::value(&o.schedule)->value_name("TEXT"),
      "explain this schedule; '' is the plain nest");
  add("after", po::value(&o.after)->value_name("PASS"), "print the program after this pass");
  add("threads", po::value(&o.threads)->value_name("N"), "threads of the kernel (default 1)");
  add("set", po::value(&o.sets)->value_name("KEY=VALUE"), "override a field of every workload");
  add("db", po::value(&o.db)->value_name("FILE"), kDatabaseHelp);
  add("json", po::bool_switch(&o.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, &o.files, argc, argv)) return kOk;
  std::vector<std::string> passes = {"apply"};
  for (const passes::Pass& pass : passes::pass_table()) passes.push_back(pass.name);
  if (!o.after.empty() && std::find(passes.begin(), passes.end(), o.after) == passes.end())
    throw base::UserError("found --after '" + o.after + "', expected one of " +
                          base::join(passes, ", "));
  if (o.threads < 1)
    throw base::UserError(base::cat("found --threads ", o.threads, ", expected at least 1"));
  bool schedule_given = false;
  for (int i = 1; i < argc; ++i) schedule_given |= std::string(argv[i]).rfind("--schedule", 0) == 0;
  const target::Target target = read_target(o.target, o.machine);
  llvm::json::Array results;
  for (const frontend::Workload& w : read_workloads(o.files, o.sets))
    explain(w, target, o, schedule_given, results);
  if (o.json) print_json(std::cout, llvm::json::Object{{"results", std::move(results)}});
  return kOk;
}

}  // namespace swgen::cli
