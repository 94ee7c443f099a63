// SPDX-License-Identifier: Apache-2.0
#include "onednn_work.h"

namespace swgen::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Forward = dnnl::convolution_forward;

constexpr memory::data_type kF32 = memory::data_type::f32;

memory::dims weight_dims(const ConvShape& c) {
    if (c.g == 1) return {c.oc, c.ic, c.kh, c.kw};
    return {c.g, c.oc / c.g, c.ic / c.g, c.kh, c.kw};
}

Tag activation_tag(const std::string& layout) {
    if (layout == "nchw") return Tag::nchw;
    if (layout == "nhwc") return Tag::nhwc;
    return Tag::any;
}

Forward::primitive_desc describe(const ConvShape& c, const Options& options, const dnnl::engine& engine) {
    const Tag tag = activation_tag(options.layout);
    const memory::desc x({c.n, c.ic, c.ih, c.iw}, kF32, tag);
    const memory::desc w(weight_dims(c), kF32, Tag::any);
    const memory::desc y({c.n, c.oc, c.oh(), c.ow()}, kF32, tag);
    const auto algorithm =
        options.algorithm == "auto" ? dnnl::algorithm::convolution_auto : dnnl::algorithm::convolution_direct;
    const auto kind = dnnl::prop_kind::forward_inference;
    const memory::dims stride{c.sh, c.sw};
    const memory::dims dilation{c.dh - 1, c.dw - 1};  // oneDNN counts dilation from 0
    const memory::dims before{c.pt, c.pl};
    const memory::dims after{c.pb, c.pr};
    const memory::desc bias({c.oc}, kF32, Tag::a);
    const Forward::desc op = options.bias
                                 ? Forward::desc(kind, algorithm, x, w, bias, y, stride, dilation, before, after)
                                 : Forward::desc(kind, algorithm, x, w, y, stride, dilation, before, after);
    return {op, epilogue(options), engine};
}

}  // namespace

DnnlWork make_conv(const ConvShape& c, const Options& options) {
    require_one_of("--layout", options.layout, {"any", "nchw", "nhwc", "nchw-reorder"});
    require_one_of("--algorithm", options.algorithm, {"auto", "direct"});
    DnnlWork work;
    const Forward::primitive_desc chosen = describe(c, options, work.engine);
    work.impl = chosen.impl_info_str();
    work.plain_output = memory::desc({c.n, c.oc, c.oh(), c.ow()}, kF32, Tag::nchw);

    const memory plain_x = work.filled({{c.n, c.ic, c.ih, c.iw}, kF32, Tag::nchw}, input_value);
    const memory plain_w =
        work.filled({weight_dims(c), kF32, c.g == 1 ? Tag::oihw : Tag::goihw}, weight_value);
    const memory x = work.in_layout(plain_x, chosen.src_desc());
    const memory y(chosen.dst_desc(), work.engine);
    const memory w = work.in_layout(plain_w, chosen.weights_desc());
    DnnlArgs args{{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_DST, y}};
    if (options.bias) args.emplace(DNNL_ARG_BIAS, work.filled({{c.oc}, kF32, Tag::a}, bias_value));

    const bool reorders = options.layout == "nchw-reorder";
    if (reorders && plain_x.get_desc() != x.get_desc()) work.add_reorder(plain_x, x);
    work.steps.emplace_back(Forward(chosen), args);
    work.output = y;
    if (reorders && work.plain_output != y.get_desc()) {
        work.output = memory(work.plain_output, work.engine);
        work.add_reorder(y, work.output);
    }
    return work;
}

}  // namespace swgen::bench
