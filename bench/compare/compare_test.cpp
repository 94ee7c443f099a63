// SPDX-License-Identifier: Apache-2.0
// swgen-bench without the libraries: plan, rounds with scripts as peers, scores, report.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "bench/compare/build.h"
#include "bench/compare/child.h"
#include "bench/compare/load.h"
#include "bench/compare/plan.h"
#include "bench/compare/report.h"
#include "bench/compare/rounds.h"
#include "bench/compare/scores.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"

namespace swgen::bench {
namespace {

frontend::Workload read(const std::string& fields) {
  base::Diagnostics errors;
  const auto workloads = frontend::read_workloads("test.yaml", "workloads:\n  - {" + fields + "}\n",
                                                  ops::schemas(), {}, errors);
  EXPECT_FALSE(errors.any()) << errors.text();
  return workloads.empty() ? frontend::Workload{} : workloads.front();
}

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

const char* const kConv =
    "name: c, op: conv2d, batch: 2, in_channels: 8, out_channels: 12, input: [9, 7], kernel: [3, "
    "5], stride: [2, 1], padding: [[1, 0], [2, 3]], dilation: [1, 2], groups: 4";

TEST(Plan, ConvolutionGoesToOneDnnInEveryFreeLayout) {
  const auto peers = peers_of(read(std::string(kConv) + ", layout: any, epilogue: [bias]"), 2);
  ASSERT_EQ(peers.size(), 3u);
  EXPECT_EQ(text_of(peers[0].argv),
            "swgen-peer-onednn --conv 2,8,9,7,12,3,5,2,1,1,0,2,3,1,2,4 --threads 2 --layout any "
            "--bias 1 --relu 0");
  EXPECT_EQ(peers[0].name, "onednn any");
  EXPECT_EQ(peers[1].name, "onednn nhwc");
  EXPECT_EQ(peers[2].name, "onednn nchw");
}

TEST(Plan, PlainLayoutMayBeReordered) {
  const auto peers = peers_of(read(kConv), 1);
  ASSERT_EQ(peers.size(), 2u);
  EXPECT_EQ(peers[0].name, "onednn nchw");
  EXPECT_EQ(peers[1].name, "onednn nchw-reorder");
}

TEST(Plan, MatmulGoesToBothLibraries) {
  const auto peers = peers_of(read("name: m, op: matmul, m: 3, n: 4, k: 5, transpose_b: true"), 1);
  ASSERT_EQ(peers.size(), 2u);
  EXPECT_EQ(text_of(peers[0].argv),
            "swgen-peer-onednn --matmul 3,4,5,0,1 --threads 1 --layout unpacked --bias 0 --relu 0");
  EXPECT_EQ(text_of(peers[1].argv), "swgen-peer-openblas --matmul 3,4,5,0,1 --threads 1");
}

TEST(Plan, WorkWithoutALibraryCallHasNoPeer) {
  EXPECT_TRUE(peers_of(read("name: m, op: matmul, batch: 2, m: 3, n: 4, k: 5"), 1).empty());
  EXPECT_TRUE(
      peers_of(read("name: m, compute: \"Y[i] += X[i,k] * W[k]\", extents: {i: 3, k: 4}"), 1)
          .empty());
  // OpenBLAS has no epilogue.
  EXPECT_EQ(peers_of(read("name: m, op: matmul, m: 3, n: 4, k: 5, epilogue: [relu]"), 1).size(),
            1u);
}

codegen::Argument argument(const std::string& name, ir::Role role, const std::string& layout) {
  codegen::Argument a;
  a.name = name;
  a.role = role;
  a.dims = {"n", "c"};
  a.extents = {2, 3};
  a.layout = *ir::TensorLayout::parse(layout, a.dims);
  a.elements = a.layout.elements(a.extents);
  return a;
}

TEST(Build, AdapterNamesTheConversions) {
  TunedKernel kernel;
  kernel.flops = 60;
  kernel.bundle.symbol = "swgen_k";
  kernel.bundle.arguments = {
      argument("X", ir::Role::input, "cn"), argument("W", ir::Role::constant, "nc"),
      argument("bias", ir::Role::constant, "nc"), argument("Y", ir::Role::output, "nC4c")};
  kernel.bundle.arguments[1].prepacked = true;
  kernel.bundle.arguments[1].packed_elements = 16;
  EXPECT_EQ(adapter_text(kernel, "@SYMBOL@ @FLOPS@ {@TENSORS@}\n@MEMBERS@"),
            "swgen_k 60 {{6, 6, swgen_k_reorder_X}, {6, 16, swgen_k_prepack}, {6, 6, nullptr}, "
            "{6, 8, swgen_k_restore_Y}}\n"
            "            args.X = tensors[0];\n            args.W = tensors[1];\n"
            "            args.bias = tensors[2];\n            args.Y = tensors[3];\n");
}

TEST(Rounds, MedianOfOddAndEven) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({}), 0);
}

