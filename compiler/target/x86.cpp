// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <fstream>

#include "compiler/base/error.h"
#include "compiler/target/targets.h"

namespace swgen::target {
namespace {

int64_t cache_size(int name, int64_t otherwise) {
  const long size = sysconf(name);
  return size > 0 ? size : otherwise;
}

}  // namespace

bool x86_level_runs_here(const std::string& level) {
  if (level == "avx512")
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  if (level == "avx2") return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return level == "generic";
}

std::string best_x86_level() {
  for (const char* level : {"avx512", "avx2"})
    if (x86_level_runs_here(level)) return level;
  return "generic";
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  std::string line, vendor, family, model;
  const auto value = [&] { return line.substr(line.find(':') + 2); };
  while (std::getline(in, line) && !line.empty()) {
    if (line.rfind("vendor_id", 0) == 0) vendor = value();
    if (line.rfind("cpu family", 0) == 0) family = value();
    if (line.rfind("model\t", 0) == 0) model = value();
  }
  return vendor + "-" + family + "-" + model;
}

Target x86(const std::string& level) {
  Target t;
  t.name = "x86";
  t.level = level;
  t.vector_bytes = level == "avx512" ? 64 : level == "avx2" ? 32 : 16;
  t.vector_registers = level == "avx512" ? 32 : 16;
  // Planning values for a present-day core: they rank candidates. Percentages are of a measured peak.
  t.clock_ghz = 3.0;
  t.peak_gflops = t.clock_ghz * (level == "generic" ? 16 : 32);
  t.peak_gflops_f64 = t.peak_gflops / 2;
  t.cache_bytes = {cache_size(_SC_LEVEL1_DCACHE_SIZE, 32 << 10),
                   cache_size(_SC_LEVEL2_CACHE_SIZE, 512 << 10),
                   cache_size(_SC_LEVEL3_CACHE_SIZE, 8 << 20)};
  t.cache_gbps = {200, 80, 30, 12};
  t.memory_gbps = t.cache_gbps.back();
  return t;
}

}  // namespace swgen::target
