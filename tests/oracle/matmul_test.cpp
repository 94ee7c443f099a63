// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace swgen::oracle {
namespace {

// Ten extents, each with the four transpositions; bias and ReLU vary with them.
std::vector<Matmul> odd_shapes() {
    const std::array<int64_t, 4> extents[] = {
        {1, 1, 1, 1},   {1, 3, 5, 7},  {7, 4, 9, 2},    {2, 17, 1, 13}, {1, 1, 19, 23},
        {3, 6, 16, 31}, {1, 33, 8, 1}, {1, 64, 65, 63}, {5, 2, 3, 101}, {1, 7, 129, 11},
    };
    std::vector<Matmul> shapes;
    for (const auto& [batch, m, n, k] : extents) {
        for (const bool ta : {false, true}) {
            for (const bool tb : {false, true}) {
                const size_t index = shapes.size();
                shapes.push_back({batch, m, n, k, ta, tb, index % 3 != 0, index % 5 < 2});
            }
        }
    }
    return shapes;
}

std::string text_of(const Matmul& op) {
    std::ostringstream out;
    out << "batch " << op.batch << " m " << op.m << " n " << op.n << " k " << op.k << " transposed "
               << op.transpose_a << op.transpose_b << " bias " << op.bias << " relu " << op.relu;
    return out.str();
}

template <typename T>
struct Operands {
    std::vector<T> a, b, bias;
};

template <typename T>
Operands<T> operands(const Matmul& op, std::vector<T> (*make_data)(int64_t, unsigned)) {
    return {make_data(op.batch * op.m * op.k, 4), make_data(op.batch * op.k * op.n, 5),
            make_data(op.bias ? op.n : 0, 6)};
}

TEST(MatmulOracle, NaiveEqualsValuesByHand) {
    const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 0, -1, 2, 3, -3}, none;
    // a as 2x3, b as 3x2
    EXPECT_EQ(naive(Matmul{1, 2, 2, 3, false, false, false, false}, a, b, none), (std::vector<double>{8, -5, 17, -8}));
    // a stored 3x2: rows of A are (1,3,5) and (2,4,6)
    EXPECT_EQ(naive(Matmul{1, 2, 2, 3, true, false, false, false}, a, b, none), (std::vector<double>{13, -9, 16, -10}));
    // b stored 2x3: columns of B are (1,0,-1) and (2,3,-3)
    EXPECT_EQ(naive(Matmul{1, 2, 2, 3, false, true, false, false}, a, b, none), (std::vector<double>{-2, -1, -2, 5}));
    EXPECT_EQ(naive(Matmul{1, 2, 2, 3, false, true, true, true}, a, b, std::vector<float>{3, -1}),
              (std::vector<double>{1, 0, 1, 4}));
    // three products of scalars
    EXPECT_EQ(naive(Matmul{3, 1, 1, 1, false, false, true, false}, std::vector<double>{1, 2, 3},
                    std::vector<double>{4, 5, 6}, std::vector<double>{0.25}),
              (std::vector<double>{4.25, 10.25, 18.25}));
}

TEST(MatmulOracle, HalideEqualsNaiveOnIntegers) {
    const std::vector<Matmul> shapes = odd_shapes();
    ASSERT_EQ(shapes.size(), 40u);
    for (const Matmul& op : shapes) {
        SCOPED_TRACE(text_of(op));
        const Operands<float> data = operands(op, integers<float>);
        const std::vector<double> expected = naive(op, data.a, data.b, data.bias);
        const std::vector<float> found = halide(op, data.a, data.b, data.bias);
        EXPECT_EQ(std::vector<double>(found.begin(), found.end()), expected);
    }
}

TEST(MatmulOracle, HalideEqualsNaiveOnDoubleIntegers) {
    for (const Matmul& op : odd_shapes()) {
        SCOPED_TRACE(text_of(op));
        const Operands<double> data = operands(op, integers<double>);
        EXPECT_EQ(halide(op, data.a, data.b, data.bias), naive(op, data.a, data.b, data.bias));
    }
}

TEST(MatmulOracle, HalideRoundsOnlyOnce) {
    // Products are multiples of 2^-40 and sums stay below 2^13: exact in double, hence equal after one rounding.
    for (const Matmul& op : odd_shapes()) {
        SCOPED_TRACE(text_of(op));
        const Operands<float> data = operands(op, fractions<float>);
        const std::vector<double> exact = naive(op, data.a, data.b, data.bias);
        EXPECT_EQ(halide(op, data.a, data.b, data.bias), std::vector<float>(exact.begin(), exact.end()));
    }
}

}  // namespace
}  // namespace swgen::oracle
