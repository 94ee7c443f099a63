// SPDX-License-Identifier: Apache-2.0
// The subcommands of swgen, one per file of its name. main.cpp has the table.
#pragma once

namespace swgen::cli {

// argv[0] is the subcommand's name, its arguments follow. The result is an ExitCode. A refused
// command line or input throws base::UserError, a failing database tuning_db::DatabaseError;
// main.cpp prints them and chooses the exit code.
int db_command(int argc, char** argv);
int emit_command(int argc, char** argv);
int explain_command(int argc, char** argv);
int machine_command(int argc, char** argv);
int ops_command(int argc, char** argv);
int simulate_command(int argc, char** argv);
int tune_command(int argc, char** argv);
int validate_command(int argc, char** argv);
int version_command(int argc, char** argv);

}  // namespace swgen::cli
