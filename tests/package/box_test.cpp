// SPDX-License-Identifier: Apache-2.0
// _run_box, box by box, gives what _run gives: for loops that a box narrows, and for algorithms that
// see an image as one row.
#include <regex>

#include "tests/package/support.h"

namespace swgen::package_test {
namespace {

/// Calls the kernel on the whole and then on boxes of its grain; `@` stands for the symbol.
const char* const kDriver = R"(
#include <cstdio>
#include <cstring>
#include <vector>
#include "@.h"
int main() {
  const long grain[] = {GRAIN}, extent[] = {EXTENT};
  const int rank = sizeof grain / sizeof *grain;
  std::vector<float> in(1 << 16), whole(OUTPUTS), boxes(OUTPUTS, -1);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(static_cast<int>(i * 7919 % 17) - 8);
  std::vector<char> workspace(@_workspace_bytes(1) + 64);
  @_args args = {ARGS};
  args.workspace = &workspace[0] + 64 - reinterpret_cast<size_t>(&workspace[0]) % 64;
  args.OUT = &whole[0];
  if (@_run(&args, 1) != 0) return 1;
  args.OUT = &boxes[0];
  long begin[rank] = {}, end[rank], count = 0;
  for (;;) {
    for (int d = 0; d < rank; ++d) end[d] = begin[d] + grain[d] < extent[d] ? begin[d] + grain[d] : extent[d];
    if (@_run_box(&args, begin, end) != 0) return 2;
    ++count;
    int d = rank - 1;
    while (d >= 0 && (begin[d] += grain[d]) >= extent[d]) begin[d--] = 0;
    if (d < 0) break;
  }
  std::printf("%ld boxes\n", count);
  for (size_t i = 0; i < whole.size(); ++i)
    if (whole[i] != boxes[i]) {
      std::printf("element %zu: %g, expected %g\n", i, boxes[i], whole[i]);
      return 3;
    }
  long odd[rank] = {};
  odd[rank - 1] = 1;
  if (grain[rank - 1] > 1 && @_run_box(&args, odd, extent) != 2) return 4;
}
)";

struct Case {
  const char* name;
  const char* workload;  // after its name
  const char* schedule;
  const char* extent;
  const char* boxes;
  int outputs;
  const char* args;
  const char* out;
};

const Case kCases[] = {
    {"rows", "op: conv2d, in_channels: 4, out_channels: 6, input: [8, 6], kernel: 3, padding: 1",
     "algo(direct) split(y,yo,yi,2) reorder(n,o,yo,x,yi,i,p,q) tensorize(yi,M) tensorize(i,K) tensorize(p,K) tensorize(q,K)",
     "1, 6, 8, 6", "144 boxes\n", 288, "&in[0], &in[0], nullptr, nullptr", "Y"},
    {"flat", "op: conv2d, in_channels: 4, out_channels: 6, input: [8, 6], kernel: 1",
     "algo(pointwise) split(x,xo,xt,16) reorder(n,y,o,xo,xt,i,p,q) tensorize(xt,N) tensorize(i,K) tensorize(p,K) tensorize(q,K)",
     "1, 6, 8, 6", "6 boxes\n", 288, "&in[0], &in[0], nullptr, nullptr", "Y"},
    {"flat_rows", "op: conv2d, in_channels: 4, out_channels: 6, input: [8, 16], kernel: 1",
     "algo(pointwise) split(x,xo,xt,16) reorder(n,y,o,xo,xt,i,p,q) tensorize(xt,N) tensorize(i,K) tensorize(p,K) tensorize(q,K)",
     "1, 6, 8, 16", "48 boxes\n", 768, "&in[0], &in[0], nullptr, nullptr", "Y"},
    // The output is staged: boxes are whole tiles where loops run inside, single rows where they run outside.
    {"staged", "op: conv2d, in_channels: 4, out_channels: 6, input: [8, 6], kernel: 3, padding: 1, epilogue: [bias]",
     "algo(direct) split(o,oo,ot,16) split(x,xo,xt,4) split(y,yb,ym,4) reorder(n,yb,oo,ym,xo,xt,ot,i,p,q) tensorize(xt,M) tensorize(ot,N) "
     "tensorize(i,K) tensorize(p,K) tensorize(q,K) stage(W,root,prepacked,1) stage(Y,oo,nhwc,1)",
     "1, 6, 8, 6", "2 boxes\n", 288, "&in[0], &in[0], &in[0], nullptr, nullptr", "Y"},
    {"whole", "op: matmul, m: 6, n: 7, k: 5", "stage(C,root,panel,1)", "1, 6, 7", "1 boxes\n", 42, "&in[0], &in[0], nullptr, nullptr", "C"},
    {"dots", "op: matmul, m: 7, n: 9, k: 70, transpose_b: true",
     "split(m,mo,mt,2) split(n,no,nt,3) reorder(b,no,mo,mt,nt,k) tensorize(mt,M) tensorize(nt,N) tensorize(k,K) vectorize(K)",
     "1, 7, 9", "12 boxes\n", 63, "&in[0], &in[0], nullptr, nullptr", "C"},
};

class BoxTest : public PackageTest, public testing::WithParamInterface<Case> {};

TEST_P(BoxTest, BoxesMakeTheWhole) {
  const Case& c = GetParam();
  const std::string symbol = std::string("swgen_") + c.name;
  write_file(file("w.yaml"), std::string("workloads:\n  - {name: ") + c.name + ", " + c.workload + "}\n");
  const Outcome emitted = emit("w.yaml", "kernels", {"--target", "x86-generic", "--schedule", c.schedule});
  ASSERT_EQ(emitted.status, 0) << emitted.err;
  const std::string header = read_tree(file("kernels")).at("include/" + symbol + ".h");
  std::smatch grain;
  ASSERT_TRUE(std::regex_search(header, grain, std::regex(R"(a multiple of \{([0-9, ]+)\})"))) << header;
  std::string driver = kDriver;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"@", symbol}, {"GRAIN", grain[1]}, {"EXTENT", c.extent}, {"OUTPUTS", std::to_string(c.outputs)},
           {"ARGS", c.args}, {"OUT", c.out}})
    driver = std::regex_replace(driver, std::regex(from), to);
  write_file(file("driver.cpp"), driver);
  expect_success({"g++", "-O1", "-Ikernels/include", "driver.cpp", "kernels/src/" + symbol + ".cpp",
                  "kernels/src/" + symbol + "_portable.cpp", "-o", "driver"});
  const Outcome ran = run(folder_, {"./driver"});
  EXPECT_EQ(ran.out, c.boxes);
  EXPECT_EQ(ran.status, 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, BoxTest, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swgen::package_test
