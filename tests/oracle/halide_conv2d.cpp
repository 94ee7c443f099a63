// SPDX-License-Identifier: Apache-2.0
#include "checks.h"
#include "halide_buffer.h"

#include <mutex>

namespace swgen::oracle {
namespace {

using Halide::Expr;

// One axis of the window: output coordinate * stride + tap * dilation - padding.
struct Axis {
    Halide::Param<int> stride, dilation, padding;

    Expr source(const Expr& output, const Expr& tap) const { return output * stride + tap * dilation - padding; }
};

// The dimensions are in Halide's order, innermost first: x (w, h, c, n), w (kw, kh, i, o).
template <typename T>
class ConvPipeline {
public:
    ConvPipeline() {
        Halide::Var i, j, o, n;
        // Reads outside the input give zero: the padding. All four coordinates are clamped, so that bounds
        // inference needs to know nothing of the parameters.
        const Halide::Func padded = Halide::BoundaryConditions::constant_exterior(x_, Halide::cast<T>(0));
        const Halide::RDom tap(0, w_.dim(0).extent(), 0, w_.dim(1).extent(), 0, w_.dim(2).extent());
        const Expr channel = o / out_per_group_ * w_.dim(2).extent() + tap.z;
        const Expr value = padded(width_.source(i, tap.x), height_.source(j, tap.y), channel, n);
        const Expr weight = w_(tap.x, tap.y, tap.z, clamp(o, 0, w_.dim(3).extent() - 1));
        Halide::Func sum;
        sum(i, j, o, n) = Halide::cast<double>(bias_(clamp(o, 0, bias_.dim(0).extent() - 1)));
        sum(i, j, o, n) += Halide::cast<double>(value) * Halide::cast<double>(weight);
        const Expr total = sum(i, j, o, n);
        result_(i, j, o, n) = Halide::cast<T>(select(relu_ && total < 0, Halide::cast<double>(0), total));
        result_.compile_jit(Halide::get_host_target().with_feature(Halide::Target::StrictFloat));
    }

    std::vector<T> run(const Conv2d& op, std::span<const T> x, std::span<const T> w, std::span<const T> bias) {
        const std::array<int64_t, 2> out = output_extents(op);
        const std::vector<T> no_bias(static_cast<size_t>(op.out_channels), T{0});
        set_axis(height_, op, 0);
        set_axis(width_, op, 1);
        out_per_group_.set(static_cast<int>(op.out_channels / op.groups));
        relu_.set(op.relu);
        x_.set(view(x.data(), {op.input[1], op.input[0], op.in_channels, op.batch}));
        w_.set(view(w.data(), {op.kernel[1], op.kernel[0], op.in_channels / op.groups, op.out_channels}));
        bias_.set(view(op.bias ? bias.data() : no_bias.data(), {op.out_channels}));
        std::vector<T> result(static_cast<size_t>(op.batch * op.out_channels * out[0] * out[1]));
        Halide::Buffer<T> output = view<T>(result.data(), {out[1], out[0], op.out_channels, op.batch});
        result_.realize(output);
        return result;
    }

private:
    static void set_axis(Axis& axis, const Conv2d& op, size_t d) {
        axis.stride.set(static_cast<int>(op.stride[d]));
        axis.dilation.set(static_cast<int>(op.dilation[d]));
        axis.padding.set(static_cast<int>(op.padding[d][0]));
    }

    Halide::ImageParam x_{Halide::type_of<T>(), 4}, w_{Halide::type_of<T>(), 4}, bias_{Halide::type_of<T>(), 1};
    Axis height_, width_;
    Halide::Param<int> out_per_group_;
    Halide::Param<bool> relu_;
    Halide::Func result_;
};

template <typename T>
std::vector<T> halide_conv(const Conv2d& op, std::span<const T> x, std::span<const T> w, std::span<const T> bias) {
    require_operands(op, {x.size(), w.size(), bias.size()});
    require_int32(op);
    const std::lock_guard lock(halide_mutex);
    static ConvPipeline<T> pipeline;
    return pipeline.run(op, x, w, bias);
}

}  // namespace

std::vector<float> halide(const Conv2d& op, std::span<const float> x, std::span<const float> w,
                          std::span<const float> bias) {
    return halide_conv(op, x, w, bias);
}

std::vector<double> halide(const Conv2d& op, std::span<const double> x, std::span<const double> w,
                           std::span<const double> bias) {
    return halide_conv(op, x, w, bias);
}

}  // namespace swgen::oracle
