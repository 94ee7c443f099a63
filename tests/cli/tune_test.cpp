// SPDX-License-Identifier: Apache-2.0
// tune, explain and emit as a user runs them: results, resume, interruption, refusals.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/support.h"
#include "tuning_db/database.h"

namespace swgen::cli {
namespace {

const char* const kLayer =
    "workloads:\n"
    "  - {name: layer, op: conv2d, in_channels: 16, out_channels: 32, input: [14, 14], kernel: [3, 3], padding: 1}\n";

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(Tune, StoresTrialsAndTheSecondRunMeasuresNothing) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  const std::vector<std::string> command = {"tune", "w.yaml", "--trials", "4", "--json"};
  const Outcome first = run_swgen(command, folder.path());
  ASSERT_EQ(first.status, 0) << first.err;
  const auto results = elements(parse_object(first.out), "results");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(member(results[0], "workload"), "\"layer\"");
  EXPECT_EQ(member(results[0], "verdict"), "\"ok\"");
  EXPECT_EQ(member(results[0], "trials"), "4");
  EXPECT_GT(*results[0].getNumber("seconds"), 0);
  EXPECT_GT(*results[0].getNumber("gflops"), 0);
  EXPECT_GT(*results[0].getNumber("percent_of_peak"), 0);
  EXPECT_GT(*results[0].getNumber("predicted_seconds"), 0);

  const auto start = std::chrono::steady_clock::now();
  const Outcome second = run_swgen(command, folder.path());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  const auto again = elements(parse_object(second.out), "results");
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(member(again[0], "new_measurements"), "0");
  for (const char* key : {"schedule", "seconds", "gflops", "trials"})
    EXPECT_EQ(member(again[0], key), member(results[0], key)) << key;

  const Outcome more = run_swgen({"tune", "w.yaml", "--trials", "2", "--more", "--json"}, folder.path());
  EXPECT_EQ(member(elements(parse_object(more.out), "results").at(0), "trials"), "6");
}

TEST(Tune, CandidatesOfAnotherCompilerRunTheirOwnThreads) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  const Outcome tuned =
      run_swgen({"tune", "w.yaml", "--trials", "6", "--threads", "2", "--cxx", "g++", "--db", "g.db"}, folder.path());
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  for (const auto& record : tuning_db::Database::open(folder.file("g.db"), tuning_db::Database::Mode::read_only).records())
    EXPECT_TRUE(record.verdict == tuning_db::Verdict::ok || record.verdict == tuning_db::Verdict::infeasible)
        << record.reason;
}

TEST(Tune, KilledInTheMiddleLosesNoFinishedTrialAndGoesOn) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (chdir(folder.path().c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    execl(SWGEN_BINARY, "swgen", "tune", "w.yaml", "--time", "60s", "--db", "k.db", nullptr);
    _exit(1);
  }
  const auto count = [&] {
    if (!std::filesystem::exists(folder.file("k.db"))) return size_t{0};
    try {
      return tuning_db::Database::open(folder.file("k.db"), tuning_db::Database::Mode::read_only).records().size();
    } catch (const tuning_db::DatabaseError&) {
      return size_t{0};  // just being made
    }
  };
  for (int i = 0; i < 400 && count() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const size_t finished = count();
  ASSERT_GE(finished, 3u);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(run_swgen({"db", "check", "--db", "k.db"}, folder.path()).status, 0);
  const size_t kept = tuning_db::Database::open(folder.file("k.db"), tuning_db::Database::Mode::read_write).records().size();
  EXPECT_GE(kept, finished);
  const std::string trials = std::to_string(kept + 2);
  const Outcome next = run_swgen({"tune", "w.yaml", "--db", "k.db", "--trials", trials, "--json"}, folder.path());
  const auto results = elements(parse_object(next.out), "results");
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(member(results[0], "trials"), trials);
  EXPECT_EQ(member(results[0], "new_measurements"), "2");
}

TEST(Tune, ModelOnlyIsDeterministicAndMeasuresNothing) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  for (const char* target : {"x86-avx2", "sw26010"}) {
    std::string schedule;
    for (const char* db : {"a.db", "b.db"}) {
      const Outcome run = run_swgen({"tune", "w.yaml", "--target", target, "--model-only", "--seed", "3", "--db",
                                     std::string(target) + db, "--json"}, folder.path());
      ASSERT_EQ(run.status, 0) << run.err;
      const auto result = elements(parse_object(run.out), "results").at(0);
      EXPECT_EQ(member(result, "new_measurements"), "0");
      if (schedule.empty()) schedule = member(result, "schedule");
      EXPECT_EQ(member(result, "schedule"), schedule) << target;
    }
  }
}

