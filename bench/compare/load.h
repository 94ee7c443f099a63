// SPDX-License-Identifier: Apache-2.0
// Notices when other processes compute while peers are timed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <vector>

namespace swgen::bench {

/// Processor time from construction on.
class LoadWatch {
 public:
  explicit LoadWatch(std::vector<pid_t> ours);

  /// Cores that processes other than `ours` and this one kept busy on average; 0 where /proc does
  /// not tell.
  double foreign_cores() const;

 private:
  double foreign_seconds() const;

  std::vector<pid_t> ours_;
  std::chrono::steady_clock::time_point start_;
  double before_;
};

/// Foreign load that still leaves `threads` cores of `cores` alone, up to a quarter of one.
bool is_disturbed(double foreign_cores, int threads, int cores);

}  // namespace swgen::bench
