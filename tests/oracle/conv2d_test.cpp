// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace swgen::oracle {
namespace {

Conv2d make(std::array<int64_t, 4> batch_in_out_groups, std::array<int64_t, 2> input, std::array<int64_t, 2> kernel,
            std::array<int64_t, 2> stride, std::array<int64_t, 4> top_bottom_left_right,
            std::array<int64_t, 2> dilation, bool bias, bool relu) {
    const auto [n, ic, oc, g] = batch_in_out_groups;
    const auto [top, bottom, left, right] = top_bottom_left_right;
    return {n, ic, oc, g, input, kernel, stride, dilation, {{{top, bottom}, {left, right}}}, bias, relu};
}

std::vector<Conv2d> odd_shapes() {
    return {
        // pointwise, and one element
        make({1, 1, 1, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, false),
        make({1, 3, 5, 1}, {7, 9}, {1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, true, false),
        make({7, 13, 1, 1}, {3, 2}, {1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, true),
        make({2, 17, 19, 1}, {5, 5}, {1, 1}, {2, 2}, {0, 0, 0, 0}, {1, 1}, true, true),
        make({1, 4, 6, 1}, {4, 4}, {1, 1}, {1, 1}, {1, 2, 3, 0}, {1, 1}, true, false),
        // square kernels, odd channels
        make({1, 1, 1, 1}, {3, 3}, {3, 3}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, false),
        make({1, 3, 7, 1}, {8, 8}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, true, true),
        make({2, 5, 3, 1}, {11, 7}, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}, false, true),
        make({7, 2, 3, 1}, {6, 6}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, true, false),
        make({1, 3, 4, 1}, {15, 15}, {7, 7}, {2, 2}, {3, 3, 3, 3}, {1, 1}, true, true),
        make({1, 9, 11, 1}, {5, 5}, {5, 5}, {1, 1}, {2, 2, 2, 2}, {1, 1}, false, false),
        make({3, 1, 2, 1}, {9, 9}, {2, 2}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, false),
        // rows and columns
        make({1, 3, 3, 1}, {1, 17}, {1, 3}, {1, 1}, {0, 0, 1, 1}, {1, 1}, true, false),
        make({1, 3, 3, 1}, {17, 1}, {3, 1}, {1, 1}, {1, 1, 0, 0}, {1, 1}, true, false),
        make({2, 2, 5, 1}, {6, 13}, {1, 7}, {1, 2}, {0, 0, 3, 3}, {1, 1}, false, false),
        make({2, 5, 2, 1}, {13, 6}, {7, 2}, {2, 1}, {3, 3, 0, 1}, {1, 1}, false, true),
        // groups and depthwise
        make({1, 4, 4, 2}, {5, 6}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, true, false),
        make({2, 6, 9, 3}, {7, 5}, {3, 2}, {1, 1}, {1, 1, 0, 1}, {1, 1}, false, true),
        make({1, 10, 5, 5}, {4, 4}, {2, 2}, {2, 2}, {0, 0, 0, 0}, {1, 1}, true, true),
        make({1, 7, 7, 7}, {9, 9}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, true, true),
        make({7, 3, 3, 3}, {5, 5}, {5, 5}, {1, 1}, {2, 2, 2, 2}, {1, 1}, false, false),
        make({1, 5, 10, 5}, {6, 6}, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}, true, false),
        make({1, 6, 6, 6}, {8, 8}, {3, 3}, {1, 1}, {2, 2, 2, 2}, {2, 2}, false, false),
        // dilation
        make({1, 2, 3, 1}, {9, 9}, {3, 3}, {1, 1}, {2, 2, 2, 2}, {2, 2}, true, false),
        make({1, 3, 2, 1}, {12, 10}, {3, 2}, {1, 1}, {0, 0, 0, 0}, {3, 5}, false, true),
        make({2, 3, 5, 1}, {11, 11}, {2, 3}, {2, 3}, {1, 0, 4, 4}, {7, 4}, true, true),
        make({1, 4, 6, 2}, {10, 10}, {3, 3}, {2, 2}, {3, 3, 3, 3}, {3, 3}, false, false),
        // padding on one side, wider than the kernel, and more than the input
        make({1, 3, 3, 1}, {6, 6}, {3, 3}, {1, 1}, {2, 0, 0, 0}, {1, 1}, false, false),
        make({1, 3, 3, 1}, {6, 6}, {3, 3}, {1, 1}, {0, 2, 0, 0}, {1, 1}, false, false),
        make({1, 3, 3, 1}, {6, 6}, {3, 3}, {2, 2}, {0, 0, 2, 0}, {1, 1}, true, false),
        make({1, 3, 3, 1}, {6, 6}, {3, 3}, {2, 2}, {0, 1, 0, 1}, {1, 1}, true, true),
        make({1, 2, 2, 1}, {3, 3}, {2, 2}, {1, 1}, {4, 5, 3, 2}, {1, 1}, true, false),
        // stride greater than the kernel, or leaving a rest
        make({1, 3, 5, 1}, {13, 17}, {2, 2}, {5, 4}, {0, 0, 0, 0}, {1, 1}, false, false),
        make({7, 3, 5, 1}, {10, 10}, {1, 1}, {3, 4}, {0, 0, 0, 0}, {1, 1}, true, false),
        make({1, 4, 4, 4}, {14, 11}, {3, 3}, {6, 5}, {1, 1, 1, 1}, {1, 1}, false, true),
        make({1, 2, 3, 1}, {5, 5}, {3, 3}, {9, 9}, {0, 0, 0, 0}, {1, 1}, true, true),
        // kernel larger than the input
        make({1, 3, 4, 1}, {2, 3}, {4, 5}, {1, 1}, {1, 1, 1, 1}, {1, 1}, true, false),
        make({2, 2, 2, 2}, {1, 1}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, false, false),
        make({1, 3, 2, 1}, {2, 2}, {7, 7}, {2, 1}, {5, 4, 3, 6}, {1, 1}, true, true),
        make({7, 2, 3, 1}, {3, 4}, {3, 3}, {1, 1}, {3, 3, 3, 3}, {4, 4}, false, true),
    };
}

std::string text_of(const Conv2d& op) {
    std::ostringstream out;
    out << "batch " << op.batch << " in " << op.in_channels << " out " << op.out_channels << " groups "
               << op.groups << " input " << op.input[0] << "x" << op.input[1] << " kernel " << op.kernel[0] << "x"
               << op.kernel[1] << " stride " << op.stride[0] << "," << op.stride[1];
    return out.str();
}

template <typename T>
struct Operands {
    std::vector<T> x, w, bias;
};

template <typename T>
Operands<T> operands(const Conv2d& op, std::vector<T> (*make_data)(int64_t, unsigned)) {
    return {make_data(op.batch * op.in_channels * op.input[0] * op.input[1], 1),
            make_data(op.out_channels * op.in_channels / op.groups * op.kernel[0] * op.kernel[1], 2),
            make_data(op.bias ? op.out_channels : 0, 3)};
}

TEST(Conv2dOracle, NaiveEqualsValuesByHand) {
    const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, 9}, w = {1, -1, 2, -2}, no_bias;
    const Conv2d valid = make({1, 1, 1, 1}, {3, 3}, {2, 2}, {1, 1}, {0, 0, 0, 0}, {1, 1}, false, false);
    EXPECT_EQ(naive(valid, x, w, no_bias), (std::vector<double>{-3, -3, -3, -3}));
    // One row of padding on top and one column on the right, stride 2: rows -1,0 and 1,2; columns 0,1 and 2,3.
    const Conv2d padded = make({1, 1, 1, 1}, {3, 3}, {2, 2}, {2, 2}, {1, 0, 0, 1}, {1, 1}, false, false);
    EXPECT_EQ(naive(padded, x, w, no_bias), (std::vector<double>{-2, 6, -3, 24}));
    const Conv2d dilated = make({1, 1, 1, 1}, {3, 3}, {2, 2}, {1, 1}, {0, 0, 0, 0}, {2, 2}, true, true);
    EXPECT_EQ(naive(dilated, x, w, std::vector<float>{7}), (std::vector<double>{1}));
    EXPECT_EQ(naive(dilated, x, w, std::vector<float>{5}), (std::vector<double>{0}));
}

TEST(Conv2dOracle, NaiveSeparatesGroupsAndBatches) {
    // Two groups of one input and one output channel, batch 2, one pixel.
    const Conv2d op = make({2, 2, 2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}, true, false);
    EXPECT_EQ(naive(op, std::vector<double>{1, 2, 3, 4}, std::vector<double>{10, 100}, std::vector<double>{0.5, -0.5}),
              (std::vector<double>{10.5, 199.5, 30.5, 399.5}));
}

TEST(Conv2dOracle, OutputExtents) {
    using Extents = std::array<int64_t, 2>;
    EXPECT_EQ(output_extents(make({1, 1, 1, 1}, {224, 112}, {7, 3}, {2, 1}, {3, 3, 1, 1}, {1, 1}, false, false)),
              (Extents{112, 112}));
    EXPECT_EQ(output_extents(make({1, 1, 1, 1}, {12, 10}, {3, 2}, {4, 3}, {0, 1, 2, 0}, {3, 5}, false, false)),
              (Extents{2, 3}));
}

TEST(Conv2dOracle, HalideEqualsNaiveOnIntegers) {
    const std::vector<Conv2d> shapes = odd_shapes();
    ASSERT_EQ(shapes.size(), 40u);
    for (const Conv2d& op : shapes) {
        SCOPED_TRACE(text_of(op));
        const Operands<float> data = operands(op, integers<float>);
        const std::vector<double> expected = naive(op, data.x, data.w, data.bias);
        const std::vector<float> found = halide(op, data.x, data.w, data.bias);
        EXPECT_EQ(std::vector<double>(found.begin(), found.end()), expected);
    }
}

TEST(Conv2dOracle, HalideEqualsNaiveOnDoubleIntegers) {
    for (const Conv2d& op : odd_shapes()) {
        SCOPED_TRACE(text_of(op));
        const Operands<double> data = operands(op, integers<double>);
        EXPECT_EQ(halide(op, data.x, data.w, data.bias), naive(op, data.x, data.w, data.bias));
    }
}

TEST(Conv2dOracle, HalideRoundsOnlyOnce) {
    // Products are multiples of 2^-40 and sums stay below 2^13: exact in double, hence equal after one rounding.
    for (const Conv2d& op : odd_shapes()) {
        SCOPED_TRACE(text_of(op));
        const Operands<float> data = operands(op, fractions<float>);
        const std::vector<double> exact = naive(op, data.x, data.w, data.bias);
        EXPECT_EQ(halide(op, data.x, data.w, data.bias), std::vector<float>(exact.begin(), exact.end()));
    }
}

}  // namespace
}  // namespace swgen::oracle
