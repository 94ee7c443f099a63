// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/yaml_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "compiler/frontend/suggest.h"
#include "tests/unit/frontend/test_operators.h"
#include "tests/unit/frontend/test_reading.h"

namespace swgen::frontend {
namespace {

Node read(const std::string& text) {
  base::Diagnostics errors;
  const auto node = read_yaml(text, {"t", 1, 1}, errors);
  EXPECT_EQ(errors.text(), "");
  return node.value_or(Node{});
}

std::string place(const base::SourceLocation& at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(YamlReader, KeepsKindsAndPlaces) {
  const Node root = read("a: 12 # comment\nb: [\"x\", 'y', ~]\nc:\n  - {d: e}\n  - \nf:\n");
  ASSERT_TRUE(root.is_mapping());
  ASSERT_EQ(root.entries.size(), 4u);
  const Node& number = root.entries[0].value;
  EXPECT_EQ(number.kind, Node::Kind::plain);
  EXPECT_EQ(number.text, "12");
  EXPECT_EQ(place(number.at), "1:4");
  const Node& list = root.entries[1].value;
  EXPECT_EQ(place(list.at), "2:4");
  ASSERT_EQ(list.items.size(), 3u);
  EXPECT_EQ(list.items[0].kind, Node::Kind::quoted);
  EXPECT_EQ(list.items[0].text, "x");
  EXPECT_EQ(place(list.items[1].at), "2:10");
  EXPECT_EQ(list.items[2].kind, Node::Kind::null);
  const Node& block = root.entries[2].value;
  ASSERT_EQ(block.items.size(), 2u);
  EXPECT_EQ(place(block.items[0].at), "4:5");
  EXPECT_EQ(block.items[0].entries.at(0).value.text, "e");
  EXPECT_EQ(place(block.items[1].at), "5:3");
  EXPECT_EQ(root.entries[3].value.kind, Node::Kind::null);
  EXPECT_EQ(place(root.entries[3].value.at), "6:1");
}

TEST(YamlReader, KnowsPlacesInsideVerbatimText) {
  const Node root = read("a: \"x y\"\nb: plain # c\nc: \"t\\tab\"\n");
  EXPECT_EQ(place(root.entries[0].value.place_of(2)), "1:7");
  EXPECT_EQ(place(root.entries[1].value.place_of(4)), "2:8");
  EXPECT_EQ(root.entries[2].value.text, "t\tab");
  EXPECT_EQ(place(root.entries[2].value.place_of(3)), "3:4");  // escapes hide it
}

TEST(YamlReader, ReadsBracesOverSeveralLines) {
  const Node root = read("a: {\n  x: 8\n  , y: [1,\n    2  # comment\n  ],\n  z: w\n}\n");
  const std::vector<Entry>& inner = root.entries.at(0).value.entries;
  ASSERT_EQ(inner.size(), 3u);
  EXPECT_EQ(inner[0].value.text, "8");
  EXPECT_EQ(inner[1].value.items.at(1).text, "2");
  EXPECT_EQ(inner[2].value.text, "w");
  EXPECT_EQ(place(inner[2].value.place_of(0)), "6:6");
}

TEST(YamlReader, StartsAtItsOrigin) {
  base::Diagnostics errors;
  const auto node = read_yaml("[1, 2]", {"t", 7, 10}, errors);
  ASSERT_TRUE(node);
  EXPECT_EQ(place(node->at), "7:10");
  EXPECT_EQ(place(node->items.at(1).at), "7:14");
}

TEST(YamlReader, RefusesZeroBytes) {
  base::Diagnostics errors;
  EXPECT_FALSE(read_yaml(std::string("a: b\0", 5), {"t", 1, 1}, errors));
  EXPECT_EQ(errors.errors().at(0).message, "found a zero byte, expected UTF-8 text");
  EXPECT_EQ(place(errors.errors().at(0).at), "1:5");
}

// Damaged files give errors or workloads, but never a crash, a hang or an error without a message.
TEST(YamlReader, SurvivesDamagedFiles) {
  const std::string good = R"(workloads:
  - name: a
    op: conv2d  # comment
    batch: [1, 2]
    in_channels: 8
    out_channels: 8
    input: [14, 14]
    kernel: 3
    padding: [[1, 1], [0, 2]]
    epilogue: [bias, relu]
  - {name: c, compute: "Y[n,o] += X[n,2*i-1] * W[i,o]", extents: {n: 8, o: 16, i: 32}}
  - {name: b, benchdnn: 'g1mb1ic64ih56oc64oh56kh3ph1n"x"'}
  - {name: m, benchdnn: "4x5:5x6", dtype: f64}
)";
  ASSERT_EQ(read_good(good).size(), 5u);
  const std::string alphabet = "[]{}:,-'\"&*!|>#%@`?~ \t\n\\09az\xc3\xff<";
  std::mt19937 random(20240601);
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    const int edits = 1 + static_cast<int>(random() % 3);
    for (int e = 0; e < edits && !bad.empty(); ++e) {
      const size_t at = random() % bad.size();
      const char c = alphabet[random() % alphabet.size()];
      const int kind = random() % 4;
      if (kind == 0) bad[at] = c;
      if (kind == 1) bad.insert(at, 1, c);
      if (kind == 2) bad.erase(at, 1 + random() % 4);
      if (kind == 3) bad.resize(std::max<size_t>(at, 1));
    }
    base::Diagnostics errors;
    const auto workloads = read_workloads("t", bad, test_operators(), {}, errors);
    ASSERT_NE(workloads.empty(), !errors.any()) << bad;
    for (const base::Diagnostic& d : errors.errors())
      ASSERT_NE(d.message.find(", expected "), std::string::npos) << d.message << '\n' << bad;
  }
}

TEST(Suggest, FindsTheNearestChoice) {
  const std::vector<std::string> choices = {"kernel", "stride", "padding", "m"};
  EXPECT_EQ(nearest("kernal", choices), "kernel");
  EXPECT_EQ(nearest("strides", choices), "stride");
  EXPECT_EQ(nearest("colour", choices), "");
  EXPECT_EQ(nearest("k", choices), "");
  EXPECT_EQ(nearest(std::string(100000, 'k'), choices), "");
  EXPECT_EQ(expected_one_of("kernal", choices),
            "expected one of kernel, stride, padding, m; did you mean 'kernel'?");
}

}  // namespace
}  // namespace swgen::frontend
