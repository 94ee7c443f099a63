// SPDX-License-Identifier: Apache-2.0
// Emitted packages compile without warnings on every level of x86 and compute what they should.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/package/support.h"

namespace swgen::package_test {
namespace {

namespace fs = std::filesystem;

// Borders in every direction: extents that no vector or tile divides.
const char* const kWorkloads =
    "workloads:\n"
    "  - {name: conv, op: conv2d, batch: 2, in_channels: 19, out_channels: 37, input: [13, 11],"
    " kernel: [3, 3], stride: [1, 2], padding: 1, layout: any, epilogue: [bias, relu]}\n"
    "  - {name: product, op: matmul, m: 67, n: 45, k: 33, transpose_b: true}\n";

struct Level {
  const char* name;
  const char* kernel;   ///< in the name of the object that holds the native kernel
  const char* present;  ///< pattern of an instruction that the kernel must have
  const char* absent;   ///< pattern that it must not have; "" = none
};

const Level kLevels[] = {
    {"avx512", "avx512", R"(vfmadd\w+ps .*%zmm)", ""},
    {"avx2", "avx2", R"(vfmadd\w+ps .*%ymm)", "%zmm"},
    {"generic", "portable", R"(mulps .*%xmm)", "%[yz]mm"},
};

struct Build {
  Level level;
  const char* compiler;
};

std::vector<Build> builds() {
  std::vector<Build> all;
  for (const Level& level : kLevels)
    for (const char* compiler : {"g++", "clang++-14"}) all.push_back({level, compiler});
  return all;
}

std::string name_of(const testing::TestParamInfo<Build>& info) {
  return std::string(info.param.level.name) + (info.param.compiler[0] == 'g' ? "_gcc" : "_clang");
}

class BuildTest : public PackageTest, public testing::WithParamInterface<Build> {
 protected:
  void build() const {
    write_file(file("w.yaml"), kWorkloads);
    const std::string target = std::string("x86-") + GetParam().level.name;
    const Outcome emitted = emit("w.yaml", "kernels", {"--target", target});
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    expect_success({"cmake", "-S", "kernels", "-B", "build",
                    std::string("-DCMAKE_CXX_COMPILER=") + GetParam().compiler,
                    "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"});
    expect_success({"cmake", "--build", "build"});
  }

