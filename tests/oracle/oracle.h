// SPDX-License-Identifier: Apache-2.0
// Two independent references for operators: plain loops in double, and Halide pipelines. Tests compare emitted
// kernels with them. Tensors are contiguous, row-major, in the order given below; data is float or double.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace swgen::oracle {

// x [batch][in_channels][height][width], w [out_channels][in_channels/groups][kernel h][kernel w],
// bias [out_channels] (empty unless `bias`), result [batch][out_channels][output h][output w].
struct Conv2d {
    int64_t batch = 1, in_channels = 1, out_channels = 1, groups = 1;
    std::array<int64_t, 2> input{1, 1}, kernel{1, 1}, stride{1, 1}, dilation{1, 1};  // height, width; 1 = dense
    std::array<std::array<int64_t, 2>, 2> padding{};                                 // [[top, bottom], [left, right]]
    bool bias = false, relu = false;
};

// a [batch][m][k], or [batch][k][m] if transpose_a; b [batch][k][n], or [batch][n][k] if transpose_b;
// bias [n] (empty unless `bias`), result [batch][m][n].
struct Matmul {
    int64_t batch = 1, m = 1, n = 1, k = 1;
    bool transpose_a = false, transpose_b = false, bias = false, relu = false;
};

// Height and width of the output. Throws like the functions below.
std::array<int64_t, 2> output_extents(const Conv2d& op);

// All throw std::invalid_argument with what was found and what was expected, where the description has no output
// or an operand has another number of elements. ReLU keeps NaN.

// Nested loops; products and sums in double, so that products of floats are exact.
std::vector<double> naive(const Conv2d& op, std::span<const float> x, std::span<const float> w,
                          std::span<const float> bias);
std::vector<double> naive(const Conv2d& op, std::span<const double> x, std::span<const double> w,
                          std::span<const double> bias);
std::vector<double> naive(const Matmul& op, std::span<const float> a, std::span<const float> b,
                          std::span<const float> bias);
std::vector<double> naive(const Matmul& op, std::span<const double> a, std::span<const double> b,
                          std::span<const double> bias);

// A Halide pipeline per operator and type, compiled on first use (about a second or two) and then run for any shape in
// milliseconds. Sums in double, rounded once to the result's type. Besides the above they throw
// std::invalid_argument for more than 2^31 - 1 elements in a tensor or in an extent, and std::runtime_error for a
// failure inside Halide. Callable from several threads; calls wait for each other.
std::vector<float> halide(const Conv2d& op, std::span<const float> x, std::span<const float> w,
                          std::span<const float> bias);
std::vector<double> halide(const Conv2d& op, std::span<const double> x, std::span<const double> w,
                           std::span<const double> bias);
std::vector<float> halide(const Matmul& op, std::span<const float> a, std::span<const float> b,
                          std::span<const float> bias);
std::vector<double> halide(const Matmul& op, std::span<const double> a, std::span<const double> b,
                           std::span<const double> bias);

}  // namespace swgen::oracle
