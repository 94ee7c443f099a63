// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/session.h"

#include "tuning_db/connection.h"
#include "tuning_db/file_system.h"
#include "tuning_db/read_only.h"

namespace swgen::tuning_db {

Database::Session::Session(const std::string& path, Mode mode, const OpenOptions& options)
    : options_(options) {
  if (path.empty()) {
    throw DatabaseError("tuning database", "the path is empty", "give the name of a file");
  }
  path_ = absolute_path(path);
  if (mode == Mode::read_write) {
    writer_ = open_read_write(path_, options.busy_timeout, options.allow_wal);
  } else {
    read([](Connection&) {});  // so that errors show at opening
  }
}

void Database::Session::read(const std::function<void(Connection&)>& query) {
  const std::lock_guard lock(mutex_);
  if (!writer_) {
    read_without_traces(path_, options_.busy_timeout, query);
    return;
  }
  const Transaction transaction(*writer_, Transaction::Kind::read);
  query(*writer_);
}

void Database::Session::write(const std::string& what, const std::function<void(Connection&)>& change) {
  if (!writer_) {
    throw DatabaseError(path_, "cannot " + what + ": the database is open read-only",
                        "open it for writing");
  }
  const std::lock_guard lock(mutex_);
  Transaction transaction(*writer_, Transaction::Kind::write);
  change(*writer_);
  transaction.commit();
}

const std::string kRecordColumns =
    "id, workload_key, target_key, schedule, threads, verdict, reason, how, seconds, "
    "predicted_seconds, gflops, peak_gflops, samples, provenance, created";

Record read_record(const Statement& row) {
  Record record;
  record.id = row.integer(0);
  record.workload_key = row.text(1);
  record.target_key = row.text(2);
  record.schedule = row.text(3);
  record.threads = static_cast<int>(row.integer(4));
  const std::optional<Verdict> verdict = parse_verdict(row.text(5));
  if (!verdict) {
    throw DatabaseError(row.path(), "record " + std::to_string(record.id) + " has the unknown verdict '" +
                                        row.text(5) + "'",
                        "remove the record or use a newer swgen");
  }
  record.verdict = *verdict;
  record.reason = row.text(6);
  record.how = row.text(7);
  record.seconds = row.real(8);
  record.predicted_seconds = row.real(9);
  record.gflops = row.real(10);
  record.peak_gflops = row.real(11);
  record.samples = row.doubles(12);
  record.provenance = row.text(13);
  record.created = row.text(14);
  return record;
}

std::vector<Record> read_records(Statement& rows) {
  std::vector<Record> records;
  while (rows.step()) records.push_back(read_record(rows));
  return records;
}

}  // namespace swgen::tuning_db
