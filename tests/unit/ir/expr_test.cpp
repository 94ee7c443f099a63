// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/expr.h"

#include <gtest/gtest.h>

#include "compiler/base/error.h"

namespace swgen::ir {
namespace {

const Expr x = Expr::variable("x"), y = Expr::variable("y");

TEST(Expr, ConstantsFold) {
  EXPECT_EQ((Expr(2) + 3).value(), 5);
  EXPECT_EQ((Expr(2) - 3).value(), -1);
  EXPECT_EQ((Expr(2) * 3).value(), 6);
  EXPECT_EQ(div(7, 2).value(), 3);
  EXPECT_EQ(mod(7, 2).value(), 1);
  EXPECT_EQ(min(7, 2).value(), 2);
  EXPECT_EQ(max(7, 2).value(), 7);
  EXPECT_EQ(less(2, 7).value(), 1);
  EXPECT_EQ(less(7, 2).value(), 0);
  EXPECT_EQ(equal(7, 7).value(), 1);
  EXPECT_EQ(both(7, 0).value(), 0);
  EXPECT_TRUE((Expr(2) + 3).is_constant());
}

TEST(Expr, NeutralElementsVanish) {
  for (const Expr& e : {x + 0, 0 + x, x - 0, x * 1, 1 * x, div(x, 1), both(1, x), both(x, 3)})
    EXPECT_EQ(e.to_c(), "x");
  for (const Expr& e : {x * 0, 0 * x, mod(x, 1), both(0, x), both(x, 0)}) EXPECT_TRUE(e.is(0));
}

TEST(Expr, ConstantsOfASumMeet) {
  EXPECT_EQ((x + 3 + 4).to_c(), "x + 7");
  EXPECT_EQ((3 + x + 4).to_c(), "x + 7");
  EXPECT_EQ((x + 3 - 5).to_c(), "x - 2");
  EXPECT_EQ((Expr(2) * x).to_c(), "x * 2");
}

TEST(Expr, PrintsWithTheFewestParentheses) {
  EXPECT_EQ(((x + 1) * y).to_c(), "(x + 1) * y");
  EXPECT_EQ((x * y + 1).to_c(), "x * y + 1");
  EXPECT_EQ((x * 2 + y * 3).to_c(), "x * 2 + y * 3");
  EXPECT_EQ(div(x, y * 2).to_c(), "x / (y * 2)");
  EXPECT_EQ((div(x, 2) * 2).to_c(), "x / 2 * 2");
  EXPECT_EQ(mod(x + y, 4).to_c(), "(x + y) % 4");
  EXPECT_EQ(both(less(x, 3), equal(y + 1, 4)).to_c(), "x < 3 && y + 1 == 4");
  EXPECT_EQ((both(x, y) + 1).to_c(), "(x && y) + 1");
  EXPECT_EQ(min(max(x, 0), y - 1).to_c(), "swgen_min(swgen_max(x, 0), y - 1)");
}

TEST(Expr, NegativeTermsArePrintedAsDifferences) {
  EXPECT_EQ((1 - y).to_c(), "1 - y");
  EXPECT_EQ((x - y * 4).to_c(), "x - y * 4");
  EXPECT_EQ((y * -1).to_c(), "y * -1");
  EXPECT_EQ((x * -2 - y).to_c(), "0 - x * 2 - y");
}

TEST(Expr, Evaluates) {
  const Expr e = min(x * 3 + y, 20) - mod(y, 4);
  EXPECT_EQ(e.evaluate({{"x", 2}, {"y", 7}}), 10);
  EXPECT_EQ(e.evaluate({{"x", 9}, {"y", 7}}), 17);
  EXPECT_EQ(both(less(x, y), equal(x, 2)).evaluate({{"x", 2}, {"y", 7}}), 1);
  EXPECT_EQ(div(x, 4).evaluate({{"x", 11}}), 2);
}

TEST(Expr, AMissingVariableIsABugOfOurs) {
  try {
    (x + y).evaluate({{"x", 1}});
    FAIL() << "expected an error";
  } catch (const base::InternalError& e) {
    EXPECT_STREQ(e.what(), "internal error: no value for variable y");
  }
}

TEST(Expr, SubstitutesAndFoldsAgain) {
  const Expr e = min(4, 10 - x * 4);
  EXPECT_EQ(e.substitute("x", 2).value(), 2);
  EXPECT_EQ(e.substitute("y", 2).to_c(), e.to_c());
  EXPECT_EQ((x * y).substitute("x", y + 1).to_c(), "(y + 1) * y");
  EXPECT_TRUE(e.uses("x"));
  EXPECT_FALSE(e.uses("y"));
}

TEST(Expr, FromLinear) {
  Linear form(-3);
  form.add_term("y", 4);
  form.add_term("x", 1);
  EXPECT_EQ(Expr::from(form).to_c(), "x + y * 4 - 3");
  EXPECT_EQ(Expr::from(Linear(5)).value(), 5);
  EXPECT_TRUE(Expr::from(Linear()).is(0));
}

}  // namespace
}  // namespace swgen::ir
