// SPDX-License-Identifier: Apache-2.0
// What this machine's cores do, measured: the numbers of an x86 target that the model plans with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/target/target.h"

namespace swgen::tuner {

/// FMA peak of `threads` threads at this level in GFLOP/s, measured now. 0 when it can't be measured.
double measure_peak(const std::string& worker, const std::string& level, ir::DType dtype, int threads);

/// Of one core, at one level of the instruction set.
struct Calibration {
  double clock_ghz = 0;
  double peak_gflops = 0, peak_gflops_f64 = 0;
  std::vector<double> cache_gbps;  // read bandwidth per cache level, then memory

  /// The target with these numbers in place of the planning values; what a machine file gave stays.
  target::Target apply(target::Target target) const;
};

/// Takes about two seconds. nullopt when the worker can't measure.
std::optional<Calibration> calibrate(const std::string& worker, const target::Target& target);

/// One line of JSON, as the database keeps it. parse: nullopt when `text` is something else.
std::string to_text(const Calibration& calibration);
std::optional<Calibration> parse_calibration(const std::string& text);

}  // namespace swgen::tuner
