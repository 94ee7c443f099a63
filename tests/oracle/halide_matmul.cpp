// SPDX-License-Identifier: Apache-2.0
#include "checks.h"
#include "halide_buffer.h"

#include <mutex>
#include <utility>

namespace swgen::oracle {
namespace {

using Halide::Expr;

// The dimensions are in Halide's order, innermost first: a (k, m, batch), b (n, k, batch). A transposed operand comes
// as a buffer whose first two dimensions are exchanged by its strides.
template <typename T>
class MatmulPipeline {
public:
    MatmulPipeline() {
        Halide::Var j, i, s;
        a_.dim(0).set_stride(Expr());
        b_.dim(0).set_stride(Expr());
        const Halide::RDom r(0, a_.dim(0).extent());
        Halide::Func sum;
        sum(j, i, s) = Halide::cast<double>(bias_(j));
        sum(j, i, s) += Halide::cast<double>(a_(r, i, s)) * Halide::cast<double>(b_(j, r, s));
        const Expr total = sum(j, i, s);
        result_(j, i, s) = Halide::cast<T>(select(relu_ && total < 0, Halide::cast<double>(0), total));
        result_.compile_jit(Halide::get_host_target().with_feature(Halide::Target::StrictFloat));
    }

    std::vector<T> run(const Matmul& op, std::span<const T> a, std::span<const T> b, std::span<const T> bias) {
        const std::vector<T> no_bias(static_cast<size_t>(op.n), T{0});
        relu_.set(op.relu);
        a_.set(operand(a.data(), {op.k, op.m, op.batch}, op.transpose_a));
        b_.set(operand(b.data(), {op.n, op.k, op.batch}, op.transpose_b));
        bias_.set(view(op.bias ? bias.data() : no_bias.data(), {op.n}));
        std::vector<T> result(static_cast<size_t>(op.batch * op.m * op.n));
        Halide::Buffer<T> output = view<T>(result.data(), {op.n, op.m, op.batch});
        result_.realize(output);
        return result;
    }

private:
    static Halide::Buffer<T> operand(const T* data, std::vector<int64_t> extents, bool transposed) {
        if (!transposed) return view(data, extents);
        std::swap(extents[0], extents[1]);
        Halide::Buffer<T> buffer = view(data, extents);
        buffer.transpose(0, 1);
        return buffer;
    }

    Halide::ImageParam a_{Halide::type_of<T>(), 3}, b_{Halide::type_of<T>(), 3}, bias_{Halide::type_of<T>(), 1};
    Halide::Param<bool> relu_;
    Halide::Func result_;
};

template <typename T>
std::vector<T> halide_matmul(const Matmul& op, std::span<const T> a, std::span<const T> b, std::span<const T> bias) {
    require_operands(op, {a.size(), b.size(), bias.size()});
    require_int32(op);
    const std::lock_guard lock(halide_mutex);
    static MatmulPipeline<T> pipeline;
    return pipeline.run(op, a, b, bias);
}

}  // namespace

std::vector<float> halide(const Matmul& op, std::span<const float> a, std::span<const float> b,
                          std::span<const float> bias) {
    return halide_matmul(op, a, b, bias);
}

std::vector<double> halide(const Matmul& op, std::span<const double> a, std::span<const double> b,
                           std::span<const double> bias) {
    return halide_matmul(op, a, b, bias);
}

}  // namespace swgen::oracle
