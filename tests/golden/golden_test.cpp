// SPDX-License-Identifier: Apache-2.0
// The texts that swgen makes of two small workloads: the program after each pass, and what is
// emitted. What the texts do is tested by running them (tests/numeric); here a change is seen.
#include "tests/golden/golden.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "compiler/base/text.h"
#include "compiler/compile.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"

namespace swgen::golden {
namespace {

struct Case {
  const char* name;
  const char* workload;
  const char* schedule;
  const char* target;

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

// Columns and sums that do not divide; a panel that is hoisted.
const Case kMatmul = {
    "matmul", "{name: mm, op: matmul, m: 4, n: 12, k: 5}",
    "algo(direct) split(n,no,nt,8) split(m,mo,mt,2) reorder(b,no,mo,mt,nt,k) tensorize(mt,M) "
    "tensorize(nt,N) tensorize(k,K) stage(B,mo,panel,1) parallel(no)",
    "x86-avx2"};

// Padding in a staged window, weights prepacked, an output tile that is transposed.
const Case kConv = {
    "conv2d",
    "{name: conv, op: conv2d, in_channels: 2, out_channels: 8, input: 5, kernel: 3, padding: 1, "
    "epilogue: [bias, relu]}",
    "algo(direct) split(o,oo,ot,8) split(x,xo,xt,3) reorder(n,oo,y,xo,xt,ot,i,p,q) "
    "tensorize(xt,M) tensorize(ot,N) tensorize(i,K) tensorize(p,K) tensorize(q,K) "
    "stage(X,n,nchw,1) stage(W,root,prepacked,1) stage(Y,oo,nhwc,1) parallel(oo)",
    "x86-avx2"};

const Case kTiny = {"tiny", "{name: tiny, op: matmul, m: 1, n: 8, k: 3}",
                    "algo(direct) tensorize(m,M) tensorize(n,N) tensorize(k,K)", "x86-avx2"};

// Padding read in place: micro-kernels of their own at the left and right border.
const Case kBorders = {
    "borders",
    "{name: borders, op: conv2d, in_channels: 2, out_channels: 8, input: 9, kernel: 3, padding: 1, layout: any}",
    "algo(direct) layout(Y,nhwc) layout(X,nhwc) split(x,xo,xt,3) reorder(n,y,xo,xt,o,p,q,i) tensorize(xt,M) "
    "tensorize(o,N) tensorize(p,K) tensorize(q,K) tensorize(i,K) stage(W,root,prepacked,1) parallel(y)",
    "x86-avx2"};

// Lanes along K, cut at its end.
const Case kDots = {"dots", "{name: dots, op: matmul, m: 2, n: 3, k: 21, transpose_b: true, epilogue: [bias]}",
                    "algo(direct) tensorize(m,M) tensorize(n,N) tensorize(k,K) vectorize(K)", "x86-avx2"};

// An image as one row: lanes go on where a row ends, boxes are whole rows.
const Case kRow = {"row", "{name: row, op: conv2d, in_channels: 2, out_channels: 3, input: [4, 6], kernel: 1}",
                   "algo(pointwise) split(x,xo,xt,8) reorder(n,y,xo,o,xt,i,p,q) tensorize(o,M) tensorize(xt,N) "
                   "tensorize(i,K) tensorize(p,K) tensorize(q,K)", "x86-avx2"};

frontend::Workload workload_of(const Case& c) {
  base::Diagnostics errors;
  const auto read = frontend::read_workloads(
      "a.yaml", std::string("workloads:\n  - ") + c.workload + "\n", ops::schemas(), {}, errors);
  if (errors.any()) throw std::runtime_error(errors.text());
  return read.at(0);
}

Compiled compile_case(const Case& c) {
  return compile(workload_of(c), schedule::parse(c.schedule), target::find_target(c.target));
}

void expect_golden(const std::string& name, const std::string& text) {
  EXPECT_EQ(compare(std::string(SWGEN_GOLDENS) + "/" + name, text, update_wanted()), "");
}

class Passes : public testing::TestWithParam<Case> {};

TEST_P(Passes, ProgramAfterEach) {
  const Case& c = GetParam();
  std::string before;
  int number = 0;
  const Lowered lowered =
      lower(workload_of(c), schedule::parse(c.schedule), target::find_target(c.target),
            [&](const std::string& pass, const ir::Program& program) {
              const std::string text = ir::to_text(program);
              expect_golden(base::cat(c.name, "/", number++, "_", pass, ".txt"),
                            text == before ? "unchanged\n" : text);
              before = text;
            });
  EXPECT_EQ(lowered.infeasible, "");
  EXPECT_EQ(number, 7);
}

INSTANTIATE_TEST_SUITE_P(Golden, Passes, testing::Values(kMatmul, kConv),
                         [](const auto& info) { return info.param.name; });

TEST(Emitted, HeaderAndKernel) {
  for (const auto& [c, path] : {std::pair{kTiny, "include/swgen_tiny.h"}, {kTiny, "src/swgen_tiny_kernel.inc"},
                                {kBorders, "src/swgen_borders_kernel.inc"}, {kDots, "src/swgen_dots_kernel.inc"},
                                {kRow, "include/swgen_row.h"}, {kRow, "src/swgen_row_kernel.inc"}}) {
    const Compiled compiled = compile_case(c);
    ASSERT_TRUE(compiled.bundle) << compiled.infeasible;
    int compared = 0;
    for (const codegen::SourceFile& file : compiled.bundle->files) {
      if (file.path != path) continue;
      expect_golden(base::cat(c.name, "/", std::filesystem::path(path).filename().string()), file.text);
      ++compared;
    }
    EXPECT_EQ(compared, 1) << path;
  }
}

TEST(Emitted, TheSameInputGivesTheSameBytes) {
  for (Case c : {kMatmul, kConv, kTiny, kBorders, kDots, kRow})
    for (const char* target : {"x86-avx2", "x86-avx512", "x86-generic"}) {
      c.target = target;
      const Compiled first = compile_case(c), second = compile_case(c);
      ASSERT_TRUE(first.bundle && second.bundle) << c.name << " on " << target << first.infeasible;
      EXPECT_EQ(first.bundle->candidate, second.bundle->candidate);
      ASSERT_EQ(first.bundle->files.size(), second.bundle->files.size());
      for (size_t i = 0; i < first.bundle->files.size(); ++i) {
        EXPECT_EQ(first.bundle->files[i].path, second.bundle->files[i].path);
        EXPECT_EQ(first.bundle->files[i].text, second.bundle->files[i].text);
        EXPECT_EQ(first.bundle->files[i].flags, second.bundle->files[i].flags);
      }
    }
}

class TemporaryFile {
 public:
  TemporaryFile()
      : path_(std::filesystem::path(testing::TempDir()) /
              ("swgen_golden_" + std::to_string(getpid()))) {}
  ~TemporaryFile() { std::filesystem::remove_all(path_); }
  std::string path() const { return (path_ / "a.txt").string(); }

 private:
  std::filesystem::path path_;
};

TEST(Compare, AMissingGoldenFailsAndNamesItsPath) {
  const TemporaryFile file;
  EXPECT_EQ(compare(file.path(), "text\n", false),
            "found no golden " + file.path() + "; SWGEN_UPDATE_GOLDENS=1 writes it");
}

TEST(Compare, UpdatesWriteAndDifferencesAreNamed) {
  const TemporaryFile file;
  EXPECT_EQ(compare(file.path(), "one\ntwo\n", true), "");
  EXPECT_EQ(compare(file.path(), "one\ntwo\n", false), "");
  EXPECT_EQ(
      compare(file.path(), "one\n2\n", false),
      file.path() + ":2: found '2', expected 'two'; SWGEN_UPDATE_GOLDENS=1 writes what was found");
  EXPECT_EQ(
      compare(file.path(), "one\ntwo\nthree\n", false),
      file.path() + ":3: found 'three', expected ''; SWGEN_UPDATE_GOLDENS=1 writes what was found");
}

}  // namespace
}  // namespace swgen::golden
