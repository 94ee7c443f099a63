// SPDX-License-Identifier: Apache-2.0
// swgen-bench from the outside: tunes small workloads, builds their package with g++ and runs
// beside the peers that are built here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tuner/measure/process.h"

namespace swgen::bench {
namespace {

namespace fs = std::filesystem;

class BenchTest : public testing::Test {
 protected:
  BenchTest() {
    folder_ = (fs::temp_directory_path() / "swgen_bench_XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("cannot make " + folder_);
    std::ofstream(file("w.yaml"))
        << "workloads:\n"
           "  - {name: conv, op: conv2d, in_channels: 5, out_channels: 17, input: [9, 8], kernel: "
           "[3, "
           "3], padding: 1, layout: any, epilogue: [bias, relu]}\n"
           "  - {name: product, op: matmul, m: 19, n: 33, k: 7, transpose_a: true}\n"
           "  - {name: own, compute: \"Y[c,x] += X[c,x+2*q] * W[c,q]\", extents: {c: 8, x: 16, q: "
           "3}}\n";
  }
  ~BenchTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  tuner::ProcessResult run(const std::string& program, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {std::string(SWGEN_PROGRAMS) + "/" + program});
    for (const char* argument : {"--db", "t.db"}) arguments.emplace_back(argument);
    arguments.back() = file("t.db");
    return tuner::run_process(arguments, "", {.seconds = 300});
  }

 private:
  std::string folder_;
};

TEST_F(BenchTest, ComparesEveryWorkload) {
  const auto tuned = run("swgen", {"tune", file("w.yaml"), "--time", "5s", "--trials", "1"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.output << tuned.errors;
  const auto result =
      run("swgen-bench", {file("w.yaml"), "--repeats", "1", "--compiler", "g++", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.output << result.errors;
  std::vector<std::string> parts = {"\"workload\":\"conv\"", "\"workload\":\"product\"",
                                    "\"workload\":\"own\"", "\"threads\":1,"};
  if (fs::exists(std::string(SWGEN_PROGRAMS) + "/swgen-peer-openblas"))
    parts.emplace_back("\"openblas\":{\"gflops\":");
  if (fs::exists(std::string(SWGEN_PROGRAMS) + "/swgen-peer-onednn"))
    parts.emplace_back("\"onednn\":{\"gflops\":");
  for (const std::string& part : parts)
    EXPECT_NE(result.output.find(part), std::string::npos) << part << " in " << result.output;
}

TEST_F(BenchTest, AsksForMeasurements) {
  const auto nothing = run("swgen-bench", {file("w.yaml")});
  EXPECT_EQ(nothing.exit_code, 3) << nothing.errors;
  const auto tuned = run("swgen", {"tune", file("w.yaml"), "--model-only"});
  ASSERT_EQ(tuned.exit_code, 0) << tuned.errors;
  const auto predicted = run("swgen-bench", {file("w.yaml")});
  EXPECT_EQ(predicted.exit_code, 2);
  EXPECT_EQ(predicted.errors.rfind("swgen-bench: error: conv (layout any): found no measured "
                                   "schedule for x86 ",
                                   0),
            0u)
      << predicted.errors;
  EXPECT_NE(predicted.errors.find("expected one: run swgen tune"), std::string::npos);
}

TEST_F(BenchTest, RefusesWrongUse) {
  const auto layout = run("swgen-bench", {file("w.yaml"), "--layout", "nhwc"});
  EXPECT_EQ(layout.exit_code, 2);
  EXPECT_EQ(layout.errors,
            "swgen-bench: error: found --layout 'nhwc', expected nchw; other layouts are set with "
            "--set layout=...\n");
  EXPECT_EQ(run("swgen-bench", {file("w.yaml"), "--repeats", "0"}).errors,
            "swgen-bench: error: found --repeats 0, expected 1 to 1000\n");
}

}  // namespace
}  // namespace swgen::bench
