// SPDX-License-Identifier: Apache-2.0
#include "onednn_work.h"

namespace swgen::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

constexpr memory::data_type kF32 = memory::data_type::f32;

}  // namespace

DnnlWork make_matmul(const MatmulShape& s, const Options& options) {
    require_one_of("--layout", options.layout, {"any", "plain", "unpacked"});
    require_one_of("--algorithm", options.algorithm, {"auto"});
    const memory::desc plain_a({s.m, s.k}, kF32, s.transpose_a ? Tag::ba : Tag::ab);
    const memory::desc plain_b({s.k, s.n}, kF32, s.transpose_b ? Tag::ba : Tag::ab);
    const memory::desc plain_c({s.m, s.n}, kF32, Tag::ab);
    const memory::desc bias({1, s.n}, kF32, Tag::ab);
    const bool own = options.layout == "any";
    const memory::desc a = own ? memory::desc({s.m, s.k}, kF32, Tag::any) : plain_a;
    const memory::desc b = options.layout != "unpacked" ? memory::desc({s.k, s.n}, kF32, Tag::any) : plain_b;
    const memory::desc c = own ? memory::desc({s.m, s.n}, kF32, Tag::any) : plain_c;

    DnnlWork work;
    const dnnl::matmul::desc op = options.bias ? dnnl::matmul::desc(a, b, bias, c) : dnnl::matmul::desc(a, b, c);
    const dnnl::matmul::primitive_desc chosen(op, epilogue(options), work.engine);
    work.impl = chosen.impl_info_str();
    work.plain_output = plain_c;
    work.output = memory(chosen.dst_desc(), work.engine);
    DnnlArgs args{{DNNL_ARG_SRC, work.in_layout(work.filled(plain_a, input_value), chosen.src_desc())},
                  {DNNL_ARG_WEIGHTS, work.in_layout(work.filled(plain_b, weight_value), chosen.weights_desc())},
                  {DNNL_ARG_DST, work.output}};
    if (options.bias) args.emplace(DNNL_ARG_BIAS, work.filled(bias, bias_value));
    work.steps.emplace_back(dnnl::matmul(chosen), args);
    return work;
}

}  // namespace swgen::bench
