// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <functional>
#include <iostream>

#include "cli/db_actions.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "compiler/base/text.h"

namespace swgen::cli {
namespace {

using tuning_db::Database;

struct Findings {
  std::vector<std::string> problems;
  std::int64_t workloads = 0, targets = 0, records = 0;
};

std::string sha256_hex(const std::string& text) {
  const auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(hash, true);
}

/// The database itself knows the form of keys only.
void check_key(const std::string& row, const std::string& key, const std::string& text,
               Findings& found) {
  const std::string expected = sha256_hex(text);
  if (key != expected)
    found.problems.push_back(
        base::cat(row, ": key ", key, " is not the SHA-256 of its text, ", expected));
}

/// Damage can make reading fail; what the other parts find is still worth printing.
void attempt(Findings& found, const std::function<void()>& part) {
  try {
    part();
  } catch (const tuning_db::DatabaseError& error) {
    found.problems.emplace_back(error.what());
  }
}

Findings check(const Database& db) {
  Findings found;
  attempt(found, [&] { found.problems = db.check().problems; });
  attempt(found, [&] {
    for (const auto& row : db.workloads()) {
      check_key("workload " + row.name, row.key, row.canonical, found);
      ++found.workloads;
    }
  });
  attempt(found, [&] {
    for (const auto& row : db.targets()) {
      check_key("target " + label_of(row), row.key,
                row.name + "\n" + row.level + "\n" + row.fingerprint, found);
      ++found.targets;
    }
  });
  attempt(found, [&] { found.records = static_cast<std::int64_t>(db.records().size()); });
  return found;
}

}  // namespace

int db_check(const Database& db, const DbOptions& options) {
  const Findings found = check(db);
  const bool ok = found.problems.empty();
  if (options.json) {
    llvm::json::Array problems;
    for (const std::string& problem : found.problems) problems.push_back(json_text(problem));
    print_json(std::cout, llvm::json::Object{{"ok", ok},
                                             {"path", json_text(db.path())},
                                             {"workloads", found.workloads},
                                             {"targets", found.targets},
                                             {"records", found.records},
                                             {"problems", std::move(problems)}});
  } else {
    for (const std::string& problem : found.problems)
      std::cerr << db.path() << ": error: " << problem << '\n';
    std::cout << db.path() << ": " << (ok ? "sound" : base::cat(found.problems.size(), " problems"))
              << ", " << found.workloads << " workloads, " << found.targets << " targets, "
              << found.records << " records\n";
  }
  return ok ? kOk : kDatabaseError;
}

}  // namespace swgen::cli
