// SPDX-License-Identifier: Apache-2.0
// swgen <command> [options]: finds the command, turns what it throws into messages and exit codes.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "compiler/base/error.h"
#include "compiler/base/version.h"
#include "compiler/frontend/suggest.h"
#include "tuning_db/error.h"

namespace swgen::cli {
namespace {

struct Command {
  const char* name;
  const char* help;
  int (*run)(int argc, char** argv);
};

constexpr Command kCommands[] = {
    {"tune", "search for the fastest schedule of each workload; store every trial", tune_command},
    {"emit", "write the best kernels as C++ source with a CMake package", emit_command},
    {"explain", "show why a schedule was chosen: time by term, code after any pass",
     explain_command},
    {"simulate", "run kernels on the simulated SW26010: cycles, and what they went to", simulate_command},
    {"db", "look into the database of trials: list, best, show, export, check", db_command},
    {"ops", "list the operators and their parameters", ops_command},
    {"machine", "show the targets and their facts", machine_command},
    {"validate", "set the SW26010 simulator against published measurements", validate_command},
    {"version", "print the version", version_command},
};

void print_help(std::ostream& out) {
  out << "swgen " << base::kVersion
      << ": tuned, standalone C++ kernels from descriptions of deep-learning operators\n\n"
         "Usage: swgen <command> [options]\n\n"
         "Commands:\n";
  for (const Command& command : kCommands) {
    const std::string name = command.name;
    out << "  " << name << std::string(10 - name.size(), ' ') << command.help << '\n';
  }
  out << "\n'swgen <command> --help' tells about a command. A first run:\n\n"
         "  cat > fc.yaml <<END\n"
         "  workloads:\n"
         "    - {name: fc, op: matmul, m: 64, n: 1000, k: 2048}\n"
         "  END\n"
         "  swgen tune fc.yaml --time 20s\n"
         "  swgen emit fc.yaml --out fc_kernel\n";
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    print_help(std::cerr);
    return kUsageError;
  }
  const std::string name = argv[1];
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(std::cout);
    return kOk;
  }
  if (name == "--version") return version_command(1, argv + 1);
  std::vector<std::string> names;
  for (const Command& command : kCommands) {
    if (name == command.name) return command.run(argc - 1, argv + 1);
    names.emplace_back(command.name);
  }
  throw base::UserError("found command '" + name + "', " + frontend::expected_one_of(name, names));
}

int fail(const std::string& message, ExitCode code) {
  // Errors in a user's file say `FILE:LINE:COLUMN: error:` already.
  if (message.find("error: ") == std::string::npos) std::cerr << "swgen: error: ";
  std::cerr << message;
  if (message.empty() || message.back() != '\n') std::cerr << '\n';
  return code;
}

int run(int argc, char** argv) {
  try {
    const int code = dispatch(argc, argv);
    std::cout.flush();
    if (!std::cout) return fail("cannot write to standard output", kUsageError);
    return code;
  } catch (const base::UserError& error) {
    return fail(error.what(), kUsageError);
  } catch (const tuning_db::DatabaseError& error) {
    return fail(error.what(), kDatabaseError);
  } catch (const base::InternalError& error) {
    return fail(error.what(), kInternalError);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what(), kInternalError);
  }
}

}  // namespace
}  // namespace swgen::cli

int main(int argc, char** argv) { return swgen::cli::run(argc, argv); }
