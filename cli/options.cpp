// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "compiler/base/error.h"
#include "compiler/frontend/suggest.h"

namespace swgen::cli {
namespace {

const char* const kArguments = "arguments";

std::string refused_option(std::string found, const po::options_description& options) {
  found.resize(std::min(found.size(), found.find('=')));
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  return "found option '" + found + "', " + frontend::expected_one_of(found, names);
}

po::variables_map parse(const po::options_description& options, int argc, char** argv) {
  po::options_description all;
  all.add(options).add_options()(kArguments, po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add(kArguments, -1);
  // Guessing from a prefix would change its meaning when an option is added.
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  try {
    po::store(
        po::command_line_parser(argc, argv).options(all).positional(positional).style(style).run(),
        values);
  } catch (const po::unknown_option& error) {
    throw base::UserError(refused_option(error.get_option_name(), options));
  } catch (const po::error& error) {
    throw base::UserError(error.what());
  }
  return values;
}

}  // namespace

const char* const kDatabaseHelp = "the database of trials (default: $SWGEN_DB, else swgen.db here)";
const char* const kMachineHelp = "numbers of the target that differ, as 'swgen machine --target NAME' names them (YAML)";

bool parse_command_line(const CommandHelp& help, po::options_description& options,
                        std::vector<std::string>* arguments, int argc, char** argv) {
  options.add_options()("help,h", "print this text");
  po::variables_map values = parse(options, argc, argv);
  if (values.count("help") != 0) {
    std::cout << "Usage: " << help.usage << "\n\n"
              << help.text << "\nOptions:\n"
              << options << "\nExamples:\n"
              << help.examples;
    return false;
  }
  po::notify(values);
  if (values.count(kArguments) == 0) return true;
  const auto& found = values[kArguments].as<std::vector<std::string>>();
  if (arguments == nullptr)
    throw base::UserError("found argument '" + found.front() + "', expected none; see 'swgen " +
                          std::string(argv[0]) + " --help'");
  *arguments = found;
  return true;
}

std::string database_path(const std::string& option) {
  if (!option.empty()) return option;
  const char* from_environment = std::getenv("SWGEN_DB");
  if (from_environment != nullptr && *from_environment != '\0') return from_environment;
  return "swgen.db";
}

}  // namespace swgen::cli
