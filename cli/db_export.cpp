// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iostream>

#include "cli/db_actions.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "compiler/base/error.h"

namespace swgen::cli {
namespace {

llvm::json::Object contents_json(const DbContents& contents) {
  llvm::json::Array workloads, targets, records;
  for (const auto& [key, row] : contents.workloads) workloads.push_back(workload_json(row));
  for (const auto& [key, row] : contents.targets) targets.push_back(target_json(row));
  for (const auto& record : contents.records) records.push_back(record_json(record));
  return llvm::json::Object{{"format", "swgen-db"},
                            {"version", 1},
                            {"workloads", std::move(workloads)},
                            {"targets", std::move(targets)},
                            {"records", std::move(records)}};
}

/// Through a second file, so that `path` never holds half an export.
void write_file(const std::string& path, const llvm::json::Value& value) {
  const std::string part = path + ".part";
  std::ofstream out(part);
  print_json(out, value);
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(part, path, error);
  if (!out || error) {
    std::filesystem::remove(part, error);
    throw base::UserError("found no way to write " + path +
                          ", expected a file in a writable folder");
  }
}

}  // namespace

int db_export(const tuning_db::Database& db, const DbOptions& options) {
  const DbContents contents = read_contents(db, options.arguments, options);
  llvm::json::Value exported = contents_json(contents);
  if (options.out.empty()) {
    print_json(std::cout, exported);
    return kOk;
  }
  write_file(options.out, exported);
  const auto count = static_cast<std::int64_t>(contents.records.size());
  if (options.json)
    print_json(std::cout, llvm::json::Object{{"out", json_text(options.out)}, {"records", count}});
  else
    std::cout << "wrote " << count << " records to " << options.out << '\n';
  return kOk;
}

}  // namespace swgen::cli
