// SPDX-License-Identifier: Apache-2.0
// Usage, help, exit codes, and the commands that read no file.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

#include "compiler/base/version.h"
#include "tests/cli/support.h"

namespace swgen::cli {
namespace {

using Words = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Refused: nothing on standard output, one line of error, exit code 2.
void expect_usage_error(const Words& arguments, const std::string& message) {
  const Outcome outcome = run_swgen(arguments);
  EXPECT_EQ(outcome.status, 2) << message;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "swgen: error: " + message + "\n");
}

TEST(UsageTest, NothingPrintsHelpAsAnError) {
  const Outcome outcome = run_swgen({});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "Usage: swgen <command> [options]")) << outcome.err;
}

TEST(UsageTest, HelpListsEveryCommand) {
  for (const char* word : {"--help", "-h", "help"}) {
    const Outcome outcome = run_swgen({word});
    EXPECT_EQ(outcome.status, 0) << word;
    EXPECT_EQ(outcome.err, "") << word;
    for (const char* name : {"tune", "emit", "explain", "simulate", "db", "ops", "machine", "validate", "version"})
      EXPECT_TRUE(contains(outcome.out, std::string("\n  ") + name + " ")) << name;
  }
}

class HelpTest : public testing::TestWithParam<const char*> {};

TEST_P(HelpTest, TellsUsageOptionsAndAnExample) {
  const std::string command = GetParam();
  const Outcome outcome = run_swgen({command, "--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("Usage: swgen " + command, 0), 0u) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\nOptions:\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "--json")) << outcome.out;
  const size_t examples = outcome.out.find("\nExamples:\n  swgen " + command);
  EXPECT_NE(examples, std::string::npos) << outcome.out;
  EXPECT_EQ(run_swgen({command, "-h"}).out, outcome.out);
}

INSTANTIATE_TEST_SUITE_P(Commands, HelpTest,
                         testing::Values("db", "emit", "explain", "machine", "ops", "simulate", "tune",
                                         "validate", "version"),
                         [](const auto& info) { return std::string(info.param); });

TEST(UsageTest, UnknownCommand) {
  expect_usage_error(
      {"verson"},
      "found command 'verson', expected one of tune, emit, explain, simulate, db, ops, machine, "
      "validate, version; did you mean 'version'?");
}

TEST(UsageTest, UnknownOptionNamesTheNearest) {
  expect_usage_error({"machine", "--targte", "x86"},
                     "found option '--targte', expected one of --target, --machine, --calibrate, --db, --json, --help; did you "
                     "mean '--target'?");
  expect_usage_error(
      {"version", "--jsn=1"},
      "found option '--jsn', expected one of --json, --help; did you mean '--json'?");
}

TEST(UsageTest, AnOptionIsNotGuessedFromItsBeginning) {
  expect_usage_error({"version", "--js"}, "found option '--js', expected one of --json, --help");
}

TEST(UsageTest, BadValues) {
  expect_usage_error({"db", "list", "--threads", "two"},
                     "the argument ('two') for option '--threads' is invalid");
  expect_usage_error({"db", "list", "--threads", "0"}, "found --threads 0, expected 1 or more");
  expect_usage_error({"db", "list", "--db"}, "the required argument for option '--db' is missing");
  expect_usage_error({"version", "x"},
                     "found argument 'x', expected none; see 'swgen version --help'");
}

TEST(UsageTest, FullStandardOutputIsAnError) {
  const std::string command = std::string(SWGEN_BINARY) + " ops >/dev/full 2>/dev/null";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(VersionTest, PrintsTheVersion) {
  const std::string version = base::kVersion;
  EXPECT_EQ(run_swgen({"version"}).out, "swgen " + version + "\n");
  EXPECT_EQ(run_swgen({"--version"}).out, "swgen " + version + "\n");
  EXPECT_EQ(run_swgen({"version", "--json"}).out, "{\n  \"version\": \"" + version + "\"\n}\n");
}

TEST(OpsTest, ListsOperatorsWithParameters) {
  const Outcome outcome = run_swgen({"ops"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("conv2d: ", 0), 0u) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n\nmatmul: ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n  in_channels ")) << outcome.out;
  const std::string one = run_swgen({"ops", "matmul"}).out;
  EXPECT_EQ(one.rfind("matmul: ", 0), 0u) << one;
  EXPECT_FALSE(contains(one, "conv2d")) << one;
}

TEST(OpsTest, Json) {
  const llvm::json::Object object = parse_object(run_swgen({"ops", "matmul", "--json"}).out);
  const std::vector<llvm::json::Object> operators = elements(object, "operators");
  ASSERT_EQ(operators.size(), 1u);
  const llvm::json::Object& matmul = operators.front();
  EXPECT_EQ(member(matmul, "name"), R"("matmul")");
  EXPECT_EQ(member(matmul, "directions"), R"(["forward"])");
  const auto parameter = [&](const char* name) {
    for (const llvm::json::Object& one : elements(matmul, "parameters"))
      if (one.getString("name") == llvm::StringRef(name)) return one;
    return llvm::json::Object{};
  };
  EXPECT_EQ(member(parameter("m"), "required"), "true");
  EXPECT_EQ(member(parameter("m"), "default"), "null");
  EXPECT_EQ(member(parameter("m"), "accepts"), R"("a whole number >= 1")");
  EXPECT_EQ(member(parameter("batch"), "default"), "1");
  EXPECT_EQ(member(parameter("transpose_b"), "default"), "false");
}

TEST(OpsTest, UnknownOperator) {
  const Outcome outcome = run_swgen({"ops", "matmull"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.err, "found operator 'matmull', expected one of conv2d, "))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "; did you mean 'matmul'?\n")) << outcome.err;
}

TEST(MachineTest, SummaryHasALineForEachTarget) {
  const std::string out = run_swgen({"machine"}).out;
  for (const char* name : {"x86", "x86-avx512", "x86-avx2", "x86-generic", "sw26010"})
    EXPECT_TRUE(contains(out, std::string("\n") + name + " ")) << out;
}

TEST(MachineTest, FactsOfOneTarget) {
  const std::string out = run_swgen({"machine", "--target", "sw26010"}).out;
  for (const char* line : {"target: sw26010\n", "runs_here: no\n", "\nclock_ghz: 1.45  (GHz)\n",
                           "\npeak_gflops: 742.4  (GFLOP/s, f32)\n", "\nmesh_rows: 8\n"})
    EXPECT_TRUE(contains(out, line)) << line << " in\n" << out;
  EXPECT_FALSE(contains(out, "cache_bytes")) << out;
}

TEST(MachineTest, Json) {
  const llvm::json::Object object = parse_object(run_swgen({"machine", "--json"}).out);
  EXPECT_EQ(elements(object, "targets").size(), 5u);
  const Outcome one = run_swgen({"machine", "--target", "x86-avx2", "--json"});
  const auto targets = elements(parse_object(one.out), "targets");
  ASSERT_EQ(targets.size(), 1u);
  const llvm::json::Object& target = targets.front();
  EXPECT_EQ(member(target, "target"), R"("x86-avx2")");
  EXPECT_EQ(member(target, "name"), R"("x86")");
  EXPECT_EQ(member(target, "level"), R"("avx2")");
  EXPECT_EQ(member(target, "vector_bytes"), "32");
  EXPECT_EQ(member(target, "cache_bytes").front(), '[');
}

TEST(MachineTest, AMachineFileReplacesNumbers) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("m.yaml")) << "scratch_bytes: 131072\n";
  const std::string out = run_swgen({"machine", "--target", "sw26010", "--machine", "m.yaml"}, folder.path()).out;
  EXPECT_TRUE(contains(out, "\nscratch_bytes: 131072  (for data, of each core)\n")) << out;
  const Outcome bad = run_swgen({"machine", "--target", "x86", "--machine", "m.yaml"}, folder.path());
  EXPECT_EQ(bad.status, 2);
  EXPECT_TRUE(contains(bad.err, "m.yaml:1:1: error: found the unknown key 'scratch_bytes', expected one of clock_ghz")) << bad.err;
}

