// SPDX-License-Identifier: Apache-2.0
// Convolution in two dimensions, forward:
//   Y[n, g*Og+o, y, x] = sum over i,p,q of X[n, g*Ig+i, y*sh+p*dh-pt, x*sw+q*dw-pl] * W[g*Og+o,i,p,q]
// X: n,c,h,w. W: o,i,h,w with i counting inside a group. Y: n,c,h,w. Outside X reads zero.
#include "compiler/base/text.h"
#include "compiler/ops/operators.h"

namespace swgen::ops {
namespace {

using base::cat;
using frontend::Workload;

struct Shape {
  int64_t batch, groups, in, out;  // channels per group
  int64_t input[2], output[2], kernel[2], stride[2], dilation[2], pad[2];

  explicit Shape(const Workload& w) {
    batch = w.value("batch");
    groups = w.value("groups");
    in = w.value("in_channels") / groups;
    out = w.value("out_channels") / groups;
    for (int d = 0; d < 2; ++d) {
      input[d] = w.value("input", d);
      kernel[d] = w.value("kernel", d);
      stride[d] = w.value("stride", d);
      dilation[d] = w.value("dilation", d);
      pad[d] = w.value("padding", 2 * d);
      const int64_t room = input[d] + pad[d] + w.value("padding", 2 * d + 1);
      const int64_t reach = (kernel[d] - 1) * dilation[d] + 1;
      output[d] = room < reach ? 0 : (room - reach) / stride[d] + 1;
    }
  }
};

void check(const Workload& w, base::Diagnostics& errors) {
  const int64_t groups = w.value("groups");
  for (const char* key : {"in_channels", "out_channels"})
    if (w.value(key) % groups != 0)
      errors.error(w.where(key), cat("found ", key, " ", w.value(key),
                                     ", expected a multiple of groups ", groups));
  const Shape s(w);
  const char* axis[2] = {"height", "width"};
  for (int d = 0; d < 2; ++d)
    if (s.output[d] < 1)
      errors.error(w.where("kernel"),
                   cat("found a kernel that reaches over ", (s.kernel[d] - 1) * s.dilation[d] + 1,
                       " rows or columns, expected at most the padded input ", axis[d], " ",
                       s.input[d] + w.value("padding", 2 * d) + w.value("padding", 2 * d + 1)));
  // Addresses are computed in 64 bits; a tensor beyond 2^40 elements is a typing error.
  const double limit = 1099511627776.0;
  const double sizes[3] = {double(s.batch) * s.groups * s.in * s.input[0] * s.input[1],
                           double(s.groups) * s.out * s.in * s.kernel[0] * s.kernel[1],
                           double(s.batch) * s.groups * s.out * s.output[0] * s.output[1]};
  for (double size : sizes)
    if (size > limit) {
      errors.error(w.at, "found a tensor of more than 2^40 elements, expected a smaller shape");
      break;
    }
}

ir::AffineIndex at(std::vector<std::pair<int, int64_t>> terms, int64_t constant = 0) {
  return {constant, std::move(terms)};
}

/// Iterators of the contraction. Without groups there is no g.
enum Axis { kN, kG, kO, kY, kX, kI, kP, kQ };

int axis(const Shape& s, Axis a) { return s.groups == 1 && a > kG ? a - 1 : a; }

std::vector<ir::Iter> iterators(const Shape& s) {
  std::vector<ir::Iter> iters = {
      {"n", s.batch},     {"g", s.groups}, {"o", s.out},       {"y", s.output[0]},
      {"x", s.output[1]}, {"i", s.in},     {"p", s.kernel[0]}, {"q", s.kernel[1]}};
  if (s.groups == 1) iters.erase(iters.begin() + kG);
  return iters;
}

ir::Seed base_seed(const Workload& w, const Shape& s) {
  ir::Seed seed;
  seed.dtype = w.dtype;
  const std::vector<std::string> nchw = {"n", "c", "h", "w"}, oihw = {"o", "i", "h", "w"};
  const bool free = w.layout == frontend::Layout::any;
  const std::string layout = w.layout == frontend::Layout::nhwc ? "nhwc" : "";
  seed.tensors = {
      {"Y", ir::Role::output, nchw, {s.batch, s.groups * s.out, s.output[0], s.output[1]}, layout, free},
      {"X", ir::Role::input, nchw, {s.batch, s.groups * s.in, s.input[0], s.input[1]}, layout, free},
      {"W", ir::Role::constant, oihw, {s.groups * s.out, s.in, s.kernel[0], s.kernel[1]}, "", false}};
  if (w.bias)
    seed.tensors.push_back({"bias", ir::Role::constant, {"o"}, {s.groups * s.out}, "", false});
  return seed;
}

ir::AffineIndex only(const Shape& s, Axis a) { return at({{axis(s, a), 1}}); }

ir::AffineIndex out_channel(const Shape& s) {
  return s.groups == 1 ? only(s, kO) : at({{kG, s.out}, {kO, 1}});
}

ir::AffineIndex in_channel(const Shape& s) {
  return s.groups == 1 ? only(s, kI) : at({{kG, s.in}, {kI, 1}});
}

ir::Contraction contraction(const Workload& w, const Shape& s) {
  ir::Contraction c;
  c.iters = iterators(s);
  c.out = {0, {only(s, kN), out_channel(s), only(s, kY), only(s, kX)}};
  c.b = {2, {out_channel(s), only(s, kI), only(s, kP), only(s, kQ)}};
  if (w.bias) c.bias = ir::Access{3, {out_channel(s)}};
  c.relu = w.relu;
  return c;
}

std::vector<ir::AffineIndex> window(const Shape& s) {
  const auto slide = [&](Axis out, Axis tap, int d) {
    return at({{axis(s, out), s.stride[d]}, {axis(s, tap), s.dilation[d]}}, -s.pad[d]);
  };
  return {only(s, kN), in_channel(s), slide(kY, kP, 0), slide(kX, kQ, 1)};
}

ir::Seed direct(const Workload& w, const Shape& s) {
  ir::Seed seed = base_seed(w, s);
  seed.algorithm = "direct";
  ir::Contraction c = contraction(w, s);
  c.a = {1, window(s)};
  seed.stages.push_back({"direct", c});
  return seed;
}

/// The windows written out as the columns of a matrix, then one GEMM per image and group.
ir::Seed im2col(const Workload& w, const Shape& s) {
  ir::Seed seed = base_seed(w, s);
  seed.algorithm = "im2col";
  const int columns = static_cast<int>(seed.tensors.size());
  seed.tensors.push_back({"columns",
                          ir::Role::intermediate,
                          {"n", "c", "p", "q", "h", "w"},
                          {s.batch, s.groups * s.in, s.kernel[0], s.kernel[1], s.output[0], s.output[1]},
                          "",
                          true});
  const ir::Access matrix = {columns,
                             {only(s, kN), in_channel(s), only(s, kP), only(s, kQ), only(s, kY),
                              only(s, kX)}};
  // The gather has no output channel, but its iterators keep their places.
  ir::Gather gather;
  gather.iters = iterators(s);
  gather.iters[axis(s, kO)].extent = 1;
  gather.out = matrix;
  gather.in = {1, window(s)};
  ir::Contraction c = contraction(w, s);
  c.a = matrix;
  seed.stages.push_back({"im2col", gather});
  seed.stages.push_back({"gemm", c});
  return seed;
}

/// One tap that reads the pixel it writes.
bool is_pointwise(const Shape& s) {
  for (int d = 0; d < 2; ++d)
    if (s.kernel[d] != 1 || s.stride[d] != 1 || s.output[d] != s.input[d] || s.pad[d] != 0) return false;
  return true;
}

/// The pixels of an image as one row: tiles and lanes go on where a row ends.
ir::Seed pointwise(const Workload& w, Shape s) {
  for (int64_t* extent : {s.input, s.output}) {
    extent[1] *= extent[0];
    extent[0] = 1;
  }
  ir::Seed seed = direct(w, s);
  seed.algorithm = seed.stages[0].name = "pointwise";
  return seed;
}

std::vector<ir::Seed> make_seeds(const Workload& w) {
  const Shape s(w);
  std::vector<ir::Seed> seeds = {direct(w, s), im2col(w, s)};
  if (is_pointwise(s) && s.input[0] > 1) {
    for (ir::Seed& seed : seeds) seed.covered = true;
    seeds.push_back(pointwise(w, s));
  }
  return seeds;
}

}  // namespace

Operator conv2d() {
  using frontend::ParamKind;
  Operator op;
  op.schema.name = "conv2d";
  op.schema.help = "2-D convolution: any stride, dilation, padding per side, groups";
  op.schema.spatial_rank = 2;
  op.schema.params = {
      {"batch", ParamKind::integer, 1, 1, "images"},
      {"in_channels", ParamKind::integer, 1, {}, "channels of the input, all groups together"},
      {"out_channels", ParamKind::integer, 1, {}, "channels of the output, all groups together"},
      {"input", ParamKind::per_dimension, 1, {}, "height and width of the input"},
      {"kernel", ParamKind::per_dimension, 1, {}, "height and width of the kernel"},
      {"stride", ParamKind::per_dimension, 1, 1, "step of the window"},
      {"padding", ParamKind::padding, 0, 0, "zeros around the input"},
      {"dilation", ParamKind::per_dimension, 1, 1, "distance of taps; 1 = dense"},
      {"groups", ParamKind::integer, 1, 1, "independent groups of channels"},
  };
  op.schema.directions = {frontend::Direction::forward};
  op.schema.layouts = {frontend::Layout::nchw, frontend::Layout::nhwc, frontend::Layout::any};
  op.schema.check = check;
  op.seeds = make_seeds;
  return op;
}

}  // namespace swgen::ops
