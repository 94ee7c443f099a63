// SPDX-License-Identifier: Apache-2.0
// Rows of the tuning database: plain data, strings and numbers only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swgen::tuning_db {

/// A workload: `key` is the lower-case hex SHA-256 (64 characters) of `canonical`.
struct WorkloadRow {
  std::string key, name, op, canonical;
};

/// A target: `key` is the lower-case hex SHA-256 of name, level and fingerprint.
struct TargetRow {
  std::string key, name, level, fingerprint;
};

/// How a trial ended.
enum class Verdict { ok, wrong, timeout, crashed, build_failed, infeasible };

/// The enumerator's name, as stored.
std::string to_string(Verdict verdict);

/// Inverse of to_string; nothing for any other text.
std::optional<Verdict> parse_verdict(std::string_view text);

/// One trial.
struct Record {
  std::int64_t id = 0;  ///< filled on insert, never reused
  std::string workload_key;
  std::string target_key;
  std::string schedule;  ///< one line of text; the empty text is the reference schedule
  int threads = 1;
  Verdict verdict = Verdict::ok;
  std::string reason;             ///< why the verdict is not ok
  std::string how = "measured";   ///< "measured", "emulated" or "predicted"
  double seconds = 0;             ///< median of the samples; 0 if none
  double predicted_seconds = 0;   ///< 0 if none
  double gflops = 0;              ///< GFLOP/s; 0 if none
  double peak_gflops = 0;         ///< GFLOP/s of the FMA peak seen in the same run; 0 if none
  std::vector<double> samples;    ///< seconds, raw, in order of measurement; stored bit by bit
  std::string provenance;         ///< JSON text, or empty
  std::string created;            ///< UTC, `YYYY-MM-DDThh:mm:ss.sssZ`; filled on insert when empty
};

/// True for 64 characters of lower-case hex.
bool is_key(std::string_view text);

/// What makes `record` unfit for storing, one sentence each; empty when it is fit. The JSON of
/// `provenance` is not looked at.
std::vector<std::string> problems_of(const Record& record);

/// True when `incoming` takes the place of `stored`, a record of the same trial: an ok record always
/// replaces a failure and never the other way round; among equals the newer `created` wins, an empty
/// `created` (now) being the newest.
bool supersedes(const Record& incoming, const Record& stored);

}  // namespace swgen::tuning_db
