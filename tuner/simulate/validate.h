// SPDX-License-Identifier: Apache-2.0
// The simulator against published measurements of the real machine: CSV files, recognized by their columns.
#pragma once

#include <string>
#include <vector>

namespace swgen::tuner {

/// Errors in percent of the measured value. `factor`: what all simulated values were multiplied with, 1 where none may be.
struct Validation {
  std::string file, what;
  int points = 0;
  double mean_abs_error = 0, worst_abs_error = 0, spearman = 0, factor = 1;
  std::string worst;  // the row
};

struct ValidationResult {
  std::vector<Validation> datasets;
  std::vector<std::string> skipped;  // files with other columns
};

/// All *.csv of the folder. Throws base::UserError: no folder, no file that is recognized, a row that can't be read.
ValidationResult validate_sw26010(const std::string& folder);

/// Rank correlation of two series of one length, ties averaged.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace swgen::tuner
