// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/base/error.h"
#include "compiler/schedule/schedule.h"

namespace swgen::schedule {
namespace {

TEST(Text, RoundTrips) {
  const std::string text =
      "algo(direct) split(x,xo,xi,6) reorder(n,y,xo) tensorize(xi,M) tensorize(co,N) "
      "tensorize(ci,K) stage(W,root,prepacked,1) vectorize(N) parallel(y)";
  EXPECT_EQ(to_text(parse(text)), text);
  EXPECT_EQ(to_text(parse("")), "");
  EXPECT_TRUE(parse("").steps.empty());
}

TEST(Text, PrintsInCanonicalOrder) {
  EXPECT_EQ(to_text(parse("parallel(n) im2col.parallel(n) gemm.split(x,xo,xi,6) algo(im2col) "
                          "gemm.parallel(xo) layout(X,nhwc)")),
            "algo(im2col) layout(X,nhwc) parallel(n) gemm.split(x,xo,xi,6) gemm.parallel(xo) "
            "im2col.parallel(n)");
}

TEST(Text, StepsOfAKindKeepTheirOrder) {
  const std::string text = "split(x,xo,xi,6) split(xo,xa,xb,2) tensorize(xi,M) tensorize(a,K)";
  EXPECT_EQ(to_text(parse(text)), text);
}

TEST(Text, NamesTheAlgorithm) {
  EXPECT_EQ(parse("algo(im2col)").algorithm("direct"), "im2col");
  EXPECT_EQ(parse("split(x,xo,xi,6)").algorithm("direct"), "direct");
}

struct Refused {
  const char* text;
  const char* message;
};

TEST(Text, RefusesWithPlaceAndChoices) {
  const Refused cases[] = {
      {"split", "schedule:1: found 'split', expected name(arg,...)"},
      {"algo(direct) split(x,xo", "schedule:14: found 'split(x,xo', expected name(arg,...)"},
      {"algo(direct) tile(x)",
       "schedule:14: found step 'tile', expected one of algo, layout, split, reorder, tensorize, "
       "stage, vectorize, parallel"},
      {"split(x,xo,xi)",
       "schedule:1: found 'split(x,xo,xi)', expected split(part,outer,inner,factor)"},
      {"split(x,xo,xi,6,7)",
       "schedule:1: found 'split(x,xo,xi,6,7)', expected split(part,outer,inner,factor)"},
      {"tensorize(x,)", "schedule:1: found 'tensorize(x,)', expected tensorize(part,M|N|K)"},
      {"algo()", "schedule:1: found 'algo()', expected algo(name)"},
      {"algo(direct)  vectorize(N)",
       "schedule:14: found a blank, expected steps separated by one space"},
      {" algo(direct)", "schedule:1: found a blank, expected steps separated by one space"},
      {"algo(direct) ", "schedule:14: found a blank, expected steps separated by one space"},
      {"parallel(a,b,c,d,e,f,g,h,i)",
       "schedule:1: found 'parallel(a,b,c,d,e,f,g,h,i)', expected parallel(part,...)"},
  };
  for (const Refused& c : cases) {
    try {
      parse(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const base::UserError& e) {
      EXPECT_STREQ(e.what(), c.message);
    }
  }
}

}  // namespace
}  // namespace swgen::schedule
