// SPDX-License-Identifier: Apache-2.0
// swgen db on a small database.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/support.h"
#include "tuning_db/database.h"

namespace swgen::cli {
namespace {

std::string quoted(const std::string& text) { return '"' + text + '"'; }

using Words = std::vector<std::string>;

class DbTest : public testing::Test {
 protected:
  DbTest() { make_database(folder_.file("swgen.db")); }

  Outcome db(Words arguments) const {
    arguments.insert(arguments.begin(), "db");
    return run_swgen(arguments, folder_.path());
  }

  llvm::json::Object json(Words arguments, int status = 0) const {
    arguments.emplace_back("--json");
    const Outcome outcome = db(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    return parse_object(outcome.out);
  }

  void expect_error(const Words& arguments, int status, const std::string& message) const {
    const Outcome outcome = db(arguments);
    EXPECT_EQ(outcome.status, status);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "swgen: error: " + message + "\n");
  }

  TemporaryFolder folder_;
  std::string path_ = std::filesystem::canonical(folder_.path()).string() + "/swgen.db";
};

TEST_F(DbTest, ListHasALinePerGroup) {
  const Outcome outcome = db({"list"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "workload  target    threads  trials  ok    best  GFLOP/s  % of peak  how\n"
            "conv      x86-avx2        1       1   0       -        -          -  -\n"
            "fc        x86-avx2        1       3   2  500 us     50.0       50.0  measured\n");
}

TEST_F(DbTest, ListJson) {
  const llvm::json::Object object = json({"list", "fc"});
  ASSERT_EQ(elements(object, "results").size(), 1u);
  const llvm::json::Object fc = elements(object, "results").front();
  EXPECT_EQ(member(fc, "workload"), R"("fc")");
  EXPECT_EQ(member(fc, "workload_key"), quoted(kFcKey));
  EXPECT_EQ(member(fc, "target"), R"("x86-avx2")");
  EXPECT_EQ(member(fc, "schedule"), quoted("split(m,mo,mi,6) vectorize(N)"));
  EXPECT_EQ(member(fc, "verdict"), quoted("ok"));
  EXPECT_EQ(member(fc, "trials"), "3");
  EXPECT_EQ(member(fc, "seconds"), "0.00050000000000000001");
  EXPECT_EQ(member(fc, "percent_of_peak"), "50");
  EXPECT_EQ(member(fc, "by_verdict"), R"({"ok":2,"wrong":1})");
}

TEST_F(DbTest, Filters) {
  EXPECT_EQ(elements(json({"list", kConvKey}), "results").size(), 1u);
  EXPECT_EQ(elements(json({"list", "--target", "x86"}), "results").size(), 2u);
  EXPECT_EQ(elements(json({"list", "--target", "x86-avx2", "--threads", "1"}), "results").size(),
            2u);
  EXPECT_EQ(elements(json({"list", "--threads", "2"}), "results").size(), 0u);
  EXPECT_EQ(db({"list", "--threads", "2"}).out, "no such trials in " + path_ + "\n");
  expect_error({"list", "fcc"}, 2,
               "found workload 'fcc', expected one of the 2 in " + path_ +
                   " ('swgen db list' shows them); did you mean 'fc'?");
  expect_error({"list", "--target", "x86-avx"}, 2,
               "found target 'x86-avx', expected one of the 1 in " + path_ +
                   " ('swgen db list' shows them); did you mean 'x86-avx2'?");
}

TEST_F(DbTest, BestPrintsSchedules) {
  const Outcome all = db({"best"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_NE(all.out.find("measured  split(m,mo,mi,6) vectorize(N)\n"), std::string::npos)
      << all.out;
  EXPECT_EQ(db({"best", "fc"}).status, 0);
}

TEST_F(DbTest, BestOfANamedWorkloadMustExist) {
  const Outcome outcome = db({"best", "conv", "fc"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("\nfc "), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err, "swgen: error: found no valid trial of 'conv' in " + path_ +
                             ", expected one; 'swgen tune' makes them\n");
}

TEST_F(DbTest, ShowWorkload) {
  const std::string out = db({"show", "fc"}).out;
  EXPECT_EQ(out.rfind(std::string("workload: fc\nkey: ") + kFcKey + "\ncanonical: " + kFcText +
                          "\ntrials: 3\n\n",
                      0),
            0u)
      << out;
  const size_t fast = out.find("\n     2  "), slow = out.find("\n     1  "),
               wrong = out.find("\n     3  ");
  ASSERT_NE(wrong, std::string::npos) << out;
  EXPECT_LT(fast, slow) << out;
  EXPECT_LT(slow, wrong) << out;
  EXPECT_NE(out.find("  vectorize(M): C[0] is 1, expected 2\n"), std::string::npos) << out;
  const llvm::json::Object object = json({"show", "conv"});
  EXPECT_EQ(member(*object.getObject("workload"), "canonical"), quoted(kConvText));
  ASSERT_EQ(elements(object, "records").size(), 1u);
}

TEST_F(DbTest, ShowRecord) {
  const std::string out = db({"show", "1"}).out;
  for (const char* line : {"record: 1\n", "\nschedule: (reference)\n", "\nverdict: ok\n",
                           "\nsamples in seconds: 0.002 0.0015 0.0025\n",
                           "\nprovenance: {\"seed\":7}\n", "\ncreated: 2026-01-02T03:04:05.000Z\n"})
    EXPECT_NE(out.find(line), std::string::npos) << line << " in\n" << out;
  const llvm::json::Object object = json({"show", "3"});
  EXPECT_EQ(member(*object.getObject("record"), "reason"), R"("C[0] is 1, expected 2\nand more")");
  EXPECT_EQ(member(*object.getObject("target"), "level"), R"("avx2")");
  expect_error(
      {"show", "99"}, 2,
      "found workload '99', expected one of the 2 in " + path_ + " ('swgen db list' shows them)");
}

TEST_F(DbTest, ExportHoldsEverything) {
  const Outcome outcome = db({"export"});
  const llvm::json::Object object = parse_object(outcome.out);
  EXPECT_EQ(member(object, "format"), R"("swgen-db")");
  EXPECT_EQ(member(object, "version"), "1");
  EXPECT_EQ(elements(object, "workloads").size(), 2u);
  EXPECT_EQ(elements(object, "targets").size(), 1u);
  ASSERT_EQ(elements(object, "records").size(), 4u);
  const llvm::json::Object first = elements(object, "records").front();
  EXPECT_EQ(member(first, "samples"), "[0.002,0.0015,0.0025000000000000001]");
  EXPECT_EQ(member(first, "provenance"), R"({"seed":7})");
  EXPECT_EQ(member(first, "peak_gflops"), "100");
  const llvm::json::Object failed = elements(object, "records").back();
  EXPECT_EQ(member(failed, "verdict"), R"("crashed")");
  EXPECT_EQ(member(failed, "provenance"), "null");
  EXPECT_EQ(db({"export", "--json"}).out, outcome.out);
  EXPECT_EQ(elements(parse_object(db({"export", "conv"}).out), "records").size(), 1u);
}

TEST_F(DbTest, ExportToAFile) {
  EXPECT_EQ(db({"export", "--out", "all.json"}).out, "wrote 4 records to all.json\n");
  EXPECT_EQ(read_file(folder_.file("all.json")), db({"export"}).out);
  expect_error({"export", "--out", "none/all.json"}, 2,
               "found no way to write none/all.json, expected a file in a writable folder");
}

TEST_F(DbTest, CheckOfASoundFile) {
  const Outcome outcome = db({"check"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, path_ + ": sound, 2 workloads, 1 targets, 4 records\n");
  const llvm::json::Object object = json({"check"});
  EXPECT_EQ(member(object, "ok"), "true");
  EXPECT_EQ(member(object, "problems"), "[]");
}

TEST_F(DbTest, CheckComparesKeysWithTexts) {
  {
    auto db = tuning_db::Database::open(path_, tuning_db::Database::Mode::read_write);
    db.put_workload({std::string(64, 'a'), "odd", "matmul", "text"});
    db.put_target({std::string(64, 'b'), "sw26010", "", "text"});
  }
  const Outcome outcome = db({"check"});
  EXPECT_EQ(outcome.status, 3);
  const auto line = [&](const std::string& row, char digit, const std::string& expected) {
    return path_ + ": error: " + row + ": key " + std::string(64, digit) +
           " is not the SHA-256 of its text, " + expected + "\n";
  };
  EXPECT_EQ(outcome.err,
            line("workload odd", 'a',
                 "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1") +
                line("target sw26010", 'b',
                     "8008789d4ba330d9e30568838a33c99cf2c4aacb7748fc831000ed96461b4720"));
  EXPECT_EQ(outcome.out, path_ + ": 2 problems, 3 workloads, 2 targets, 4 records\n");
  const llvm::json::Object object = json({"check"}, 3);
  EXPECT_EQ(member(object, "ok"), "false");
  EXPECT_EQ(object.getArray("problems")->size(), 2u);
}

TEST_F(DbTest, FileFromOptionOrEnvironment) {
  const TemporaryFolder elsewhere;
  EXPECT_EQ(run_swgen({"db", "check", "--db", path_}, elsewhere.path()).status, 0);
  EXPECT_EQ(run_swgen({"db", "check"}, elsewhere.path(), path_).status, 0);
  EXPECT_EQ(run_swgen({"db", "check", "--db", path_}, elsewhere.path(), "/none/x.db").status, 0);
}

TEST_F(DbTest, MissingFile) {
  const Outcome outcome = db({"list", "--db", "none.db"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("none.db: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no such file"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.file("none.db")));
}

TEST_F(DbTest, FileOfAnotherKind) {
  std::ofstream(folder_.file("text.db")) << std::string(4096, 'x');
  const Outcome outcome = db({"list", "--db", "text.db"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(DbTest, Actions) {
  expect_error({}, 2,
               "found no action after 'swgen db', expected one of list, best, show, export, check");
  expect_error({"chck"}, 2,
               "found action 'chck', expected one of list, best, show, export, check; did you mean "
               "'check'?");
  expect_error({"show"}, 2,
               "found nothing after 'swgen db show', expected one workload or one record's number");
  expect_error({"check", "fc"}, 2, "found 'fc' after 'swgen db check', expected no argument");
}

}  // namespace
}  // namespace swgen::cli