TEST(MachineTest, CalibrationIsKeptByTheDatabase) {
  const TemporaryFolder folder;
  const auto facts = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = {"machine", "--target", "x86", "--db", "a.db", "--json"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome outcome = run_swgen(command, folder.path());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return elements(parse_object(outcome.out), "targets").at(0);
  };
  const llvm::json::Object measured = facts({"--calibrate"}), kept = facts({});
  for (const char* name : {"clock_ghz", "peak_gflops", "peak_gflops_f64", "cache_gbps"})
    EXPECT_EQ(member(measured, name), member(kept, name));
  EXPECT_GT(std::stod(member(measured, "clock_ghz")), 0.5);
  EXPECT_LT(std::stod(member(measured, "clock_ghz")), 10);
  EXPECT_GT(std::stod(member(measured, "peak_gflops")), 1.5 * std::stod(member(measured, "peak_gflops_f64")));
  expect_usage_error({"machine", "--calibrate", "--target", "sw26010"}, "found target 'sw26010', expected one that runs here (x86)");
}

TEST(MachineTest, UnknownTarget) {
  expect_usage_error({"machine", "--target", "vax"},
                     "found target 'vax', expected one of x86, x86-avx512, x86-avx2, x86-generic, "
                     "sw26010");
}

TEST(ValidateTest, SaysWhatIsMissing) {
  expect_usage_error({"validate"}, "found no target, expected sw26010");
  expect_usage_error({"validate", "x86", "--data", "."}, "found 'x86', expected sw26010");
  expect_usage_error({"validate", "sw26010"}, "found no --data, expected a folder with CSV files");
  expect_usage_error({"validate", "sw26010", "--data", "/no/such"}, "found no folder '/no/such', expected one with CSV files");
}