  std::string instructions(const std::string& workload) const {
    const std::string object = "build/CMakeFiles/kernels.dir/src/swgen_" + workload + "_" +
                               GetParam().level.kernel + ".cpp.o";
    return expect_success({"objdump", "-d", "--no-show-raw-insn", object}).out;
  }
};

bool has(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

TEST_P(BuildTest, CompilesWithoutWarningsAndAgrees) {
  if (run("/", {GetParam().compiler, "--version"}).status != 0)
    GTEST_SKIP() << GetParam().compiler << " is not installed";
  build();
  if (HasFatalFailure() || HasNonfatalFailure()) return;
  // Where this processor lacks the level, the package's own check takes the portable kernel.
  EXPECT_EQ(expect_success({"build/swgen_conv_selftest"}).out, "swgen_conv: 5772 elements agree\n");
  EXPECT_EQ(expect_success({"build/swgen_product_selftest"}).out,
            "swgen_product: 3015 elements agree\n");
  expect_success({"ctest", "--test-dir", "build"});
  for (const char* workload : {"conv", "product"}) {
    const std::string text = instructions(workload);
    EXPECT_TRUE(has(text, GetParam().level.present)) << workload;
    if (*GetParam().level.absent == '\0') continue;
    EXPECT_FALSE(has(text, GetParam().level.absent)) << workload;
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, BuildTest, testing::ValuesIn(builds()), name_of);

class EmitTest : public PackageTest {
 protected:
  void SetUp() override { write_file(file("w.yaml"), kWorkloads); }
};

TEST_F(EmitTest, SameCommandTwiceGivesTheSameBytes) {
  for (const char* target : {"x86-avx512", "x86-avx2", "x86-generic", "sw26010"}) {
    SCOPED_TRACE(target);
    ASSERT_EQ(emit("w.yaml", "first/kernels", {"--target", target}).status, 0);
    ASSERT_EQ(emit("w.yaml", "second/kernels", {"--target", target}).status, 0);
    const auto first = read_tree(file("first/kernels"));
    EXPECT_GE(first.size(), 7u);
    EXPECT_EQ(first, read_tree(file("second/kernels")));
  }
}

TEST_F(EmitTest, EveryFileSaysWhereItComesFrom) {
  ASSERT_EQ(emit("w.yaml", "kernels", {"--target", "x86-avx2"}).status, 0);
  for (const auto& [path, text] : read_tree(file("kernels"))) {
    EXPECT_NE(text.find("SPDX-License-Identifier: Apache-2.0\n"), std::string::npos) << path;
    EXPECT_EQ(text.find(folder_), std::string::npos) << path << " names a folder of this machine";
    if (path.find("swgen_") == std::string::npos) continue;
    EXPECT_NE(text.find("target x86 avx2\n"), std::string::npos) << path;
    EXPECT_NE(text.find("\n// workload: "), std::string::npos) << path;
    EXPECT_NE(text.find("\n// schedule: algo("), std::string::npos) << path;
  }
}

TEST_F(EmitTest, ASumInBlocksHasNoWarnings) {
  const std::string blocks = "split(n,no,nt,16) split(k,ko,kt,16) reorder(b,ko,no,m,nt,kt) tensorize(nt,N) tensorize(kt,K) stage(B,ko,panel,1)";
  const std::string dots = "split(k,ko,kt,16) reorder(b,m,n,ko,kt) tensorize(kt,K) vectorize(K)";
  for (const char* epilogue : {"", ", epilogue: [bias]", ", epilogue: [relu]"})
    for (const std::string& schedule : {blocks, dots}) {
      write_file(file("k.yaml"), std::string("workloads:\n  - {name: k, op: matmul, m: 3, n: 20, k: 40, transpose_b: true") + epilogue + "}\n");
      ASSERT_EQ(emit("k.yaml", "k", {"--target", "x86-generic", "--schedule", schedule}).status, 0);
      for (const char* compiler : {"g++", "clang++-14"})
        expect_success({compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Ik/include", "k/test/swgen_k_selftest.cpp",
                        "k/src/swgen_k.cpp", "k/src/swgen_k_portable.cpp", "-o", "k-test"});
      expect_success({"./k-test"});
    }
}

TEST_F(EmitTest, ForeignFilesAreLeftAlone) {
  const std::map<std::string, std::string> foreign = {{"CMakeLists.txt", "project(mine)\n"},
                                                      {"notes/todo.txt", "mine\n"}};
  for (const auto& [path, text] : foreign) write_file(file("mine/" + path), text);
  const Outcome outcome = emit("w.yaml", "mine");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "swgen: error: found CMakeLists.txt in mine, expected an empty folder or a package of "
            "swgen\n");
  EXPECT_EQ(read_tree(file("mine")), foreign);
  // A program that calls a kernel is not a part of it.
  const std::map<std::string, std::string> caller = {{"main.cpp", "#include <swgen_conv.h>\nint main() {}\n"}};
  write_file(file("caller/main.cpp"), caller.at("main.cpp"));
  EXPECT_EQ(emit("w.yaml", "caller").status, 2);
  EXPECT_EQ(read_tree(file("caller")), caller);
}

TEST_F(EmitTest, AnOlderPackageIsReplaced) {
  ASSERT_EQ(emit("w.yaml", "kernels", {"--target", "x86-avx512"}).status, 0);
  EXPECT_TRUE(fs::exists(file("kernels/src/swgen_conv_avx512.cpp")));
  ASSERT_EQ(emit("w.yaml", "kernels", {"--target", "x86-avx2"}).status, 0);
  EXPECT_FALSE(fs::exists(file("kernels/src/swgen_conv_avx512.cpp")));
  EXPECT_TRUE(fs::exists(file("kernels/src/swgen_conv_avx2.cpp")));
  size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(folder_)) entries += entry.exists() ? 1 : 0;
  EXPECT_EQ(entries, 2u);  // w.yaml and kernels: nothing of the exchange is left behind
}

}  // namespace
}  // namespace swgen::package_test
