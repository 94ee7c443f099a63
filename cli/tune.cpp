// SPDX-License-Identifier: Apache-2.0
#include "tuner/tune.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "cli/commands.h"
#include "cli/emit.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/workloads.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::cli {
namespace {

struct Options {
  std::vector<std::string> files, sets;
  std::string target = "x86", machine, db, time = "60s", out;
  tuner::TuneOptions tune;
  bool json = false;
};

struct Interrupted {};
volatile sig_atomic_t interrupted = 0;
void on_interrupt(int) { interrupted = 1; }

const CommandHelp kHelp = {
    "swgen tune WORKLOADS.yaml... [options]",
    "Searches the schedules of each workload: predicts all of them, measures the best in child "
    "processes\n"
    "(checked before timed), and stores every trial in the database as it ends. A second run goes "
    "on where\n"
    "the first stopped; --time and --trials count what the database already holds. A search ends before\n"
    "its budget when 80 trials in a row found nothing better.\n"
    "On sw26010 the model's best are simulated and the fastest is checked on an emulated core group; times are simulated.\n",
    "  swgen tune conv.yaml                          # a minute per workload, one thread\n"
    "  swgen tune conv.yaml --threads 2 --time 5m --out kernels\n"
    "  swgen tune vgg16.yaml --target sw26010 --model-only\n"};

/// One line that is rewritten on a terminal; nothing elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet) : shown_(!quiet && isatty(2) != 0) {}
  void show(const std::string& text) const {
    if (shown_) std::cerr << "\r\033[K" << text << std::flush;
  }
  void clear() const { show(""); }

 private:
  bool shown_;
};

llvm::json::Object to_json(const tuner::TuneResult& r) {
  llvm::json::Object o{{"workload", r.workload},
                       {"target", r.target},
                       {"schedule", r.schedule},
                       {"verdict", r.verdict},
                       {"seconds", r.seconds},
                       {"gflops", r.gflops},
                       {"percent_of_peak", r.percent_of_peak},
                       {"predicted_seconds", r.predicted_seconds},
                       {"trials", r.trials},
                       {"new_measurements", r.new_measurements}};
  if (r.drift != 0) o["drift"] = r.drift;
  if (!r.reason.empty()) o["reason"] = json_text(r.reason);
  return o;
}

void print_table(const std::vector<tuner::TuneResult>& results) {
  using Align = Table::Align;
  Table table({{"workload"},
               {"target"},
               {"verdict"},
               {"time", Align::right},
               {"predicted", Align::right},
               {"GFLOP/s", Align::right},
               {"% of peak", Align::right},
               {"trials", Align::right},
               {"new", Align::right}});
  for (const tuner::TuneResult& r : results)
    table.add({r.workload, r.target, r.verdict, format_seconds(r.seconds),
               format_seconds(r.predicted_seconds), format_number(r.gflops, 1),
               format_number(r.percent_of_peak, 1), base::cat(r.trials),
               base::cat(r.new_measurements)});
  table.print(std::cout);
  for (const tuner::TuneResult& r : results)
    if (!r.reason.empty()) std::cout << r.workload << ": " << r.reason << '\n';
}

int exit_code(const std::vector<tuner::TuneResult>& results) {
  int valid = 0, built = 0;
  for (const tuner::TuneResult& r : results) {
    valid += r.verdict == "ok" ? 1 : 0;
    built += r.reason.rfind("build_failed", 0) == 0 ? 0 : 1;
  }
  if (valid == static_cast<int>(results.size())) return kOk;
  if (built == 0) return kToolchainError;
  return valid == 0 ? kBudgetEnded : kWorkloadFailed;
}

Options parse(int argc, char** argv, bool& go) {
  Options o;
  po::options_description description;
  auto add = description.add_options();
  add("machine", po::value(&o.machine)->value_name("FILE"), kMachineHelp);
  add("target", po::value(&o.target)->value_name("NAME"),
      "x86 (default: the best level here), x86-avx512, x86-avx2, x86-generic, sw26010");
  add("time", po::value(&o.time)->value_name("T"),
      "budget per workload, such as 60s, 5m (default 60s)");
  add("trials", po::value(&o.tune.trials)->value_name("N"),
      "at most N trials per workload (default 1000)");
  add("more", po::bool_switch(&o.tune.more), "spend the budget on top of what the database holds");
  add("threads", po::value(&o.tune.threads)->value_name("N"), "threads of the kernel (default 1)");
  add("model-only", po::bool_switch(&o.tune.model_only), "measure nothing, store the model's pick");
  add("seed", po::value(&o.tune.seed)->value_name("S"), "recorded with every trial (default 0)");
  add("cxx", po::value(&o.tune.compiler)->value_name("COMMAND"),
      "compile candidates with this compiler");
  add("out", po::value(&o.out)->value_name("DIR"), "emit the best kernels as a package");
  add("set", po::value(&o.sets)->value_name("KEY=VALUE"), "override a field of every workload");
  add("db", po::value(&o.db)->value_name("FILE"), kDatabaseHelp);
  add("json", po::bool_switch(&o.json), "print one JSON object");
  go = parse_command_line(kHelp, description, &o.files, argc, argv);
  if (!go) return o;
  o.tune.seconds = parse_duration("time", o.time);
  if (o.tune.threads < 1 || o.tune.threads > 1024)
    throw base::UserError(base::cat("found --threads ", o.tune.threads, ", expected 1 to 1024"));
  if (o.tune.trials < 1)
    throw base::UserError(base::cat("found --trials ", o.tune.trials, ", expected at least 1"));
  return o;
}

}  // namespace

int tune_command(int argc, char** argv) {
  bool go = false;
  Options o = parse(argc, argv, go);
  if (!go) return kOk;
  const target::Target target = read_target(o.target, o.machine);
  const std::vector<frontend::Workload> workloads = read_workloads(o.files, o.sets);
  if (!o.out.empty()) check_package_folder(o.out);
  tuning_db::Database db =
      tuning_db::Database::open(database_path(o.db), tuning_db::Database::Mode::read_write);
  signal(SIGINT, on_interrupt);
  signal(SIGTERM, on_interrupt);
  const ProgressLine line(o.json);
  std::vector<tuner::TuneResult> results;
  try {
    for (size_t i = 0; i < workloads.size(); ++i) {
      results.push_back(tuner::tune(
          workloads[i], target, o.tune, db,
          [&](const frontend::Workload& w, int trials, double best) {
            line.show(base::cat("[", i + 1, "/", workloads.size(), "] ", w.name, ": ", trials,
                                " trials, best ", best > 0 ? format_seconds(best) : "none yet"));
            if (interrupted != 0) throw Interrupted{};
          }));
      if (interrupted != 0) throw Interrupted{};
    }
  } catch (const Interrupted&) {
    line.clear();
    std::cerr << "swgen: interrupted; finished trials are in " << db.path() << '\n';
    return kInterrupted;
  }
  line.clear();
  if (o.json) {
    llvm::json::Array array;
    for (const tuner::TuneResult& r : results) array.push_back(to_json(r));
    print_json(std::cout, llvm::json::Object{{"results", std::move(array)}});
  } else {
    print_table(results);
  }
  const int code = exit_code(results);
  if (!o.out.empty() && code == kOk) {
    EmitRequest request;
    request.folder = o.out;
    request.threads = o.tune.threads;
    request.compiler = o.tune.compiler;
    emit_package(workloads, target, &db, request);
    if (!o.json) std::cout << "wrote " << workloads.size() << (workloads.size() == 1 ? " kernel to " : " kernels to ") << o.out << '\n';
  }
  return code;
}

}  // namespace swgen::cli
