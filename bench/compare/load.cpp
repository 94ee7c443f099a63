// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/load.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace swgen::bench {
namespace {

double seconds_of_ticks(double ticks) { return ticks / static_cast<double>(sysconf(_SC_CLK_TCK)); }

/// Of all cores since boot: user, nice, system, irq, softirq and steal; proc(5).
double system_seconds() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  stat >> cpu >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  return seconds_of_ticks(user + nice + system + irq + softirq + steal);
}

/// utime and stime are fields 14 and 15; the name in field 2 may hold blanks and ends with ')'.
double process_seconds(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(stat, line);
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return seconds_of_ticks(user + system);
}

}  // namespace

LoadWatch::LoadWatch(std::vector<pid_t> ours)
    : ours_(std::move(ours)),
      start_(std::chrono::steady_clock::now()),
      before_(foreign_seconds()) {}

double LoadWatch::foreign_seconds() const {
  double seconds = system_seconds() - process_seconds(getpid());
  for (const pid_t pid : ours_) seconds -= process_seconds(pid);
  return seconds;
}

double LoadWatch::foreign_cores() const {
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return wall > 0 ? std::max(0.0, (foreign_seconds() - before_) / wall) : 0;
}

bool is_disturbed(double foreign_cores, int threads, int cores) {
  return foreign_cores > std::max(0, cores - threads) + 0.25;
}

}  // namespace swgen::bench
