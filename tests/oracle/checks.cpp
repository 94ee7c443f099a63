// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>

namespace swgen::oracle {
namespace {

[[noreturn]] void refuse(const std::string& what, int64_t found, const std::string& expected) {
    throw std::invalid_argument("oracle: " + what + ": found " + std::to_string(found) + ", expected " + expected);
}

void require_at_least(const std::string& what, int64_t found, int64_t low) {
    if (found < low) refuse(what, found, "at least " + std::to_string(low));
}

void require_count(const std::string& what, size_t found, int64_t expected) {
    if (found != static_cast<size_t>(expected)) {
        refuse("elements of " + what, static_cast<int64_t>(found), std::to_string(expected));
    }
}

void require_product_int32(const std::string& what, std::initializer_list<int64_t> extents) {
    constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();
    int64_t product = 1;
    for (const int64_t extent : extents) {
        if (extent > kLargest / product) {
            throw std::invalid_argument("oracle: " + what + ": found more than 2^31 - 1, expected at most that");
        }
        product *= extent;
    }
}

void require_conv(const Conv2d& op) {
    require_at_least("batch", op.batch, 1);
    require_at_least("groups", op.groups, 1);
    require_at_least("in_channels", op.in_channels, 1);
    require_at_least("out_channels", op.out_channels, 1);
    if (op.in_channels % op.groups != 0) {
        refuse("in_channels", op.in_channels, "a multiple of groups " + std::to_string(op.groups));
    }
    if (op.out_channels % op.groups != 0) {
        refuse("out_channels", op.out_channels, "a multiple of groups " + std::to_string(op.groups));
    }
    for (size_t d = 0; d < 2; ++d) {
        const std::string axis = d == 0 ? " height" : " width";
        require_at_least("input" + axis, op.input[d], 1);
        require_at_least("kernel" + axis, op.kernel[d], 1);
        require_at_least("stride" + axis, op.stride[d], 1);
        require_at_least("dilation" + axis, op.dilation[d], 1);
        require_at_least(d == 0 ? "padding top" : "padding left", op.padding[d][0], 0);
        require_at_least(d == 0 ? "padding bottom" : "padding right", op.padding[d][1], 0);
        const int64_t padded = op.input[d] + op.padding[d][0] + op.padding[d][1];
        const int64_t window = op.dilation[d] * (op.kernel[d] - 1) + 1;
        if (window > padded) {
            refuse("dilated kernel" + axis, window, "at most the padded input's " + std::to_string(padded));
        }
    }
}

void require_matmul(const Matmul& op) {
    require_at_least("batch", op.batch, 1);
    require_at_least("m", op.m, 1);
    require_at_least("n", op.n, 1);
    require_at_least("k", op.k, 1);
}

}  // namespace

std::array<int64_t, 2> output_extents(const Conv2d& op) {
    require_conv(op);
    std::array<int64_t, 2> extents;
    for (size_t d = 0; d < 2; ++d) {
        const int64_t padded = op.input[d] + op.padding[d][0] + op.padding[d][1];
        extents[d] = (padded - op.dilation[d] * (op.kernel[d] - 1) - 1) / op.stride[d] + 1;
    }
    return extents;
}

void require_operands(const Conv2d& op, const OperandSizes& found) {
    require_conv(op);
    require_count("x", found.first, op.batch * op.in_channels * op.input[0] * op.input[1]);
    require_count("w", found.second, op.out_channels * (op.in_channels / op.groups) * op.kernel[0] * op.kernel[1]);
    require_count("bias", found.bias, op.bias ? op.out_channels : 0);
}

void require_operands(const Matmul& op, const OperandSizes& found) {
    require_matmul(op);
    require_count("a", found.first, op.batch * op.m * op.k);
    require_count("b", found.second, op.batch * op.k * op.n);
    require_count("bias", found.bias, op.bias ? op.n : 0);
}

void require_int32(const Conv2d& op) {
    const std::array<int64_t, 2> out = output_extents(op);
    require_product_int32("x", {op.batch, op.in_channels, op.input[0], op.input[1]});
    require_product_int32("w", {op.out_channels, op.in_channels / op.groups, op.kernel[0], op.kernel[1]});
    require_product_int32("result", {op.batch, op.out_channels, out[0], out[1]});
    for (size_t d = 0; d < 2; ++d) {
        require_product_int32("padded input", {op.input[d] + op.padding[d][0] + op.padding[d][1]});
        require_product_int32("stride", {op.stride[d]});
        require_product_int32("dilation", {op.dilation[d]});
    }
}

void require_int32(const Matmul& op) {
    require_product_int32("a", {op.batch, op.m, op.k});
    require_product_int32("b", {op.batch, op.k, op.n});
    require_product_int32("result", {op.batch, op.m, op.n});
}

}  // namespace swgen::oracle