TEST(Tune, TheEmulatedCoreGroupChecksTheModelsPick) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  const Outcome run = run_swgen({"tune", "w.yaml", "--target", "sw26010", "--json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err << run.out;
  const auto result = elements(parse_object(run.out), "results").at(0);
  EXPECT_EQ(member(result, "verdict"), "\"ok\"");
  EXPECT_EQ(member(result, "new_measurements"), "1");
}

TEST(Tune, RefusesBadOptionsAndInputs) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  write(folder.file("bad.yaml"), "workloads:\n  - {name: a, op: conv3d}\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"tune"}, "found no workload file, expected at least one"},
      {{"tune", "none.yaml"}, "none.yaml: error:"},
      {{"tune", "bad.yaml"}, "bad.yaml:2:19: error:"},
      {{"tune", "w.yaml", "--time", "fast"}, "found --time 'fast', expected a duration such as 60s, 2m or 1h"},
      {{"tune", "w.yaml", "--threads", "0"}, "found --threads 0, expected 1 to 1024"},
      {{"tune", "w.yaml", "--trials", "0"}, "found --trials 0, expected at least 1"},
      {{"tune", "w.yaml", "--target", "gpu"}, "found target 'gpu', expected one of x86, x86-avx512"},
      {{"tune", "w.yaml", "--set", "batch"}, "found --set 'batch', expected key=value"},
      {{"explain", "w.yaml", "--after", "magic"}, "found --after 'magic', expected one of apply, infer_transfers"},
      {{"explain", "w.yaml", "--schedule", "splt(x,a,b,2)"}, "found step 'splt', expected one of algo, layout"},
      {{"explain", "w.yaml", "--schedule", "split(z,a,b,2)"}, "split(z,a,b,2): no loop 'z', expected one of n, o, y, x"},
      {{"explain", "w.yaml", "--target", "sw26010", "--schedule", ""}, "layer: the schedule is not possible: "},
      {{"explain", "w.yaml", "--schedule", "split(o,int,oi,2)"}, "split(o,int,oi,2): found the name 'int', expected letters and digits"},
      {{"explain", "w.yaml", "--schedule", "split(o,X,oi,2)"}, "split(o,X,oi,2): 'X' is a tensor"},
      {{"explain", "w.yaml", "--schedule", "vectorize(N) vectorize(K)"}, "schedule:14: found 'vectorize' again, expected it once"},
      {{"explain", "w.yaml", "--schedule", "stage(Y,n,nchw,1) parallel(y)"}, "an output tile is staged inside the parallel loops, not above"},
      {{"emit", "w.yaml", "--out", "k", "--threads", "0"}, "found --threads 0, expected at least 1"},
      {{"tune", "w.yaml", "--out", "w.yaml"}, "found a file at w.yaml, expected a folder or nothing"},
      {{"emit", "w.yaml"}, "found no --out, expected the folder to write"},
      {{"emit", "w.yaml", "--out", "k", "--require-tuned"}, "found no measured schedule of layer"},
  };
  for (const auto& [command, message] : cases) {
    const Outcome run = run_swgen(command, folder.path());
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err << "\nexpected: " << message;
  }
}

TEST(Explain, ShowsTermsAndTheProgramAfterAPass) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  for (const char* target : {"x86-avx2", "sw26010"}) {
    const Outcome run = run_swgen({"explain", "w.yaml", "--target", target, "--after", "boundary"}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    for (const char* text : {"schedule", "predicted", "roofline", "gemm m:", "transfer"})
      EXPECT_NE(run.out.find(text), std::string::npos) << text << " in\n" << run.out;
  }
}

TEST(Emit, LeavesAForeignFolderAlone) {
  const TemporaryFolder folder;
  write(folder.file("w.yaml"), kLayer);
  std::filesystem::create_directory(folder.file("mine"));
  write(folder.file("mine/notes.txt"), "keep");
  const Outcome run = run_swgen({"emit", "w.yaml", "--out", "mine"}, folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("found notes.txt in mine, expected an empty folder or a package of swgen"), std::string::npos) << run.err;
  EXPECT_EQ(read_file(folder.file("mine/notes.txt")), "keep");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("mine")), {}), 1);
  // A package that holds a file of the user's is left alone too; one without is replaced.
  ASSERT_EQ(run_swgen({"emit", "w.yaml", "--out", "package"}, folder.path()).status, 0);
  ASSERT_EQ(run_swgen({"emit", "w.yaml", "--out", "package"}, folder.path()).status, 0);
  write(folder.file("package/src/mine.cpp"), "int mine;\n");
  EXPECT_EQ(run_swgen({"emit", "w.yaml", "--out", "package"}, folder.path()).status, 2);
  EXPECT_EQ(read_file(folder.file("package/src/mine.cpp")), "int mine;\n");
}

}  // namespace
}  // namespace swgen::cli
