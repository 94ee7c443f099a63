// SPDX-License-Identifier: Apache-2.0
// What tune, emit and explain share: workload and machine files, and packages on disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/codegen/bundle.h"
#include "compiler/frontend/workload.h"
#include "compiler/target/target.h"
#include "tuning_db/database.h"

namespace swgen::cli {

/// Reads workload files with `--set key=value` overrides. Throws base::UserError with all errors.
std::vector<frontend::Workload> read_workloads(const std::vector<std::string>& files,
                                               const std::vector<std::string>& overrides);

/// The named target, with the numbers of a machine file when `machine` names one. Throws base::UserError.
target::Target read_target(const std::string& name, const std::string& machine);

/// The database of --db or of its default, read only; none where the default does not exist.
std::optional<tuning_db::Database> existing_database(const std::string& option);

/// "90", "90s", "2m", "1h" in seconds. Throws base::UserError.
double parse_duration(const std::string& option, const std::string& text);

/// Throws base::UserError when write_package would refuse the folder: before a search whose result is to go there.
void check_package_folder(const std::string& folder);

/// Writes a package below `folder`: all files or none. A folder that holds anything but a package of
/// swgen is refused.
void write_package(const std::string& folder, const std::vector<codegen::SourceFile>& files);

}  // namespace swgen::cli