TEST(Rounds, SumsMustAgreeToTheDigitWhereExact) {
  EXPECT_EQ(disagreement({"a", 4, 8, true}, {"b", 4, 8, true}), "");
  EXPECT_EQ(disagreement({"a", 4, 8, true}, {"b", 4.5, 8, true}),
            "b: found sum 4.5 and sum of absolute values 8, expected 4 and 8 as a");
  EXPECT_EQ(disagreement({"a", 4, 8e5, true}, {"b", 4.5, 8e5, false}), "");
  EXPECT_NE(disagreement({"a", 4, 8, false}, {"b", NAN, NAN, false}), "");
}

TEST(Rounds, LoadOfOthersMayFillIdleCores) {
  EXPECT_FALSE(is_disturbed(0.2, 2, 2));
  EXPECT_TRUE(is_disturbed(0.3, 2, 2));
  EXPECT_FALSE(is_disturbed(1.0, 1, 2));
  EXPECT_TRUE(is_disturbed(1.3, 1, 2));
  EXPECT_TRUE(is_disturbed(0.3, 4, 2));
}

/// A shell script that speaks the protocol: every execution takes `seconds`.
Contestant scripted(const std::string& name, const std::string& flops, const std::string& seconds,
                    const std::string& sum) {
  const std::string script = "echo 'ready {\"peer\":\"x\",\"impl\":\"sh\",\"flops\":" + flops +
                             ",\"outputs\":4,\"exact\":true}'; while read word count; do case "
                             "$word in run) answer=seconds; "
                             "i=0; while [ $i -lt $count ]; do answer=\"$answer " +
                             seconds +
                             "\"; i=$((i+1)); done; echo \"$answer\";; check) echo \"sum " + sum +
                             " abs 8\";; esac; done";
  return {name, {"/bin/sh", "-c", script}};
}

TEST(Rounds, EveryContestantRunsInEveryRound) {
  const Rounds rounds = run_rounds(
      {scripted("fast", "2000000", "0.001", "4"), scripted("slow", "2000000", "0.004", "4")}, 3, 1);
  ASSERT_GE(rounds.gflops.at("fast").size(), 2u);
  EXPECT_EQ(rounds.gflops.at("slow").size(), rounds.gflops.at("fast").size());
  EXPECT_DOUBLE_EQ(rounds.gflops.at("fast")[0], 2);
  EXPECT_DOUBLE_EQ(rounds.gflops.at("slow")[0], 0.5);
  EXPECT_EQ(rounds.impl.at("fast"), "sh");
}

std::string error_of(const std::vector<Contestant>& contestants) {
  try {
    run_rounds(contestants, 1, 1);
  } catch (const PeerError& error) {
    return error.what();
  }
  return "";
}

TEST(Rounds, UnequalWorkIsAnError) {
  const Contestant good = scripted("good", "8", "0.01", "4");
  EXPECT_EQ(error_of({good, scripted("bad", "8", "0.01", "5")}),
            "bad: found sum 5 and sum of absolute values 8, expected 4 and 8 as good");
  EXPECT_EQ(error_of({good, scripted("more", "9", "0.01", "4")}),
            "more: found flops 9, expected 8 as good");
  EXPECT_EQ(error_of({{"none", {"/bin/false"}}}),
            "/bin/false: the program ended, expected an answer");
  EXPECT_EQ(error_of({{"none", {"/no/such/program"}}}),
            "/no/such/program: the program ended, expected an answer");
}

TEST(Child, DoesNotHandOverWhatSteersLibraries) {
  setenv("OPENBLAS_CORETYPE", "Nehalem", 1);
  setenv("SWGEN_TEST_KEPT", "kept", 1);
  Child child(
      {"/bin/sh", "-c", "echo \"[$OPENBLAS_CORETYPE] $SWGEN_TEST_KEPT\"; read x; echo error"});
  EXPECT_EQ(child.read_line(), "[] kept");
  EXPECT_THROW(child.ask("x"), PeerError);
  unsetenv("OPENBLAS_CORETYPE");
}

