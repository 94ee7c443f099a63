// SPDX-License-Identifier: Apache-2.0
// The exit codes of swgen; scripts rely on them.
#pragma once

namespace swgen::cli {

enum ExitCode : int {
  kOk = 0,
  kWorkloadFailed = 1,
  kUsageError = 2,      // usage or input
  kDatabaseError = 3,   // cannot be opened, read or written; or db check found problems
  kToolchainError = 4,  // nothing compiled
  kBudgetEnded = 5,     // without a valid result
  kInternalError = 70,  // a bug of swgen
  kInterrupted = 130,   // by SIGINT; results so far are kept
};

}  // namespace swgen::cli
