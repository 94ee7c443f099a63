// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontend/test_operators.h"

#include <string>

namespace swgen::frontend {
namespace {

void check_conv2d(const Workload& w, base::Diagnostics& errors) {
  for (const char* channels : {"in_channels", "out_channels"})
    if (w.value(channels) % w.value("groups") != 0)
      errors.error(w.where("groups"), "found " + std::to_string(w.value("groups")) +
                                          " groups, expected a divisor of " + channels + " (" +
                                          std::to_string(w.value(channels)) + ")");
  for (int d = 0; d < 2; ++d) {
    const int64_t input =
        w.value("input", d) + w.value("padding", 2 * d) + w.value("padding", 2 * d + 1);
    const int64_t window = (w.value("kernel", d) - 1) * w.value("dilation", d) + 1;
    if (window > input)
      errors.error(w.where("kernel"), "found a window of " + std::to_string(window) +
                                          " over an input of " + std::to_string(input) +
                                          " with padding, expected a window that fits");
  }
}

void check_matmul(const Workload& w, base::Diagnostics& errors) {
  int64_t work = 2;
  for (const char* extent : {"batch", "m", "n", "k"})
    if (__builtin_mul_overflow(work, w.value(extent), &work))
      return errors.error(w.where(extent),
                          "found more operations than fit in 63 bits, expected "
                          "smaller extents");
}

ParamSpec param(std::string name, ParamKind kind, int64_t minimum,
                std::optional<int64_t> default_value) {
  return {std::move(name), kind, minimum, default_value, ""};
}

}  // namespace

std::vector<OperatorSchema> test_operators() {
  OperatorSchema conv;
  conv.name = "conv2d";
  conv.spatial_rank = 2;
  conv.params = {param("batch", ParamKind::integer, 1, 1),
                 param("in_channels", ParamKind::integer, 1, {}),
                 param("out_channels", ParamKind::integer, 1, {}),
                 param("input", ParamKind::per_dimension, 1, {}),
                 param("kernel", ParamKind::per_dimension, 1, {}),
                 param("stride", ParamKind::per_dimension, 1, 1),
                 param("padding", ParamKind::padding, 0, 0),
                 param("dilation", ParamKind::per_dimension, 1, 1),
                 param("groups", ParamKind::integer, 1, 1)};
  conv.directions = {Direction::forward, Direction::backward_data, Direction::backward_weights};
  conv.layouts = {Layout::nchw, Layout::nhwc, Layout::any};
  conv.check = check_conv2d;

  OperatorSchema matmul;
  matmul.name = "matmul";
  matmul.params = {param("batch", ParamKind::integer, 1, 1),
                   param("m", ParamKind::integer, 1, {}),
                   param("n", ParamKind::integer, 1, {}),
                   param("k", ParamKind::integer, 1, {}),
                   param("transpose_a", ParamKind::boolean, 0, 0),
                   param("transpose_b", ParamKind::boolean, 0, 0)};
  matmul.directions = {Direction::forward};
  matmul.layouts = {Layout::nchw};
  matmul.check = check_matmul;
  return {conv, matmul};
}

}  // namespace swgen::frontend
