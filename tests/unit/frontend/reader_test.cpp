// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/frontend/test_operators.h"
#include "tests/unit/frontend/test_reading.h"

namespace swgen::frontend {
namespace {

using Values = std::vector<int64_t>;

const std::string kConv =
    "name: a, op: conv2d, in_channels: 64, out_channels: 32, input: [56, 40], kernel: 3";
const std::string kMatmul = "name: fc, op: matmul, m: 64, n: 1000, k: 2048";

std::vector<std::string> names(const std::vector<Workload>& workloads) {
  std::vector<std::string> out;
  for (const Workload& w : workloads) out.push_back(w.name);
  return out;
}

TEST(Reader, ReadsAllFieldsOfAConvolution) {
  const auto workloads = read_good(R"(workloads:
  - name: resnet50.res2a_branch2b
    op: conv2d                 # a comment
    direction: backward_weights
    batch: 2
    in_channels: 64
    out_channels: 64
    input: [56, 48]
    kernel: [3, 5]
    stride: 2
    padding: 1
    dilation: 1
    groups: 4
    dtype: f64
    layout: nhwc
    epilogue: [bias, relu]
)");
  ASSERT_EQ(workloads.size(), 1u);
  const Workload& w = workloads[0];
  EXPECT_EQ(w.name, "resnet50.res2a_branch2b");
  EXPECT_EQ(w.op, "conv2d");
  EXPECT_EQ(w.direction, Direction::backward_weights);
  EXPECT_EQ(w.layout, Layout::nhwc);
  EXPECT_EQ(w.dtype, ir::DType::f64);
  EXPECT_TRUE(w.bias);
  EXPECT_TRUE(w.relu);
  EXPECT_EQ(w.params, (std::map<std::string, Values>{{"batch", {2}},
                                                     {"in_channels", {64}},
                                                     {"out_channels", {64}},
                                                     {"input", {56, 48}},
                                                     {"kernel", {3, 5}},
                                                     {"stride", {2, 2}},
                                                     {"padding", {1, 1, 1, 1}},
                                                     {"dilation", {1, 1}},
                                                     {"groups", {4}}}));
  EXPECT_FALSE(w.compute);
}

TEST(Reader, FillsInDefaults) {
  const Workload w = read_one(kConv);
  EXPECT_EQ(w.params.at("batch"), Values{1});
  EXPECT_EQ(w.params.at("kernel"), (Values{3, 3}));
  EXPECT_EQ(w.params.at("stride"), (Values{1, 1}));
  EXPECT_EQ(w.params.at("padding"), (Values{0, 0, 0, 0}));
  EXPECT_EQ(w.direction, Direction::forward);
  EXPECT_EQ(w.layout, Layout::nchw);
  EXPECT_EQ(w.dtype, ir::DType::f32);
  EXPECT_FALSE(w.bias);
  EXPECT_FALSE(w.relu);
}

TEST(Reader, TakesTheFirstSupportedLayoutWhenTheUsualOneIsMissing) {
  std::vector<OperatorSchema> operators = test_operators();
  operators[1].layouts = {Layout::any};
  operators[1].directions = {Direction::backward_data};
  base::Diagnostics errors;
  const auto workloads =
      read_workloads("t", "workloads: [{" + kMatmul + "}]", operators, {}, errors);
  ASSERT_EQ(errors.text(), "");
  EXPECT_EQ(workloads.at(0).layout, Layout::any);
  EXPECT_EQ(workloads.at(0).direction, Direction::backward_data);
}

TEST(Reader, ReadsEveryFormOfPadding) {
  EXPECT_EQ(read_one(kConv + ", padding: 2").params.at("padding"), (Values{2, 2, 2, 2}));
  EXPECT_EQ(read_one(kConv + ", padding: [1, 2]").params.at("padding"), (Values{1, 1, 2, 2}));
  EXPECT_EQ(read_one(kConv + ", padding: [[0, 1], [2, 3]]").params.at("padding"),
            (Values{0, 1, 2, 3}));
}

TEST(Reader, ReadsBooleans) {
  const Workload w = read_one(kMatmul + ", transpose_b: true");
  EXPECT_EQ(w.value("transpose_a"), 0);
  EXPECT_EQ(w.value("transpose_b"), 1);
}

TEST(Reader, AnEmptyEpilogueIsNone) {
  const Workload w = read_one(kMatmul + ", epilogue: []");
  EXPECT_FALSE(w.bias || w.relu);
}

TEST(Reader, ExpandsLists) {
  const auto workloads = read_good("workloads: [{" + kConv + ", batch: [1, 32]}]");
  EXPECT_EQ(names(workloads), (std::vector<std::string>{"a.batch1", "a.batch32"}));
  EXPECT_EQ(workloads[0].value("batch"), 1);
  EXPECT_EQ(workloads[1].value("batch"), 32);
}

TEST(Reader, ExpandsSeveralListsInTheOrderWritten) {
  const auto workloads = read_good(
      "workloads: [{name: f, op: matmul, n: [5, 6], m: 4, k: [7], transpose_a: [false, true]}]");
  EXPECT_EQ(names(workloads),
            (std::vector<std::string>{"f.n5.k7.transpose_afalse", "f.n5.k7.transpose_atrue",
                                      "f.n6.k7.transpose_afalse", "f.n6.k7.transpose_atrue"}));
  EXPECT_EQ(workloads[2].value("n"), 6);
  EXPECT_EQ(workloads[3].value("transpose_a"), 1);
}

TEST(Reader, KeepsThePlaces) {
  const auto workloads = read_good(
      "workloads:\n  - name: f\n    op: matmul\n    m: [4, 8]\n"
      "    n: 5\n    k: 6\n");
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_EQ(workloads[0].at.line, 2);
  EXPECT_EQ(workloads[0].at.column, 5);
  EXPECT_EQ(workloads[1].where("m").line, 4);
  EXPECT_EQ(workloads[1].where("m").column, 12);
  EXPECT_EQ(workloads[1].where("k").line, 6);
  EXPECT_EQ(workloads[1].where("batch").line, 2);  // not written: the workload
}

TEST(Reader, OverridesApplyToEveryWorkload) {
  const auto workloads =
      read_good("workloads: [{" + kConv + ", batch: 8}, {" + kMatmul + "}]", {{"batch", "[2, 4]"}});
  EXPECT_EQ(names(workloads),
            (std::vector<std::string>{"a.batch2", "a.batch4", "fc.batch2", "fc.batch4"}));
  EXPECT_EQ(workloads[1].value("batch"), 4);
  EXPECT_EQ(workloads[2].value("batch"), 2);
}

TEST(Reader, OverridesTakeFlowValues) {
  const Workload w = read_one(kConv + ", stride: 1", {{"stride", "[2, 3]"},
                                                      {"padding", "[[0, 1], [1, 0]]"},
                                                      {"dtype", "f64"},
                                                      {"batch", "16"},
                                                      {"batch", "32"},
                                                      {"epilogue", "[relu]"}});
  EXPECT_EQ(w.params.at("stride"), (Values{2, 3}));
  EXPECT_EQ(w.params.at("padding"), (Values{0, 1, 1, 0}));
  EXPECT_EQ(w.value("batch"), 32);
  EXPECT_EQ(w.dtype, ir::DType::f64);
  EXPECT_TRUE(w.relu);
  EXPECT_EQ(w.where("batch").file, "--set");
  EXPECT_EQ(w.where("batch").line, 5);
  EXPECT_EQ(w.where("batch").column, 7);
}

TEST(Reader, OverridesChangeABenchdnnProblem) {
  const Workload w =
      read_one("name: b, benchdnn: \"mb1ic64ih56oc64oh56kh3ph1\"", {{"batch", "32"}});
  EXPECT_EQ(w.value("batch"), 32);
  EXPECT_EQ(w.value("in_channels"), 64);
}

TEST(Reader, ReportsAnErrorOfAnOverrideOnce) {
  const auto yaml = "workloads: [{" + kMatmul + "}, {name: b, op: matmul, m: 1, n: 1, k: 1}]";
  EXPECT_EQ(read_bad(yaml, {{"batch", "0"}}),
            "--set:1:7: error: found '0', expected a whole number >= 1\n  batch=0\n        ^\n");
}

TEST(Reader, ReadsFilesAndReportsMissingOnes) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const std::string path = (folder / "swgen_reader_test.yaml").string();
  std::ofstream(path) << "workloads:\n  - {" << kMatmul << "}\n";
  base::Diagnostics errors;
  EXPECT_EQ(read_workload_file(path, test_operators(), {}, errors).size(), 1u);
  EXPECT_EQ(errors.text(), "");
  std::filesystem::remove(path);
  for (const std::string& bad : {path, folder.string()}) {
    base::Diagnostics missing;
    EXPECT_TRUE(read_workload_file(bad, test_operators(), {}, missing).empty());
    EXPECT_EQ(missing.text(), bad + ": error: found no readable file, expected a workload file\n");
  }
}

}  // namespace
}  // namespace swgen::frontend
