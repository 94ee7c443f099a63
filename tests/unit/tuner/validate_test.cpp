// SPDX-License-Identifier: Apache-2.0
// The simulator against the published measurements of tests/data/sw26010: bounds of every series.
#include "tuner/simulate/validate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compiler/base/error.h"

namespace swgen::tuner {
namespace {

struct Bound {
  const char* file;
  int points;
  double mean, worst, spearman;
};

TEST(Validate, PublishedMeasurementsAreMet) {
  const ValidationResult result = validate_sw26010(SWGEN_SOURCE_DIR "/tests/data/sw26010");
  for (const Bound& b : {Bound{"dma_contiguous.csv", 24, 6, 20, 0.97}, Bound{"dma_strided_get.csv", 87, 5, 82, 0.95},
                         Bound{"stream_contiguous.csv", 52, 10, 40, 0.99}, Bound{"stream_strided_copy.csv", 39, 10, 66, 0.98},
                         Bound{"ldm_gemm.csv", 75, 2, 5, 0.99}, Bound{"sgemm1024_blockings.csv", 41, 8, 30, 0.96},
                         Bound{"conv_swdnn_fp64.csv", 88, 6, 11, 0.93}}) {
    const auto found = std::find_if(result.datasets.begin(), result.datasets.end(), [&](const Validation& v) { return v.file == b.file; });
    ASSERT_NE(found, result.datasets.end()) << b.file;
    EXPECT_EQ(found->points, b.points) << b.file;
    EXPECT_LE(found->mean_abs_error, b.mean) << b.file;
    EXPECT_LE(found->worst_abs_error, b.worst) << b.file;
    EXPECT_GE(found->spearman, b.spearman) << b.file;
    EXPECT_GE(found->factor, std::string(b.file) == "sgemm1024_blockings.csv" ? 0.85 : 1.0) << b.file;
  }
}

TEST(Validate, RanksWithTies) {
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_NEAR(spearman({1, 2, 2, 3}, {1, 2, 3, 4}), 0.9486833, 1e-6);
  EXPECT_EQ(spearman({1, 1}, {1, 2}), 0);
}

std::string message_of(const std::string& text) {
  const auto folder = std::filesystem::temp_directory_path() / "swgen_validate_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a.csv") << text;
  try {
    validate_sw26010(folder.string());
  } catch (const base::UserError& e) {
    return e.what();
  }
  return "";
}

TEST(Validate, SaysWhatIsWrongWithAFile) {
  EXPECT_NE(message_of("x,y\n1,2\n").find("found no CSV file"), std::string::npos);
  EXPECT_NE(message_of("bytes_per_cpe,get_gbps,put_gbps\n64,1\n").find("a.csv:2: error: found 2 fields, expected 3"), std::string::npos);
  EXPECT_NE(message_of("bytes_per_cpe,get_gbps,put_gbps\n-64,1,1\n").find("a.csv:2: error: found no positive number in column bytes_per_cpe"), std::string::npos);
  EXPECT_THROW(validate_sw26010("/no/such/folder"), base::UserError);
}

}  // namespace
}  // namespace swgen::tuner
