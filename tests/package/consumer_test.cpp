// SPDX-License-Identifier: Apache-2.0
// examples/consumer uses an emitted package in both ways that CMake offers.
#include <gtest/gtest.h>

#include "tests/package/support.h"

namespace swgen::package_test {
namespace {

const std::string kConsumer = std::string(SWGEN_EXAMPLES) + "/consumer";

class ConsumerTest : public PackageTest {
 protected:
  void SetUp() override {
    const Outcome emitted = emit(kConsumer + "/product.yaml", "kernels");
    ASSERT_EQ(emitted.status, 0) << emitted.err;
  }

  void expect_consumer_runs(const std::string& how) const {
    expect_success({"cmake", "-S", kConsumer, "-B", "consumer", how});
    expect_success({"cmake", "--build", "consumer"});
    EXPECT_EQ(expect_success({"consumer/consumer"}).out, "C[63][47] = 96, expected 96\n");
  }
};

TEST_F(ConsumerTest, FindsTheInstalledPackage) {
  expect_success(
      {"cmake", "-S", "kernels", "-B", "build", "-DCMAKE_INSTALL_PREFIX=" + file("prefix")});
  expect_success({"cmake", "--build", "build", "--target", "install"});
  // An installed package must not need its sources.
  expect_success({"rm", "-r", "kernels", "build"});
  expect_consumer_runs("-DCMAKE_PREFIX_PATH=" + file("prefix"));
}

TEST_F(ConsumerTest, AddsTheSourcesToItsBuild) {
  expect_consumer_runs("-DKERNELS=" + file("kernels"));
}

TEST_F(ConsumerTest, IsToldWhatIsMissing) {
  const Outcome outcome = run(folder_, {"cmake", "-S", kConsumer, "-B", "consumer"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("provided by \"kernels\""), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace swgen::package_test