class ScoresTest : public testing::Test {
 protected:
  void SetUp() override {
    conv_.workload = read(
        "name: c, op: conv2d, in_channels: 8, out_channels: 8, input: [9, 9], kernel: [3, 3], "
        "layout: any");
    conv_.kernel.schedule = "algo(direct)";
    conv_.peers = peers_of(conv_.workload, 1);
    rounds_.gflops = {{"peak", {100, 100, 100}},
                      {"swgen g++", {80, 88, 60}},
                      {"swgen clang", {76, 80, 57}},
                      {"onednn any", {80, 80, 60}},
                      {"onednn nhwc", {50, 50, 50}},
                      {"onednn nchw", {40, 40, 40}},
                      {"swgen g++, 1 thread", {40, 44, 40}}};
  }
  Comparison conv_;
  Rounds rounds_;
};

TEST_F(ScoresTest, RatiosAreMediansOfRoundsOfTheSlowerBuild) {
  const Scores s = score(conv_, {"g++", "clang"}, rounds_);
  EXPECT_EQ(s.swgen, 76);
  EXPECT_EQ(s.onednn, 80);
  EXPECT_EQ(s.onednn_layout, "any");
  EXPECT_DOUBLE_EQ(*s.vs_onednn, 0.95);    // of 0.95, 1.0, 0.95
  EXPECT_DOUBLE_EQ(*s.build_ratio, 0.95);  // of 0.95, 0.909, 0.95
  EXPECT_DOUBLE_EQ(*s.speedup, 2);         // of 2, 2, 1.5
  EXPECT_FALSE(s.openblas);
}

TEST_F(ScoresTest, FloorsAreHeldAgainstWhatTheyAreAbout) {
  const auto floors = judge({conv_}, {score(conv_, {"g++", "clang"}, rounds_)});
  ASSERT_EQ(floors.size(), 6u);
  EXPECT_EQ(floors[0].floor, "3x3 convolution / oneDNN");
  EXPECT_TRUE(floors[0].pass());
  EXPECT_DOUBLE_EQ(floors[0].worst, 0.95);
  EXPECT_EQ(floors[0].worst_workload, "c");
  EXPECT_EQ(floors[1].count, 0);  // 1x1
  EXPECT_FALSE(floors[1].pass());
  EXPECT_TRUE(floors[5].pass());  // threads
  rounds_.gflops["onednn any"] = {90, 100, 70};
  EXPECT_FALSE(judge({conv_}, {score(conv_, {"g++", "clang"}, rounds_)})[0].pass());
}

TEST_F(ScoresTest, JsonHasTheKeysThatOthersScriptAgainst) {
  Report report{"x86-avx2", 2, {"g++"}, {score(conv_, {"g++"}, rounds_)}, {}};
  report.floors = judge({conv_}, report.scores);
  std::ostringstream out;
  print_json(out, report);
  for (const char* part :
       {"\"peak_gflops\":100", "\"threads\":2", "\"results\":[{\"workload\":\"c\"",
        "\"swgen\":{\"gflops\":80,\"percent_of_peak\":80}",
        "\"peers\":{\"onednn\":{\"gflops\":80,\"layout\":\"any\",\"ratio\":1}}"})
    EXPECT_NE(out.str().find(part), std::string::npos) << part << " in " << out.str();
}

TEST_F(ScoresTest, TableEndsWithTheFloors) {
  Report report{"x86-avx2", 1, {"g++", "clang"}, {score(conv_, {"g++", "clang"}, rounds_)}, {}};
  report.floors = judge({conv_}, report.scores);
  std::ostringstream out;
  print_table(out, report);
  EXPECT_NE(out.str().find("\npass  3x3 convolution / oneDNN >= 0.90: 1 of 1, worst 0.950 (c)\n"),
            std::string::npos)
      << out.str();
  EXPECT_EQ(out.str().find('*'), std::string::npos);
  EXPECT_NE(out.str().find("\n-     7x7 convolution / oneDNN >= 0.75: not measured\n"),
            std::string::npos)
      << out.str();
}

TEST_F(ScoresTest, NoisyResultsAreMarked) {
  rounds_.noisy = true;
  rounds_.disturbed = 7;
  const Report report{"x86-avx2", 1, {"g++"}, {score(conv_, {"g++"}, rounds_)}, {}};
  std::ostringstream out;
  print_table(out, report);
  EXPECT_NE(out.str().find("\nc *  "), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("during 7 rounds, which were repeated.\n* most rounds were disturbed"),
            std::string::npos)
      << out.str();
}

}  // namespace
}  // namespace swgen::bench
