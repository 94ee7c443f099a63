// SPDX-License-Identifier: Apache-2.0
// The tuning database: one SQLite file with every trial, used by tuner and command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuning_db/error.h"
#include "tuning_db/record.h"

namespace swgen::tuning_db {

struct OpenOptions {
  /// How long a call waits for another process before it throws.
  std::chrono::milliseconds busy_timeout{30000};
  /// False: a rollback journal even on a local file system.
  bool allow_wal = true;
};

/// Every call is one transaction, committed when it returns; all calls throw DatabaseError on failure
/// and then have changed nothing. Several processes may use one file at once; threads may share an
/// object. An object must not be carried through fork().
class Database {
 public:
  enum class Mode { read_write, read_only };

  /// What check() found; one sentence per problem.
  struct CheckReport {
    bool ok = true;
    std::vector<std::string> problems;
  };

  /// read_write creates the file (not its folder) and migrates older schemas. read_only needs an
  /// existing file of the current schema, sees what others commit meanwhile, and leaves no file behind.
  static Database open(const std::string& path, Mode mode, const OpenOptions& options = {});

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Absolute path of the file, links resolved.
  const std::string& path() const;

  /// Idempotent. The same key with another op or canonical text is an error; another name is kept as a
  /// further name of the same workload.
  void put_workload(const WorkloadRow& row);

  /// Idempotent. The same key with other contents is an error.
  void put_target(const TargetRow& row);

  /// Stores one trial and returns the id of the record that now stands for it. There is one record per
  /// (workload_key, target_key, schedule, threads, how). A second one replaces it under a new id, except
  /// that a failure never replaces an ok record and one with an older `created` (an import) never
  /// replaces a newer one of the same outcome: then the stored record stays and its id is returned.
  /// Errors: workload or target not stored yet; contents against problems_of; provenance not JSON.
  std::int64_t add(const Record& record);

  /// Deletes records by id (unknown ids are ignored); returns how many went.
  std::int64_t remove(const std::vector<std::int64_t>& ids);

  /// All records of one workload on one target with this many threads, ordered by id.
  std::vector<Record> trials(const std::string& workload_key, const std::string& target_key,
                             int threads) const;

  /// Every record, ordered by id.
  std::vector<Record> records() const;

  std::optional<Record> record(std::int64_t id) const;

  std::optional<Record> find(const std::string& workload_key, const std::string& target_key,
                             const std::string& schedule, int threads, const std::string& how) const;

  /// Lowest seconds among the ok records measured or emulated, of those that a second compiler confirmed if there is
  /// one; if there is none, lowest predicted_seconds among the ok predicted ones. Ties: the older record.
  std::optional<Record> best(const std::string& workload_key, const std::string& target_key,
                             int threads) const;

  /// Ordered by name, then key.
  std::vector<WorkloadRow> workloads() const;
  std::vector<TargetRow> targets() const;

  /// By key, or by any of its names; a name shared by several workloads is an error that lists them.
  std::optional<WorkloadRow> workload(const std::string& key_or_name) const;

  /// Small key-value store for facts of the machine, such as calibrated peaks.
  std::optional<std::string> get_value(const std::string& key) const;
  void put_value(const std::string& key, const std::string& value);

  /// SQLite's own integrity and foreign-key checks, key formats, and the sanity of every record.
  CheckReport check() const;

 private:
  class Session;
  explicit Database(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session_;
};

}  // namespace swgen::tuning_db
