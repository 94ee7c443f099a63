// SPDX-License-Identifier: Apache-2.0
#include "compiler/base/version.h"

#include <iostream>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"

namespace swgen::cli {
namespace {

struct VersionOptions {
  bool json = false;
};

const CommandHelp kHelp = {
    "swgen version [--json]",
    "Prints the version of swgen. Emitted sources and database records carry the same number.\n",
    "  swgen version\n"};

}  // namespace

int version_command(int argc, char** argv) {
  VersionOptions options;
  po::options_description description;
  description.add_options()("json", po::bool_switch(&options.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, nullptr, argc, argv)) return kOk;
  if (options.json)
    print_json(std::cout, llvm::json::Object{{"version", base::kVersion}});
  else
    std::cout << "swgen " << base::kVersion << '\n';
  return kOk;
}

}  // namespace swgen::cli
