// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

namespace swgen::oracle {
namespace {

template <typename T>
double element(std::span<const T> data, int64_t i) {
    return static_cast<double>(data[static_cast<size_t>(i)]);
}

template <typename T>
double dot_window(const Conv2d& op, std::span<const T> x, std::span<const T> w, int64_t n, int64_t o, int64_t oy,
                  int64_t ox) {
    const int64_t in_per_group = op.in_channels / op.groups;
    const int64_t group = o / (op.out_channels / op.groups);
    double sum = 0;
    for (int64_t i = 0; i < in_per_group; ++i) {
        for (int64_t p = 0; p < op.kernel[0]; ++p) {
            for (int64_t q = 0; q < op.kernel[1]; ++q) {
                const int64_t y = oy * op.stride[0] + p * op.dilation[0] - op.padding[0][0];
                const int64_t z = ox * op.stride[1] + q * op.dilation[1] - op.padding[1][0];
                if (y < 0 || y >= op.input[0] || z < 0 || z >= op.input[1]) continue;
                const int64_t channel = group * in_per_group + i;
                const int64_t xi = ((n * op.in_channels + channel) * op.input[0] + y) * op.input[1] + z;
                const int64_t wi = ((o * in_per_group + i) * op.kernel[0] + p) * op.kernel[1] + q;
                sum += element(x, xi) * element(w, wi);
            }
        }
    }
    return sum;
}

template <typename T>
std::vector<double> naive_conv(const Conv2d& op, std::span<const T> x, std::span<const T> w, std::span<const T> bias) {
    require_operands(op, {x.size(), w.size(), bias.size()});
    const std::array<int64_t, 2> out = output_extents(op);
    std::vector<double> result;
    for (int64_t n = 0; n < op.batch; ++n) {
        for (int64_t o = 0; o < op.out_channels; ++o) {
            for (int64_t oy = 0; oy < out[0]; ++oy) {
                for (int64_t ox = 0; ox < out[1]; ++ox) {
                    double value = dot_window(op, x, w, n, o, oy, ox);
                    if (op.bias) value += element(bias, o);
                    if (op.relu && value < 0) value = 0;
                    result.push_back(value);
                }
            }
        }
    }
    return result;
}

template <typename T>
std::vector<double> naive_matmul(const Matmul& op, std::span<const T> a, std::span<const T> b,
                                 std::span<const T> bias) {
    require_operands(op, {a.size(), b.size(), bias.size()});
    std::vector<double> result;
    for (int64_t s = 0; s < op.batch; ++s) {
        for (int64_t i = 0; i < op.m; ++i) {
            for (int64_t j = 0; j < op.n; ++j) {
                double value = 0;
                for (int64_t r = 0; r < op.k; ++r) {
                    const int64_t ai = s * op.m * op.k + (op.transpose_a ? r * op.m + i : i * op.k + r);
                    const int64_t bi = s * op.k * op.n + (op.transpose_b ? j * op.k + r : r * op.n + j);
                    value += element(a, ai) * element(b, bi);
                }
                if (op.bias) value += element(bias, j);
                if (op.relu && value < 0) value = 0;
                result.push_back(value);
            }
        }
    }
    return result;
}

}  // namespace

std::vector<double> naive(const Conv2d& op, std::span<const float> x, std::span<const float> w,
                          std::span<const float> bias) {
    return naive_conv(op, x, w, bias);
}

std::vector<double> naive(const Conv2d& op, std::span<const double> x, std::span<const double> w,
                          std::span<const double> bias) {
    return naive_conv(op, x, w, bias);
}

std::vector<double> naive(const Matmul& op, std::span<const float> a, std::span<const float> b,
                          std::span<const float> bias) {
    return naive_matmul(op, a, b, bias);
}

std::vector<double> naive(const Matmul& op, std::span<const double> a, std::span<const double> b,
                          std::span<const double> bias) {
    return naive_matmul(op, a, b, bias);
}

}  // namespace swgen::oracle
