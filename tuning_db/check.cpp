// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tuning_db/database.h"
#include "tuning_db/schema.h"
#include "tuning_db/session.h"

namespace swgen::tuning_db {
namespace {

using Problems = std::vector<std::string>;

void check_file(Connection& connection, Problems& problems) {
  Statement integrity(connection, "PRAGMA integrity_check");
  while (integrity.step()) {
    if (integrity.text(0) != "ok") problems.push_back("integrity: " + integrity.text(0));
  }
}

void check_references(Connection& connection, Problems& problems) {
  Statement rows(connection, "PRAGMA foreign_key_check");
  while (rows.step()) {
    problems.push_back(rows.text(0) + " row " + rows.text(1) + " refers to a missing row of " +
                       rows.text(2));
  }
}

void check_migrations(Connection& connection, Problems& problems) {
  for (const Migration& step : migrations()) {
    Statement row(connection, "SELECT 1 FROM migrations WHERE version = ?", step.version);
    if (!row.step()) {
      problems.push_back("migrations has no row for version " + std::to_string(step.version));
    }
  }
}

void check_keys(Connection& connection, Problems& problems) {
  for (const std::string table : {"workloads", "targets"}) {
    Statement rows(connection, "SELECT key FROM " + table + " ORDER BY key");
    while (rows.step()) {
      if (is_key(rows.text(0))) continue;
      problems.push_back(table + ": key '" + rows.text(0) + "' is not 64 characters of lower-case hex");
    }
  }
}

/// Contents of one record that the schema alone does not guarantee.
Problems problems_of_stored(const Record& record) {
  Problems problems = problems_of(record);
  if (record.created.empty()) problems.push_back("created is empty");
  if (!record.samples.empty() && record.seconds > 0) {
    const auto [low, high] = std::minmax_element(record.samples.begin(), record.samples.end());
    if (record.seconds < *low || record.seconds > *high) {
      problems.push_back("seconds is outside the range of its samples");
    }
  }
  return problems;
}

void check_records(Connection& connection, Problems& problems) {
  Statement rows(connection, "SELECT " + kRecordColumns +
                                 ", provenance = '' OR json_valid(provenance) FROM records ORDER BY id");
  while (rows.step()) {
    const std::string prefix = "record " + std::to_string(rows.integer(0)) + ": ";
    if (rows.integer(15) != 1) problems.push_back(prefix + "provenance is not JSON");
    try {
      for (const std::string& problem : problems_of_stored(read_record(rows))) {
        problems.push_back(prefix + problem);
      }
    } catch (const DatabaseError& error) {
      problems.push_back(prefix + error.what());
    }
  }
}

}  // namespace

Database::CheckReport Database::check() const {
  CheckReport report;
  session_->read([&](Connection& connection) {
    report.problems.clear();
    for (const auto part : {check_file, check_references, check_migrations, check_keys, check_records}) {
      try {
        part(connection, report.problems);
      } catch (const DatabaseError& error) {
        report.problems.push_back(error.what());  // damage can stop one part; the others still tell
      }
    }
  });
  report.ok = report.problems.empty();
  return report;
}

}  // namespace swgen::tuning_db
