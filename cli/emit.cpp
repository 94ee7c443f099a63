// SPDX-License-Identifier: Apache-2.0
#include "cli/emit.h"

#include <filesystem>
#include <iostream>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/workloads.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/package.h"
#include "compiler/compile.h"
#include "tuner/tune.h"

namespace swgen::cli {
namespace {

struct EmitOptions {
  std::vector<std::string> files, sets;
  std::string target = "x86", machine, db, out, schedule, compiler;
  int threads = 1;
  bool require_tuned = false, json = false;
};

const CommandHelp kHelp = {
    "swgen emit WORKLOADS.yaml... --out DIR [options]",
    "Writes kernels as standalone C++ source: headers, sources, self-tests and a CMake package "
    "that\n"
    "works by add_subdirectory() and find_package(). Takes the best schedule in the database, else "
    "the\n"
    "performance model's pick. The package needs nothing of swgen.\n",
    "  swgen emit conv.yaml --out kernels\n"
    "  swgen emit conv.yaml --out kernels --target x86-avx2 --require-tuned\n"
    "  cmake -S kernels -B build && cmake --build build && ctest --test-dir build\n"};

std::string package_name(const std::string& folder) {
  std::filesystem::path p = std::filesystem::absolute(folder).lexically_normal();
  if (!p.has_filename()) p = p.parent_path();
  return p.filename().string();
}

std::string choose(const frontend::Workload& w, const target::Target& t,
                   const tuning_db::Database* db, const EmitRequest& request) {
  if (request.schedule_given) return request.schedule;
  if (db != nullptr) {
    const auto best = db->best(tuner::workload_row(w).key,
                               tuner::target_row(t, request.compiler).key, request.threads);
    if (best && (!request.require_tuned || best->how != "predicted")) return best->schedule;
  }
  if (request.require_tuned)
    throw base::UserError("found no measured schedule of " + w.name + " for " + t.name + " " +
                          t.level + " with " + std::to_string(request.threads) +
                          " threads, expected one in the database: run swgen tune");
  const target::Target planned = db == nullptr ? t : tuner::planned_target(t, *db);
  for (const tuner::RankedCandidate& c : tuner::rank_candidates(w, planned, request.threads))
    if (compile(w, schedule::parse(c.schedule), t).bundle) return c.schedule;
  return "";
}

}  // namespace

std::vector<std::string> emit_package(const std::vector<frontend::Workload>& workloads,
                                      const target::Target& target, const tuning_db::Database* db,
                                      const EmitRequest& request) {
  std::vector<codegen::SourceBundle> bundles;
  std::vector<std::string> schedules;
  for (const frontend::Workload& w : workloads) {
    schedules.push_back(choose(w, target, db, request));
    Compiled compiled = compile(w, schedule::parse(schedules.back()), target);
    if (!compiled.bundle)
      throw base::UserError(w.name + ": the schedule is not possible: " + compiled.infeasible);
    bundles.push_back(*compiled.bundle);
  }
  write_package(request.folder, codegen::make_package(package_name(request.folder), bundles));
  return schedules;
}

int emit_command(int argc, char** argv) {
  EmitOptions o;
  po::options_description description;
  auto add = description.add_options();
  add("out", po::value(&o.out)->value_name("DIR"),
      "folder of the package; replaced when it holds one");
  add("machine", po::value(&o.machine)->value_name("FILE"), kMachineHelp);
  add("target", po::value(&o.target)->value_name("NAME"),
      "x86 (default), x86-avx512, x86-avx2, x86-generic, sw26010");
  add("schedule", po::value(&o.schedule)->value_name("TEXT"),
      "use this schedule; '' is the plain nest");
  add("require-tuned", po::bool_switch(&o.require_tuned), "refuse when nothing was measured");
  add("threads", po::value(&o.threads)->value_name("N"),
      "take measurements with N threads (default 1)");
  add("cxx", po::value(&o.compiler)->value_name("COMMAND"), "take measurements with this compiler");
  add("set", po::value(&o.sets)->value_name("KEY=VALUE"), "override a field of every workload");
  add("db", po::value(&o.db)->value_name("FILE"), kDatabaseHelp);
  add("json", po::bool_switch(&o.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, &o.files, argc, argv)) return kOk;
  if (o.out.empty()) throw base::UserError("found no --out, expected the folder to write");
  if (o.threads < 1) throw base::UserError(base::cat("found --threads ", o.threads, ", expected at least 1"));
  const target::Target target = read_target(o.target, o.machine);
  const std::vector<frontend::Workload> workloads = read_workloads(o.files, o.sets);
  bool schedule_given = false;
  for (int i = 1; i < argc; ++i) schedule_given |= std::string(argv[i]).rfind("--schedule", 0) == 0;
  const std::optional<tuning_db::Database> db = existing_database(o.db);
  const EmitRequest request = {o.out,      o.threads,  o.require_tuned,
                               o.compiler, o.schedule, schedule_given};
  const std::vector<std::string> schedules =
      emit_package(workloads, target, db ? &*db : nullptr, request);
  if (o.json) {
    llvm::json::Array kernels;
    for (size_t i = 0; i < workloads.size(); ++i)
      kernels.push_back(
          llvm::json::Object{{"workload", workloads[i].name},
                             {"symbol", "swgen_" + base::identifier(workloads[i].name)},
                             {"schedule", schedules[i]}});
    print_json(std::cout, llvm::json::Object{{"out", o.out}, {"kernels", std::move(kernels)}});
  } else {
    std::cout << "wrote " << workloads.size() << (workloads.size() == 1 ? " kernel" : " kernels")
              << " to " << o.out << '\n';
  }
  return kOk;
}

}  // namespace swgen::cli
