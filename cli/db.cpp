// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"
#include "cli/db_actions.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/frontend/suggest.h"

namespace swgen::cli {
namespace {

struct Action {
  const char* name;
  size_t fewest, most;  ///< arguments
  const char* arguments;
  int (*run)(const tuning_db::Database&, const DbOptions&);
};

constexpr size_t kAny = static_cast<size_t>(-1);

constexpr Action kActions[] = {
    {"list", 0, kAny, "any number of workloads", db_list},
    {"best", 0, kAny, "any number of workloads", db_best},
    {"show", 1, 1, "one workload or one record's number", db_show},
    {"export", 0, kAny, "any number of workloads", db_export},
    {"check", 0, 0, "no argument", db_check},
};

const CommandHelp kHelp = {
    "swgen db ACTION [WORKLOAD...] [options]",
    "Looks into the database in which 'swgen tune' stores every trial. Nothing is changed.\n\n"
    "Actions:\n"
    "  list     one line per workload, target and number of threads: trials and the best time\n"
    "  best     the best trial of each, with its schedule\n"
    "  show     all trials of one workload, or one record in full (by the number in 'show')\n"
    "  export   workloads, targets and records as one JSON object\n"
    "  check    whether the file is sound: SQLite's own checks, every record, every key\n\n"
    "WORKLOAD is a name as in the workload file, or a key.\n",
    "  swgen db list\n"
    "  swgen db best resnet50.conv1 --target x86 --threads 1\n"
    "  swgen db show resnet50.conv1\n"
    "  swgen db export --out trials.json\n"
    "  swgen db check --db /data/campaign.db\n"};

const Action& find_action(const std::string& name) {
  std::vector<std::string> names;
  for (const Action& action : kActions) {
    if (name == action.name) return action;
    names.emplace_back(action.name);
  }
  if (name.empty())
    throw base::UserError("found no action after 'swgen db', expected " + frontend::one_of(names));
  throw base::UserError("found action '" + name + "', " + frontend::expected_one_of(name, names));
}

void check_arguments(const Action& action, const DbOptions& options) {
  const size_t count = options.arguments.size();
  if (count >= action.fewest && count <= action.most) return;
  const std::string found = count == 0 ? "nothing" : "'" + base::join(options.arguments, " ") + "'";
  throw base::UserError(base::cat("found ", found, " after 'swgen db ", action.name, "', expected ",
                                  action.arguments));
}

void check_threads(int threads) {
  if (threads < 1)
    throw base::UserError(base::cat("found --threads ", threads, ", expected 1 or more"));
}

}  // namespace

int db_command(int argc, char** argv) {
  DbOptions options;
  po::options_description description;
  auto add = description.add_options();
  add("db", po::value(&options.db)->value_name("FILE"), kDatabaseHelp);
  add("target", po::value(&options.target)->value_name("NAME"),
      "only trials on this target: a name (x86), name and level (x86-avx2), or a key");
  add("threads", po::value(&options.threads)->value_name("N")->notifier(check_threads),
      "only trials with N threads");
  add("out", po::value(&options.out)->value_name("FILE"), "export: write here");
  add("json", po::bool_switch(&options.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, &options.arguments, argc, argv)) return kOk;
  if (!options.arguments.empty()) {
    options.action = options.arguments.front();
    options.arguments.erase(options.arguments.begin());
  }
  const Action& action = find_action(options.action);
  check_arguments(action, options);
  const auto db =
      tuning_db::Database::open(database_path(options.db), tuning_db::Database::Mode::read_only);
  return action.run(db, options);
}

}  // namespace swgen::cli
