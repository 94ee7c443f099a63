// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/benchdnn.h"

#include <gtest/gtest.h>

#include "tests/unit/frontend/test_reading.h"

namespace swgen::frontend {
namespace {

using Values = std::vector<int64_t>;

Workload read(const std::string& problem, const std::string& more = "") {
  return read_one("name: b, benchdnn: '" + problem + "'" + more);
}

TEST(Benchdnn, ReadsASquareConvolution) {
  const Workload w = read("mb1ic64ih56oc64oh56kh3ph1");
  EXPECT_EQ(w.op, "conv2d");
  EXPECT_EQ(w.params, (std::map<std::string, Values>{{"batch", {1}},
                                                     {"in_channels", {64}},
                                                     {"out_channels", {64}},
                                                     {"input", {56, 56}},
                                                     {"kernel", {3, 3}},
                                                     {"stride", {1, 1}},
                                                     {"padding", {1, 1, 1, 1}},
                                                     {"dilation", {1, 1}},
                                                     {"groups", {1}}}));
}

TEST(Benchdnn, IsTheSameWorkloadAsTheWrittenOne) {
  const Workload written = read_one(
      "name: w, op: conv2d, in_channels: 64, out_channels: 64, input: 56, kernel: 3, padding: 1");
  EXPECT_EQ(canonical_text(read("mb1ic64ih56oc64oh56kh3ph1")), canonical_text(written));
}

TEST(Benchdnn, ReadsAllKeysSeparatorsAndTheName) {
  const Workload w =
      read("g2mb4_ic32ih20iw30_oc16oh8ow27_kh3kw2_sh2sw1_ph0pw0_dh1dw2_n\"net:layer_1\"",
           ", dtype: f64, layout: nhwc, direction: backward_data, epilogue: [relu]");
  EXPECT_EQ(w.value("groups"), 2);
  EXPECT_EQ(w.value("batch"), 4);
  EXPECT_EQ(w.params.at("input"), (Values{20, 30}));
  EXPECT_EQ(w.params.at("kernel"), (Values{3, 2}));
  EXPECT_EQ(w.params.at("stride"), (Values{2, 1}));
  EXPECT_EQ(w.params.at("dilation"), (Values{2, 3}));
  EXPECT_EQ(w.params.at("padding"), (Values{0, 0, 0, 0}));
  EXPECT_EQ(w.dtype, ir::DType::f64);
  EXPECT_EQ(w.layout, Layout::nhwc);
  EXPECT_EQ(w.direction, Direction::backward_data);
  EXPECT_TRUE(w.relu);
}

TEST(Benchdnn, DerivesTheEndPadding) {
  // 7x7 stride 2 over 224 with 3 before: (112 - 1) * 2 + 7 - 224 - 3 = 2 after.
  EXPECT_EQ(read("ic3ih224oc64oh112kh7sh2ph3").params.at("padding"), (Values{3, 2, 3, 2}));
  // "Same" padding of an even window: nothing before, one after.
  EXPECT_EQ(read("ic3ih8oc4oh8kh2ph0").params.at("padding"), (Values{0, 1, 0, 1}));
}

TEST(Benchdnn, AnInputThatIsNotUsedUpNeedsNoEndPadding) {
  // 1x1 stride 2 over 56: the last row and column are never read.
  EXPECT_EQ(read("ic64ih56oc128oh28kh1sh2ph0").params.at("padding"), (Values{0, 0, 0, 0}));
}

TEST(Benchdnn, FillsInWhatIsMissing) {
  EXPECT_EQ(read("ic3ih8oc4oh8kh3").params.at("padding"), (Values{1, 1, 1, 1}));  // centred
  EXPECT_EQ(read("ic3ih8oc4kh3").params.at("padding"), (Values{0, 0, 0, 0}));
  EXPECT_EQ(read("ic3ih8oc4kh3ph1").params.at("padding"), (Values{1, 1, 1, 1}));
  EXPECT_EQ(read("ic3ih8oc4kh3").value("batch"), 2);  // benchdnn's default
  EXPECT_EQ(read("ic3ih8iw9oc4oh8ow9kh3kw5").params.at("padding"), (Values{1, 1, 2, 2}));
}

TEST(Benchdnn, WithoutHeightTheProblemIsOneRow) {
  const Workload w = read("mb1ic3iw20oc4ow20kw3pw1sw1");
  EXPECT_EQ(w.params.at("input"), (Values{1, 20}));
  EXPECT_EQ(w.params.at("kernel"), (Values{1, 3}));
  EXPECT_EQ(w.params.at("padding"), (Values{0, 0, 1, 1}));
}

TEST(Benchdnn, ReadsMatrixProducts) {
  const Workload w = read("64x128:128x256");
  EXPECT_EQ(w.op, "matmul");
  EXPECT_EQ(w.params, (std::map<std::string, Values>{{"batch", {1}},
                                                     {"m", {64}},
                                                     {"n", {256}},
                                                     {"k", {128}},
                                                     {"transpose_a", {0}},
                                                     {"transpose_b", {0}}}));
  const Workload batched = read("3x4x5:3x5x6_n\"attention\"");
  EXPECT_EQ(batched.value("batch"), 3);
  EXPECT_EQ(batched.value("m"), 4);
  EXPECT_EQ(batched.value("k"), 5);
  EXPECT_EQ(batched.value("n"), 6);
}

TEST(Benchdnn, PlacesPointIntoTheString) {
  const Workload w = read("mb1ic64ih56oc64oh56kh3ph1");
  const int start = w.where("benchdnn").column + 1;
  EXPECT_EQ(w.where("in_channels").column, start + 3);
  EXPECT_EQ(w.where("input").column, start + 7);
  EXPECT_EQ(w.where("kernel").column, start + 19);
  EXPECT_EQ(w.where("padding").column, start + 22);
}

}  // namespace
}  // namespace swgen::frontend
