// SPDX-License-Identifier: Apache-2.0
// Keys of the database. Those of workloads must not change between versions: a change would orphan
// every record that users have.
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/tuner/support.h"
#include "tuner/tune.h"

namespace swgen::tuner {
namespace {

TEST(Keys, OfWorkloadsAreStable) {
  const auto matmul = workload_row(workload_of("{name: a, op: matmul, m: 64, n: 64, k: 64}"));
  EXPECT_EQ(matmul.canonical,
            "matmul forward batch=1 k=64 m=64 n=64 transpose_a=0 transpose_b=0 dtype=f32 "
            "layout=nchw epilogue=none");
  EXPECT_EQ(matmul.key, "025f15d25b4b8cf7af3f69e58b3351ed079776aafe306b0d91dfc8e8f0b817b6");
  const auto conv = workload_row(workload_of(
      "{name: b, op: conv2d, in_channels: 64, out_channels: 64, input: [56, 56], kernel: 3, "
      "padding: 1, layout: any, epilogue: [bias, relu]}"));
  EXPECT_EQ(conv.canonical,
            "conv2d forward batch=1 dilation=1,1 groups=1 in_channels=64 input=56,56 kernel=3,3 "
            "out_channels=64 padding=1,1,1,1 stride=1,1 dtype=f32 layout=any epilogue=bias,relu");
  EXPECT_EQ(conv.key, "62daf8a85d3a7ae07d44b288ded9b882833a82a97197dee856b7a31a9dd32d79");
}

TEST(Keys, DependOnEveryFieldButTheName) {
  const std::string base = "op: matmul, m: 64, n: 64, k: 64";
  const auto key = [](const std::string& fields, const std::string name = "a") {
    return workload_row(workload_of("{name: " + name + ", " + fields + "}")).key;
  };
  EXPECT_EQ(key(base), key(base, "b"));
  std::set<std::string> keys = {key(base)};
  for (const char* more : {"batch: 2", "transpose_a: true", "transpose_b: true", "dtype: f64",
                           "epilogue: [bias]", "epilogue: [relu]", "epilogue: [bias, relu]"})
    EXPECT_TRUE(keys.insert(key(base + ", " + more)).second) << more;
  for (const char* other : {"op: matmul, m: 65, n: 64, k: 64", "op: matmul, m: 64, n: 65, k: 64",
                            "op: matmul, m: 64, n: 64, k: 65"})
    EXPECT_TRUE(keys.insert(key(other)).second) << other;
}

TEST(Keys, OfTargetsSeparateWhatChangesTheTime) {
  std::set<std::string> keys;
  for (const std::string name : {"x86-avx512", "x86-avx2", "x86-generic", "sw26010"})
    EXPECT_TRUE(keys.insert(target_row(target::find_target(name), "").key).second) << name;
  EXPECT_TRUE(keys.insert(target_row(target::find_target("x86-avx2"), "g++-12").key).second);
  target::Target caches = target::find_target("x86-avx2");
  caches.cache_bytes[1] *= 2;
  EXPECT_TRUE(keys.insert(target_row(caches, "").key).second);
  EXPECT_EQ(target_row(caches, "").key, target_row(caches, "").key);
}

TEST(Keys, AnEmulatedMachineHasNoCompilerInItsKey) {
  const target::Target sw = target::find_target("sw26010");
  EXPECT_EQ(target_row(sw, "").key, target_row(sw, "g++-12").key);
}

}  // namespace
}  // namespace swgen::tuner
