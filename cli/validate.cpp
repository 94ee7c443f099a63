// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "tuner/simulate/validate.h"

namespace swgen::cli {
namespace {

const CommandHelp kHelp = {
    "swgen validate sw26010 --data FOLDER [options]",
    "Sets the SW26010 simulator against published measurements of the real machine: for every CSV file of the folder whose\n"
    "columns are those of a known series, the simulated values' errors and their rank correlation. Published kernels are\n"
    "simulated with their own bodies and plans, not with swgen's. docs/sw26010.md tells what is assumed.\n",
    "  swgen validate sw26010 --data tests/data/sw26010\n"
    "  swgen validate sw26010 --data tests/data/sw26010 --json\n"};

}  // namespace

int validate_command(int argc, char** argv) {
  std::string data;
  bool json = false;
  std::vector<std::string> targets;
  po::options_description description;
  description.add_options()("data", po::value(&data)->value_name("FOLDER"), "CSV files of measurements")(
      "json", po::bool_switch(&json), "print one JSON object");
  if (!parse_command_line(kHelp, description, &targets, argc, argv)) return kOk;
  if (targets != std::vector<std::string>{"sw26010"})
    throw base::UserError("found " + (targets.empty() ? "no target" : "'" + base::join(targets, " ") + "'") + ", expected sw26010");
  if (data.empty()) throw base::UserError("found no --data, expected a folder with CSV files");
  const tuner::ValidationResult result = tuner::validate_sw26010(data);
  if (json) {
    llvm::json::Array datasets, skipped;
    for (const tuner::Validation& v : result.datasets)
      datasets.push_back(llvm::json::Object{{"file", json_text(v.file)},
                                            {"what", v.what},
                                            {"points", v.points},
                                            {"mean_abs_error", v.mean_abs_error},
                                            {"worst_abs_error", v.worst_abs_error},
                                            {"worst", json_text(v.worst)},
                                            {"spearman", v.spearman},
                                            {"factor", v.factor}});
    for (const std::string& file : result.skipped) skipped.push_back(json_text(file));
    print_json(std::cout, llvm::json::Object{{"datasets", std::move(datasets)}, {"skipped", std::move(skipped)}});
    return kOk;
  }
  using Align = Table::Align;
  Table table({{"file"}, {"simulated"}, {"points", Align::right}, {"mean error %", Align::right}, {"worst %", Align::right},
               {"Spearman", Align::right}, {"factor", Align::right}, {"worst point"}});
  for (const tuner::Validation& v : result.datasets)
    table.add({v.file, v.what, std::to_string(v.points), format_number(v.mean_abs_error, 2), format_number(v.worst_abs_error, 2),
               format_number(v.spearman, 3), v.factor == 1 ? "-" : format_number(v.factor, 3), v.worst});
  table.print(std::cout);
  if (!result.skipped.empty()) std::cout << "not a known series: " << base::join(result.skipped, ", ") << '\n';
  return kOk;
}

}  // namespace swgen::cli