TEST(SimulateTest, RefusesWhatItCannotDo) {
  expect_usage_error({"simulate", "w.yaml", "--core-groups", "5"}, "found --core-groups 5, expected 1 to 4");
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/w.yaml") << "workloads:\n  - {name: a, op: matmul, m: 64, n: 64, k: 64}\n  - {name: b, op: matmul, m: 64, n: 64, k: 64}\n";
  EXPECT_EQ(run_swgen({"simulate", "w.yaml", "--trace", "t.json"}, folder.path()).err, "swgen: error: found --trace with 2 workloads, expected one\n");
  const Outcome impossible = run_swgen({"simulate", "w.yaml", "--schedule", ""}, folder.path());
  EXPECT_EQ(impossible.status, 2);
  EXPECT_TRUE(contains(impossible.err, "a: the schedule is not possible: ")) << impossible.err;
}

TEST(SimulateTest, PrintsCyclesAndWritesATrace) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/w.yaml") << "workloads:\n  - {name: a, op: matmul, m: 256, n: 256, k: 512}\n";
  const Outcome run = run_swgen({"simulate", "w.yaml", "--json", "--trace", "t.json"}, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* key : {"\"cycles\"", "\"seconds\"", "\"gflops\"", "\"percent_of_peak\"", "\"get_lines\""}) EXPECT_TRUE(contains(run.out, key)) << key;
  EXPECT_TRUE(std::ifstream(folder.path() + "/t.json").good());
  EXPECT_EQ(run_swgen({"simulate", "w.yaml", "--json"}, folder.path()).out, run.out);
  const Outcome nowhere = run_swgen({"simulate", "w.yaml", "--trace", "no/such/t.json"}, folder.path());
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_TRUE(contains(nowhere.err, "no/such/t.json: error: can't be written")) << nowhere.err;
}

}  // namespace
}  // namespace swgen::cli
