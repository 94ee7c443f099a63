// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/linear.h"

#include <gtest/gtest.h>

namespace swgen::ir {
namespace {

using Terms = std::map<std::string, int64_t>;

TEST(Linear, CollectsTermsByName) {
  Linear f(2);
  f.add_term("x", 3);
  f.add_term("y", 1);
  f.add_term("x", 4);
  EXPECT_EQ(f.constant, 2);
  EXPECT_EQ(f.terms, (Terms{{"x", 7}, {"y", 1}}));
  EXPECT_EQ(f.coefficient("x"), 7);
  EXPECT_EQ(f.coefficient("z"), 0);
}

TEST(Linear, KeepsNoZeroCoefficient) {
  Linear f;
  f.add_term("x", 0);
  EXPECT_TRUE(f.terms.empty());
  f.add_term("x", 5);
  f.add_term("x", -5);
  EXPECT_TRUE(f.terms.empty());
  EXPECT_FALSE(f.uses("x"));
}

TEST(Linear, AddsScaledForms) {
  Linear f(1), g(10);
  f.add_term("x", 2);
  g.add_term("x", 1);
  g.add_term("y", 3);
  f.add(g, -2);
  EXPECT_EQ(f.constant, -19);
  EXPECT_EQ(f.terms, (Terms{{"y", -6}}));
}

}  // namespace
}  // namespace swgen::ir
