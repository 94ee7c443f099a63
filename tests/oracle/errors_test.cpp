// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace swgen::oracle {
namespace {

template <typename Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "no error";
}

TEST(OracleErrors, DescriptionsWithoutOutput) {
    Conv2d op;
    op.groups = 2;
    op.in_channels = 3;
    EXPECT_EQ(error_of([&] { output_extents(op); }), "oracle: in_channels: found 3, expected a multiple of groups 2");
    op = {};
    op.kernel = {1, 3};
    op.padding = {{{0, 0}, {1, 0}}};
    EXPECT_EQ(error_of([&] { output_extents(op); }),
              "oracle: dilated kernel width: found 3, expected at most the padded input's 2");
    op = {};
    op.stride = {0, 1};
    EXPECT_EQ(error_of([&] { output_extents(op); }), "oracle: stride height: found 0, expected at least 1");
    op = {};
    op.padding = {{{0, -1}, {0, 0}}};
    EXPECT_EQ(error_of([&] { output_extents(op); }), "oracle: padding bottom: found -1, expected at least 0");
}

TEST(OracleErrors, OperandsOfAnotherSize) {
    Conv2d conv;
    conv.in_channels = 2;
    const std::vector<float> one = {1}, two = {1, 2}, none;
    EXPECT_EQ(error_of([&] { naive(conv, one, two, none); }), "oracle: elements of x: found 1, expected 2");
    EXPECT_EQ(error_of([&] { halide(conv, two, one, none); }), "oracle: elements of w: found 1, expected 2");
    EXPECT_EQ(error_of([&] { halide(conv, two, two, one); }), "oracle: elements of bias: found 1, expected 0");
    Matmul matmul;
    matmul.n = 2;
    matmul.bias = true;
    EXPECT_EQ(error_of([&] { naive(matmul, two, two, two); }), "oracle: elements of a: found 2, expected 1");
    EXPECT_EQ(error_of([&] { halide(matmul, one, one, two); }), "oracle: elements of b: found 1, expected 2");
    EXPECT_EQ(error_of([&] { halide(matmul, one, two, none); }), "oracle: elements of bias: found 0, expected 2");
    matmul.k = 0;
    EXPECT_EQ(error_of([&] { naive(matmul, none, none, two); }), "oracle: k: found 0, expected at least 1");
}

TEST(OracleErrors, ExtentsBeyondHalidesIndices) {
    Conv2d op;
    op.stride = {int64_t{1} << 31, 1};
    const std::vector<float> one = {1}, none;
    EXPECT_EQ(naive(op, one, one, none), std::vector<double>{1});
    EXPECT_EQ(error_of([&] { halide(op, one, one, none); }),
              "oracle: stride: found more than 2^31 - 1, expected at most that");
}

TEST(OracleErrors, ReluKeepsNan) {
    Matmul op;
    op.relu = true;
    const std::vector<float> nan = {NAN}, one = {1}, none;
    EXPECT_TRUE(std::isnan(naive(op, nan, one, none)[0]));
    EXPECT_TRUE(std::isnan(halide(op, nan, one, none)[0]));
    Conv2d conv;
    conv.relu = true;
    EXPECT_TRUE(std::isnan(naive(conv, nan, one, none)[0]));
    EXPECT_TRUE(std::isnan(halide(conv, nan, one, none)[0]));
}

}  // namespace
}  // namespace swgen::oracle
