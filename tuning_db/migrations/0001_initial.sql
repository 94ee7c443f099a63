-- SPDX-License-Identifier: Apache-2.0
-- Schema version 1. Frozen: a change of the schema is a new file with the next number.
-- Keys are lower-case hex SHA-256 of the canonical text stored beside them.

CREATE TABLE migrations (
  version INTEGER PRIMARY KEY,
  summary TEXT NOT NULL,
  applied TEXT NOT NULL
) STRICT;

CREATE TABLE workloads (
  key TEXT PRIMARY KEY NOT NULL CHECK (length(key) = 64 AND key NOT GLOB '*[^0-9a-f]*'),
  name TEXT NOT NULL,
  op TEXT NOT NULL,
  canonical TEXT NOT NULL
) STRICT;

-- The same workload occurs in several networks under several names; workloads.name is the first one.
CREATE TABLE workload_names (
  name TEXT NOT NULL,
  workload_key TEXT NOT NULL REFERENCES workloads (key),
  PRIMARY KEY (name, workload_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE targets (
  key TEXT PRIMARY KEY NOT NULL CHECK (length(key) = 64 AND key NOT GLOB '*[^0-9a-f]*'),
  name TEXT NOT NULL,
  level TEXT NOT NULL,
  fingerprint TEXT NOT NULL
) STRICT;

-- Times in seconds, rates in GFLOP/s, 0 = none. samples: little-endian IEEE doubles, seconds each.
-- AUTOINCREMENT: the id of a replaced record is never given to another one.
CREATE TABLE records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workload_key TEXT NOT NULL REFERENCES workloads (key),
  target_key TEXT NOT NULL REFERENCES targets (key),
  threads INTEGER NOT NULL CHECK (threads >= 1),
  schedule TEXT NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('measured', 'emulated', 'predicted')),
  verdict TEXT NOT NULL
    CHECK (verdict IN ('ok', 'wrong', 'timeout', 'crashed', 'build_failed', 'infeasible')),
  reason TEXT NOT NULL,
  seconds REAL NOT NULL CHECK (seconds >= 0),
  predicted_seconds REAL NOT NULL CHECK (predicted_seconds >= 0),
  gflops REAL NOT NULL CHECK (gflops >= 0),
  peak_gflops REAL NOT NULL CHECK (peak_gflops >= 0),
  samples BLOB NOT NULL CHECK (length(samples) % 8 = 0),
  provenance TEXT NOT NULL CHECK (provenance = '' OR json_valid(provenance)),
  created TEXT NOT NULL,
  UNIQUE (workload_key, target_key, threads, schedule, how),
  CHECK (verdict <> 'ok' OR CASE how WHEN 'predicted' THEN predicted_seconds > 0 ELSE seconds > 0 END)
) STRICT;

CREATE TABLE machine_cache (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL,
  updated TEXT NOT NULL
) STRICT;
