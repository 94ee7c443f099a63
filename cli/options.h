// SPDX-License-Identifier: Apache-2.0
// The command line of a subcommand: Boost.Program_options with our messages.
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace swgen::cli {

namespace po = boost::program_options;

struct CommandHelp {
  std::string usage;     ///< "swgen db ACTION [options]"
  std::string text;      ///< what it does; ends with a newline
  std::string examples;  ///< one command per line, indented by two blanks; ends with a newline
};

/// Parses argv[1], argv[2], ... into the variables that `options` names; what is no option goes to
/// `arguments`, or is refused when that is null. Adds --help, which prints help and gives false:
/// the caller then returns kOk. Throws base::UserError; an unknown option's message names the
/// nearest one.
bool parse_command_line(const CommandHelp& help, po::options_description& options,
                        std::vector<std::string>* arguments, int argc, char** argv);

/// The database to use: `option` (of --db), else $SWGEN_DB, else swgen.db in the current folder.
std::string database_path(const std::string& option);

/// The help text of --db.
extern const char* const kDatabaseHelp;

/// The help text of --machine.
extern const char* const kMachineHelp;

}  // namespace swgen::cli
