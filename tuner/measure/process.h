// SPDX-License-Identifier: Apache-2.0
// Runs a child in a process group of its own, with limits; kills the whole group when time is up.
#pragma once

#include <string>
#include <vector>

namespace swgen::tuner {

struct ProcessLimits {
  double seconds = 60;
  size_t memory_bytes = size_t{20} << 30;  // address space
};

struct ProcessResult {
  int exit_code = -1;   // of a normal end
  int signal = 0;       // that ended it, else 0
  bool timed_out = false;
  std::string output;
  std::string errors;   // first 64 KiB of standard error
};

/// Starts argv[0], feeds `input`, collects output. Throws base::InternalError when no process starts.
ProcessResult run_process(const std::vector<std::string>& argv, const std::string& input,
                          const ProcessLimits& limits);

}  // namespace swgen::tuner
