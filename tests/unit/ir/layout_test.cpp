// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/layout.h"

#include <gtest/gtest.h>

#include "compiler/ir/expr.h"

namespace swgen::ir {
namespace {

const std::vector<std::string> kImage = {"n", "c", "h", "w"}, kWeights = {"o", "i", "h", "w"};
using Numbers = std::vector<int64_t>;

TensorLayout layout(const std::string& text, const std::vector<std::string>& dims = kImage) {
  const auto parsed = TensorLayout::parse(text, dims);
  if (!parsed) throw std::runtime_error("no layout " + text);
  return *parsed;
}

TEST(Layout, TextsRoundTrip) {
  for (const char* text : {"nchw", "nhwc", "wnch", "nChw16c", "nCHw4h8c"})
    EXPECT_EQ(layout(text).text(kImage), text);
  for (const char* text : {"oihw", "OIhw16i16o", "Ohwi16o"})
    EXPECT_EQ(layout(text, kWeights).text(kWeights), text);
  EXPECT_EQ(TensorLayout::plain(4).text(kImage), "nchw");
}

TEST(Layout, RefusesTextsThatNameNoLayout) {
  const char* const bad[] = {
      "",         // names nothing
      "nch",      // leaves one out
      "nchww",    // twice
      "nchx",     // unknown
      "nChw",     // blocked, but no block
      "nchw16c",  // a block of a dimension that is not blocked
      "n16chwC",  // the block before its outer level
      "nChw16",   // a number without a letter
      "nChw16c8c", "nChw16C", "nChw9999999c",
  };
  for (const char* text : bad) EXPECT_FALSE(TensorLayout::parse(text, kImage)) << text;
}

TEST(Layout, PlainStrides) {
  const Numbers extents = {2, 3, 5, 7};
  EXPECT_EQ(layout("nchw").strides(extents), (Numbers{105, 35, 7, 1}));
  EXPECT_EQ(layout("nhwc").strides(extents), (Numbers{105, 21, 3, 1}));
  EXPECT_EQ(layout("nhwc").elements(extents), 210);
  EXPECT_FALSE(layout("nhwc").blocked());
}

TEST(Layout, BlockedStridesPadToWholeBlocks) {
  // 20 channels in blocks of 16: two blocks, 32 channels in memory.
  const Numbers extents = {2, 20, 5, 7};
  const TensorLayout blocked = layout("nChw16c");
  EXPECT_EQ(blocked.strides(extents), (Numbers{2 * 5 * 7 * 16, 5 * 7 * 16, 7 * 16, 16, 1}));
  EXPECT_EQ(blocked.elements(extents), 2 * 32 * 5 * 7);
  EXPECT_TRUE(blocked.blocked());
  EXPECT_EQ(layout("OIhw4i2o", kWeights).strides({6, 8, 3, 3}),
            (Numbers{2 * 9 * 8, 9 * 8, 3 * 8, 8, 2, 1}));
}

Linear form(int64_t constant, const std::map<std::string, int64_t>& terms) {
  Linear f(constant);
  for (const auto& [var, c] : terms) f.add_term(var, c);
  return f;
}

/// The offset as text, or "none".
std::string offset(const TensorLayout& l, const Numbers& extents, const std::vector<Linear>& index,
                   const Limits& limits) {
  const auto found = element_offset(l, extents, index, limits);
  return found ? Expr::from(*found).to_c() : "none";
}

TEST(Layout, ElementOffsetOfPlainLayouts) {
  const std::vector<Linear> index = {form(0, {{"n", 1}}), form(1, {{"c", 1}}),
                                     form(-1, {{"y", 2}, {"p", 1}}), form(0, {{"x", 1}})};
  EXPECT_EQ(offset(layout("nchw"), {2, 3, 5, 7}, index, {}),
            "c * 35 + n * 105 + p * 7 + x + y * 14 + 28");
  EXPECT_EQ(offset(layout("nhwc"), {2, 3, 5, 7}, index, {}),
            "c + n * 105 + p * 21 + x * 3 + y * 42 - 20");
}

/// Offset in one dimension of 64 elements in blocks of 16.
std::string in_blocks(const Linear& at, const Limits& limits) {
  return offset(layout("C16c", {"c"}), {64}, {at}, limits);
}

TEST(Layout, ElementOffsetFallsApartIntoBlocks) {
  EXPECT_EQ(in_blocks(form(0, {{"co", 16}, {"cl", 1}}), {{"co", 3}, {"cl", 15}}), "cl + co * 16");
  EXPECT_EQ(in_blocks(form(32, {{"co", 16}, {"cl", 1}}), {{"co", 1}, {"cl", 15}}),
            "cl + co * 16 + 32");
  // Position 4..11 of a block.
  EXPECT_EQ(in_blocks(form(4, {{"co", 16}, {"cl", 1}}), {{"co", 3}, {"cl", 7}}),
            "cl + co * 16 + 4");
  EXPECT_EQ(in_blocks(form(0, {{"a", 8}, {"b", 1}}), {{"a", 1}, {"b", 7}}), "a * 8 + b");
  EXPECT_EQ(in_blocks(form(-16, {{"co", 16}}), {{"co", 3}}), "co * 16 - 16");
}

TEST(Layout, ElementOffsetRefusesWhatCrossesBlocks) {
  // 12..19 crosses from one block to the next.
  EXPECT_EQ(in_blocks(form(12, {{"cl", 1}}), {{"cl", 7}}), "none");
  EXPECT_EQ(in_blocks(form(0, {{"c", 1}}), {{"c", 63}}), "none");
  EXPECT_EQ(in_blocks(form(0, {{"co", 24}, {"cl", 1}}), {{"co", 1}, {"cl", 7}}), "none");
  EXPECT_EQ(in_blocks(form(15, {{"c", -1}}), {{"c", 15}}), "none");
}

}  // namespace
}  // namespace swgen::ir
