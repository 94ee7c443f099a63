// SPDX-License-Identifier: Apache-2.0
// The canonical text is what the database's keys are made from: equal if and only if the same
// thing is computed.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/unit/frontend/test_reading.h"

namespace swgen::frontend {
namespace {

const std::string kConv =
    "name: a, op: conv2d, in_channels: 64, out_channels: 32, input: [56, 40], kernel: 3, "
    "padding: [[0, 1], [2, 3]], epilogue: [bias, relu]";
const std::string kCompute =
    "name: c, compute: \"Y[n,o] += X[n,i] * W[i,o]\", extents: {n: 8, o: 16, i: 32}";

TEST(CanonicalText, OfAConvolution) {
  EXPECT_EQ(canonical_text(read_one(kConv)),
            "conv2d forward batch=1 dilation=1,1 groups=1 in_channels=64 input=56,40 kernel=3,3 "
            "out_channels=32 padding=0,1,2,3 stride=1,1 dtype=f32 layout=nchw epilogue=bias,relu");
}

TEST(CanonicalText, OfACompute) {
  EXPECT_EQ(canonical_text(read_one(kCompute)),
            "compute forward Y[n,o]+=X[n,i]*W[i,o] n=8 o=16 i=32 Y=[8,16] X=[8,32] W=[32,16] "
            "dtype=f32 layout=nchw epilogue=none");
}

TEST(CanonicalText, IgnoresNameOrderAndSpelling) {
  const std::string other =
      "epilogue: [bias, relu], kernel: [3, 3], padding: [[0, 1], [2, 3]], batch: 1, "
      "out_channels: 32, input: [56, 40], in_channels: 64, op: conv2d, name: other, dtype: f32";
  EXPECT_EQ(canonical_text(read_one(kConv)), canonical_text(read_one(other)));
  Workload moved = read_one(kConv);
  moved.at.line = 77;
  moved.location.clear();
  EXPECT_EQ(canonical_text(moved), canonical_text(read_one(kConv)));
}

// Every field of Workload that changes what is computed, one change at a time.
std::vector<Workload> all_changes(const Workload& original) {
  std::vector<Workload> out;
  const auto change = [&](const std::function<void(Workload&)>& edit) {
    out.push_back(original);
    edit(out.back());
  };
  change([](Workload& w) { w.op += "x"; });
  change([](Workload& w) { w.direction = Direction::backward_data; });
  change([](Workload& w) { w.direction = Direction::backward_weights; });
  change([](Workload& w) { w.layout = Layout::nhwc; });
  change([](Workload& w) { w.layout = Layout::any; });
  change([](Workload& w) { w.dtype = ir::DType::f64; });
  change([](Workload& w) { w.bias = !w.bias; });
  change([](Workload& w) { w.relu = !w.relu; });
  change([](Workload& w) { w.bias = !w.bias, w.relu = !w.relu; });
  change([](Workload& w) { w.params["another"] = {1}; });
  for (const auto& [key, values] : original.params) {
    change([&key = key](Workload& w) { w.params.erase(key); });
    change([&key = key](Workload& w) { w.params[key].push_back(1); });
    for (size_t i = 0; i < values.size(); ++i)
      change([&key = key, i](Workload& w) { w.params[key][i] += 100 + static_cast<int64_t>(i); });
  }
  if (!original.compute) return out;
  for (size_t i = 0; i < original.compute->contraction.iters.size(); ++i)
    change([i](Workload& w) { w.compute->contraction.iters[i].extent += 100; });
  for (size_t t = 0; t < original.compute->tensors.size(); ++t)
    for (size_t d = 0; d < original.compute->tensors[t].extents.size(); ++d)
      change([t, d](Workload& w) { w.compute->tensors[t].extents[d] += 100; });
  return out;
}

TEST(CanonicalText, EveryChangeOfAFieldChangesIt) {
  for (const std::string& fields : {kConv, kCompute}) {
    const Workload original = read_one(fields);
    std::set<std::string> texts{canonical_text(original)};
    const std::vector<Workload> changes = all_changes(original);
    EXPECT_GE(changes.size(), fields == kConv ? 40u : 19u);
    for (const Workload& changed : changes)
      EXPECT_TRUE(texts.insert(canonical_text(changed)).second) << canonical_text(changed);
  }
}

TEST(CanonicalText, EveryChangeOfTheYamlChangesIt) {
  const std::string extents = ", extents: {n: 8, o: 16, i: 32}";
  std::set<std::string> texts;
  const std::vector<std::string> all = {
      kCompute,
      "name: c, compute: \"Y[n,o] += X[n,i] * W[o,i]\"" + extents,
      "name: c, compute: \"Y[o,n] += X[n,i] * W[i,o]\"" + extents,
      "name: c, compute: \"Y[n,o] += X[n,i+1] * W[i,o]\"" + extents,
      "name: c, compute: \"Y[n,o] += X[n,i-1] * W[i,o]\"" + extents,
      "name: c, compute: \"Y[n,o] += X[n,2*i] * W[i,o]\"" + extents,
      "name: c, compute: \"Y[n,o] += X[n,-i] * W[i,o]\"" + extents,
      "name: c, compute: \"Y[n,o] += X[n,i] * W[i,o]\", extents: {n: 8, o: 16, i: 31}",
      "name: c, compute: \"Y[n,o] += X[n,i] * W[i,o]\", extents: {n: 8, o: 16, i: 32, X: [8, 9]}",
      kCompute + ", epilogue: [relu]",
      kCompute + ", dtype: f64",
      kCompute + ", layout: any"};
  for (const std::string& fields : all)
    EXPECT_TRUE(texts.insert(canonical_text(read_one(fields))).second) << fields;
}

TEST(Names, OfDirectionsAndLayouts) {
  EXPECT_STREQ(name_of(Direction::forward), "forward");
  EXPECT_STREQ(name_of(Direction::backward_data), "backward_data");
  EXPECT_STREQ(name_of(Direction::backward_weights), "backward_weights");
  EXPECT_STREQ(name_of(Layout::nchw), "nchw");
  EXPECT_STREQ(name_of(Layout::nhwc), "nhwc");
  EXPECT_STREQ(name_of(Layout::any), "any");
}

}  // namespace
}  // namespace swgen::frontend
