// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/workloads.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/target/target.h"
#include "compiler/target/targets.h"
#include "tuner/measure/calibrate.h"
#include "tuner/measure/measure.h"
#include "tuner/tune.h"

namespace swgen::cli {
namespace {

using target::Target;

struct MachineOptions {
  std::string target, machine, db;
  bool json = false, calibrate = false;
};

const CommandHelp kHelp = {
    "swgen machine [--target NAME] [options]",
    "Shows the machines that swgen can generate code for, and the facts it plans with: vector\n"
    "registers, clock, peak, caches or scratchpads. 'x86' stands for the best level that this\n"
    "machine's processor runs. Clock, peak and bandwidths of x86 are planning values until they are\n"
    "measured, by --calibrate or by the first 'swgen tune'; the database keeps them.\n",
    "  swgen machine                      # all targets, one line each\n"
    "  swgen machine --target sw26010     # all facts of one\n"
    "  swgen machine --target x86 --calibrate\n"
    "  swgen machine --json\n"};

/// One number or text of a target; `unit` is for people.
struct Fact {
  std::string name;
  llvm::json::Value value;
  std::string unit;
};

bool runs_here(const Target& t) { return !t.has_scratch && target::x86_level_runs_here(t.level); }

std::vector<Fact> cache_facts(const Target& t) {
  return {{"cache_bytes", llvm::json::Array(t.cache_bytes), "level 1, 2, 3, of one core"},
          {"cache_gbps", llvm::json::Array(t.cache_gbps), "GB/s of one core; the last is memory"}};
}

std::vector<Fact> scratch_facts(const Target& t) {
  return {{"mesh_rows", t.mesh_rows, ""},
          {"mesh_cols", t.mesh_cols, ""},
          {"scratch_bytes", t.scratch_bytes, "for data, of each core"},
          {"scratch_alignment", t.scratch_alignment, "bytes"},
          {"scratch_dtype_f32", ir::name_of(t.compute_dtype_f32), "what an f32 tile is held as"},
          {"gemm_lanes_multiple", t.mesh_gemm.lanes_multiple, "of the vectorized extent"},
          {"gemm_other_multiple", t.mesh_gemm.other_multiple, "of the other output extent"},
          {"gemm_k_multiple", t.mesh_gemm.k_multiple, "of the summed extent"}};
}

std::vector<Fact> facts_of(const std::string& name, const Target& t) {
  std::vector<Fact> facts = {{"target", name, ""},
                             {"name", t.name, ""},
                             {"level", t.level, ""},
                             {"runs_here", runs_here(t), ""},
                             {"vector_bytes", t.vector_bytes, "bytes of a register"},
                             {"vector_registers", t.vector_registers, ""},
                             {"clock_ghz", t.clock_ghz, "GHz"},
                             {"peak_gflops", t.peak_gflops, "GFLOP/s, f32"},
                             {"peak_gflops_f64", t.peak_gflops_f64, "GFLOP/s, f64"},
                             {"memory_gbps", t.memory_gbps, "GB/s"}};
  for (Fact& fact : t.has_scratch ? scratch_facts(t) : cache_facts(t))
    facts.push_back(std::move(fact));
  facts.push_back({"fingerprint", json_text(target::fingerprint(t)), ""});
  return facts;
}

std::string plain_text(const llvm::json::Value& value) {
  if (const auto text = value.getAsString()) return text->str();
  if (const auto flag = value.getAsBoolean()) return *flag ? "yes" : "no";
  if (const auto* list = value.getAsArray()) {
    std::vector<std::string> parts;
    for (const llvm::json::Value& item : *list) parts.push_back(plain_text(item));
    return base::join(parts, ", ");
  }
  // A large integer would be rounded as a number.
  if (const auto integer = value.getAsInteger()) return base::cat(*integer);
  return base::cat(value.getAsNumber().getValueOr(0));
}

void print_facts(const std::string& name, const Target& t) {
  for (const Fact& fact : facts_of(name, t)) {
    const std::string text = plain_text(fact.value);
    if (text.empty()) continue;
    std::cout << fact.name << ": " << text;
    if (!fact.unit.empty()) std::cout << "  (" << fact.unit << ')';
    std::cout << '\n';
  }
}

/// With the numbers that the database keeps for this machine.
Target known_target(const std::string& name, const MachineOptions& o) {
  const Target t = read_target(name, o.machine);
  const auto db = existing_database(o.db);
  return db ? tuner::planned_target(t, *db) : t;
}

void print_summary(const MachineOptions& o) {
  using Align = Table::Align;
  Table table({{"target"},
               {"runs here"},
               {"vector", Align::right},
               {"registers", Align::right},
               {"GHz", Align::right},
               {"GFLOP/s f32", Align::right},
               {"memory"}});
  for (const std::string& name : target::target_names()) {
    const Target t = known_target(name, o);
    const std::string memory = t.has_scratch
                                   ? base::cat(t.mesh_rows, "x", t.mesh_cols, " scratchpads of ",
                                               t.scratch_bytes, " bytes")
                                   : "caches of " + base::join(t.cache_bytes, ", ") + " bytes";
    table.add({name, runs_here(t) ? "yes" : "no", base::cat(8 * t.vector_bytes, " bits"),
               base::cat(t.vector_registers), format_number(t.clock_ghz, 2),
               format_number(t.peak_gflops, 1), memory});
  }
  table.print(std::cout);
}

void calibrate(const std::string& name, const MachineOptions& o) {
  const Target t = target::find_target(name);
  if (!runs_here(t))
    throw base::UserError("found target '" + name + "', expected one that runs here (x86)");
  const auto found = tuner::calibrate(tuner::worker_path("swgen-worker-x86"), t);
  if (!found) throw base::UserError("the machine cannot be measured: the worker gave no time");
  tuning_db::Database::open(database_path(o.db), tuning_db::Database::Mode::read_write)
      .put_value(tuner::calibration_key(t), to_text(*found));
}

llvm::json::Object target_json(const std::string& name, const MachineOptions& o) {
  llvm::json::Object object;
  for (Fact& fact : facts_of(name, known_target(name, o)))
    object[fact.name] = std::move(fact.value);
  return object;
}

}  // namespace

int machine_command(int argc, char** argv) {
  MachineOptions options;
  po::options_description description;
  auto add = description.add_options();
  add("target", po::value(&options.target)->value_name("NAME"), "show all facts of this target");
  add("machine", po::value(&options.machine)->value_name("FILE"), kMachineHelp);
  add("calibrate", po::bool_switch(&options.calibrate), "measure clock, peak and bandwidths (x86) and store them");
  add("db", po::value(&options.db)->value_name("FILE"), kDatabaseHelp);
  add("json", po::bool_switch(&options.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, nullptr, argc, argv)) return kOk;
  if (options.calibrate) calibrate(options.target.empty() ? "x86" : options.target, options);
  std::vector<std::string> names = target::target_names();
  if (!options.target.empty()) names = {options.target};
  if (options.json) {
    llvm::json::Array targets;
    for (const std::string& name : names) targets.push_back(target_json(name, options));
    print_json(std::cout, llvm::json::Object{{"targets", std::move(targets)}});
  } else if (options.target.empty()) {
    print_summary(options);
  } else {
    print_facts(options.target, known_target(options.target, options));
  }
  return kOk;
}

}  // namespace swgen::cli
