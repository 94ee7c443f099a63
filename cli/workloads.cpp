// SPDX-License-Identifier: Apache-2.0
#include "cli/workloads.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/frontend/machine_reader.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"

namespace swgen::cli {

namespace fs = std::filesystem;

namespace {

/// Emitted files say so in their first lines; a package's config file only includes the next.
bool is_emitted(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name.size() > 12 && name.compare(name.size() - 12, 12, "Config.cmake") == 0) return true;
  std::ifstream in(path);
  std::string line;
  for (int i = 0; i < 3 && std::getline(in, line); ++i)
    if (line.find("swgen") != std::string::npos) return true;
  return false;
}

}  // namespace

std::vector<frontend::Workload> read_workloads(const std::vector<std::string>& files,
                                               const std::vector<std::string>& overrides) {
  if (files.empty()) throw base::UserError("found no workload file, expected at least one");
  std::vector<frontend::Override> sets;
  for (const std::string& text : overrides) {
    const size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0)
      throw base::UserError("found --set '" + text + "', expected key=value");
    sets.push_back({text.substr(0, equal), text.substr(equal + 1)});
  }
  base::Diagnostics errors;
  std::vector<frontend::Workload> all;
  for (const std::string& file : files) {
    std::vector<frontend::Workload> some =
        frontend::read_workload_file(file, ops::schemas(), sets, errors);
    all.insert(all.end(), some.begin(), some.end());
  }
  if (errors.any()) throw base::UserError(errors.text());
  return all;
}

target::Target read_target(const std::string& name, const std::string& machine) {
  const target::Target target = target::find_target(name);
  if (machine.empty()) return target;
  base::Diagnostics errors;
  const target::Target read = frontend::read_machine_file(machine, target, errors);
  if (errors.any()) throw base::UserError(errors.text());
  return read;
}

double parse_duration(const std::string& option, const std::string& text) {
  char* rest = nullptr;
  const double number = std::strtod(text.c_str(), &rest);
  const std::string unit = rest;
  const double scale = unit == "m" ? 60 : unit == "h" ? 3600 : unit.empty() || unit == "s" ? 1 : 0;
  if (rest == text.c_str() || scale == 0 || !(number > 0) || number > 1e7)
    throw base::UserError("found --" + option + " '" + text +
                          "', expected a duration such as 60s, 2m or 1h");
  return number * scale;
}

void write_package(const std::string& folder, const std::vector<codegen::SourceFile>& files) {
  const fs::path target = fs::absolute(folder).lexically_normal();
  const fs::path final_folder = target.has_filename() ? target : target.parent_path();
  if (fs::exists(final_folder)) {
    if (!fs::is_directory(final_folder))
      throw base::UserError("found a file at " + folder + ", expected a folder or nothing");
    std::set<std::string> foreign;
    for (const auto& entry : fs::recursive_directory_iterator(final_folder))
      if (!entry.is_directory() && !is_emitted(entry.path()))
        foreign.insert(entry.path().lexically_relative(final_folder).string());
    if (!foreign.empty())
      throw base::UserError("found " + *foreign.begin() + " in " + folder +
                            ", expected an empty folder or a package of swgen");
  }
  const fs::path fresh = final_folder.string() + base::cat(".new", getpid());
  std::error_code error;
  try {
    for (const codegen::SourceFile& f : files) {
      const fs::path path = fresh / f.path;
      fs::create_directories(path.parent_path());
      std::ofstream out(path, std::ios::binary);
      out << f.text;
      out.close();
      if (!out)
        throw base::UserError("cannot write " + path.string() + " (disk full or no permission?)");
    }
    // The old package steps aside only when the new one is complete.
    const fs::path old = final_folder.string() + base::cat(".old", getpid());
    if (fs::exists(final_folder)) fs::rename(final_folder, old);
    fs::rename(fresh, final_folder);
    fs::remove_all(old, error);
  } catch (const fs::filesystem_error& e) {
    fs::remove_all(fresh, error);
    throw base::UserError(std::string("cannot write the package: ") + e.what());
  } catch (...) {
    fs::remove_all(fresh, error);
    throw;
  }
}

}  // namespace swgen::cli
