// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/arguments.h"

#include "cli/options.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::bench {
namespace {

const cli::CommandHelp kHelp = {
    "swgen-bench WORKLOADS.yaml... [options]",
    "Compares tuned kernels with oneDNN, OpenBLAS and the FMA peak of this machine. Takes each\n"
    "workload's best measured schedule out of the database, emits the package, builds it with "
    "each\n"
    "compiler, and lets all programs run in turn, several times. First sees that all of them\n"
    "computed the same. Numbers are medians; % is of the FMA peak measured in between.\n",
    "  swgen tune conv.yaml && swgen-bench conv.yaml\n"
    "  swgen-bench gemm.yaml --threads 2 --compiler g++ --repeats 21\n"
    "  swgen-bench conv.yaml --layout nchw      # needs: swgen tune conv.yaml --set layout=nchw\n"};

std::vector<std::string> compilers_of(const std::string& option) {
  if (option == "both") return {"g++", "clang++-14"};
  return {option};
}

void require_between(const char* option, int found, int low, int high) {
  if (found < low || found > high)
    throw base::UserError(
        base::cat("found ", option, " ", found, ", expected ", low, " to ", high));
}

}  // namespace

Arguments parse_arguments(int argc, char** argv, bool& go) {
  Arguments a;
  std::string compiler = "both", layout;
  cli::po::options_description description;
  auto add = description.add_options();
  using cli::po::value;
  add("db", value(&a.db)->value_name("FILE"), cli::kDatabaseHelp);
  add("threads", value(&a.threads)->value_name("N"), "threads of all programs (default 1)");
  add("compiler", value(&compiler)->value_name("COMMAND"),
      "what builds the package: g++, clang++-14, both (default) or another command");
  add("repeats", value(&a.repeats)->value_name("R"), "rounds per workload (default 11)");
  add("layout", value(&layout)->value_name("nchw"),
      "also compare plain nchw activations where the workload says any");
  add("target", value(&a.target)->value_name("NAME"), "x86 (default), x86-avx512, x86-avx2, ...");
  add("cxx", value(&a.cxx)->value_name("COMMAND"), "take measurements with this compiler");
  add("set", value(&a.sets)->value_name("KEY=VALUE"), "override a field of every workload");
  add("work", value(&a.work)->value_name("DIR"),
      "build here and keep it: the next run builds only what changed");
  add("json", cli::po::bool_switch(&a.json), "print one JSON object");
  go = cli::parse_command_line(kHelp, description, &a.files, argc, argv);
  if (!go) return a;
  require_between("--threads", a.threads, 1, 1024);
  require_between("--repeats", a.repeats, 1, 1000);
  if (!layout.empty() && layout != "nchw")
    throw base::UserError("found --layout '" + layout +
                          "', expected nchw; other layouts are set with --set layout=...");
  a.nchw = !layout.empty();
  a.compilers = compilers_of(compiler);
  a.db = cli::database_path(a.db);
  return a;
}

}  // namespace swgen::bench
