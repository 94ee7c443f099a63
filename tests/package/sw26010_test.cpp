// SPDX-License-Identifier: Apache-2.0
// sw26010 packages: the machine's compilers are old, so slave code is C99 and C++98 and host code
// C++98, without warnings; off the machine the package builds against the emulation and agrees.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/package/support.h"

namespace swgen::package_test {
namespace {

namespace fs = std::filesystem;

// Direct, im2col, both precisions, every orientation of a product.
const char* const kWorkloads =
    "workloads:\n"
    "  - {name: conv, op: conv2d, batch: 2, in_channels: 19, out_channels: 37, input: [9, 34],"
    " kernel: [3, 3], stride: [1, 2], padding: 1, epilogue: [bias, relu]}\n"
    "  - {name: pointwise, op: conv2d, in_channels: 19, out_channels: 37, input: [9, 11], kernel: 1, layout: nhwc}\n"
    "  - {name: product, op: matmul, m: 67, n: 45, k: 33, transpose_b: true, dtype: f64, epilogue: [bias]}\n"
    "  - {name: turned, op: matmul, m: 67, n: 45, k: 33, transpose_a: true}\n";

class Sw26010PackageTest : public PackageTest {
 protected:
  void SetUp() override {
    write_file(file("w.yaml"), kWorkloads);
    const Outcome emitted = emit("w.yaml", "kernels", {"--target", "sw26010"});
    ASSERT_EQ(emitted.status, 0) << emitted.err;
  }

  std::vector<std::string> sources(const std::string& folder, const std::string& extension) const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(file("kernels/" + folder)))
      if (entry.path().extension() == extension) out.push_back(entry.path().string());
    return out;
  }

  void check(const std::vector<std::string>& compiler, const std::string& source) const {
    std::vector<std::string> command = compiler;
    for (const char* flag : {"-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Ikernels/include", "-Ikernels/slave",
                             "-I" SWGEN_ATHREAD_INCLUDE, "-I" SWGEN_ATHREAD_BUILD_INCLUDE})
      command.emplace_back(flag);
    command.push_back(source);
    expect_success(command);
  }
};

TEST_F(Sw26010PackageTest, SlaveCodeIsC99AndCxx98AndHostCodeCxx98) {
  const std::vector<std::string> slaves = sources("slave", ".c"), hosts = sources("src", ".cpp");
  ASSERT_EQ(slaves.size(), 8u);  // of each kernel its code and the primitives in C
  ASSERT_EQ(hosts.size(), 4u);
  for (const std::string& source : slaves) {
    check({"gcc", "-std=gnu99"}, source);
    check({"g++", "-x", "c++", "-std=gnu++98"}, source);
    check({"clang-14", "-std=gnu99"}, source);
  }
  for (const std::string& source : hosts) {
    check({"g++", "-std=gnu++98"}, source);
    check({"clang++-14", "-std=gnu++98"}, source);
  }
  for (const std::string& source : sources("test", ".cpp")) check({"g++", "-std=gnu++98"}, source);
}

TEST_F(Sw26010PackageTest, BuildsAgainstTheEmulationAndAgrees) {
  expect_success({"cmake", "--install", SWGEN_ATHREAD_BUILD, "--prefix", "athread"});
  expect_success({"cmake", "-S", "kernels", "-B", "build", "-DCMAKE_PREFIX_PATH=" + file("athread")});
  expect_success({"cmake", "--build", "build", "-j2"});
  expect_success({"ctest", "--test-dir", "build", "--output-on-failure"});
}

TEST_F(Sw26010PackageTest, InstalledItIsFound) {
  expect_success({"cmake", "--install", SWGEN_ATHREAD_BUILD, "--prefix", "prefix"});
  expect_success({"cmake", "-S", "kernels", "-B", "build", "-DCMAKE_PREFIX_PATH=" + file("prefix"),
                  "-DCMAKE_INSTALL_PREFIX=" + file("prefix")});
  expect_success({"cmake", "--build", "build", "-j2", "--target", "install"});
  expect_success({"rm", "-r", "kernels", "build"});  // an installed package must not need its sources
  write_file(file("user/CMakeLists.txt"),
             "cmake_minimum_required(VERSION 3.16)\nproject(user CXX)\nfind_package(kernels REQUIRED)\n"
             "add_executable(user main.cpp)\ntarget_link_libraries(user kernels::kernels)\n");
  write_file(file("user/main.cpp"), R"(
#include <swgen_turned.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
extern "C" {
#include <athread.h>
}
int main() {
  std::vector<float> a(33 * 67, 1.5f), b(33 * 45, 2.0f), c(67 * 45);
  swgen_turned_args args = {};
  args.A = &a[0], args.B = &b[0], args.C = &c[0];
  args.workspace = std::aligned_alloc(64, (swgen_turned_workspace_bytes(1) / 64 + 1) * 64);
  athread_init();
  const int code = swgen_turned_run(&args, 1);
  std::free(args.workspace);
  std::printf("%d %g", code, c.back());
}
)");
  expect_success({"cmake", "-S", "user", "-B", "out", "-DCMAKE_PREFIX_PATH=" + file("prefix")});
  expect_success({"cmake", "--build", "out"});
  EXPECT_EQ(expect_success({"out/user"}).out, "0 99");
}

TEST_F(Sw26010PackageTest, TheSameCommandGivesTheSameBytes) {
  const auto first = read_tree(file("kernels"));
  ASSERT_EQ(emit("w.yaml", "kernels", {"--target", "sw26010"}).status, 0);
  EXPECT_EQ(read_tree(file("kernels")), first);
}

}  // namespace
}  // namespace swgen::package_test
