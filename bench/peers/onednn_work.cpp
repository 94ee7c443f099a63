// SPDX-License-Identifier: Apache-2.0
#include "onednn_work.h"

#include <cstring>

namespace swgen::bench {
namespace {

std::span<float> floats(const dnnl::memory& memory) {
    return {static_cast<float*>(memory.get_data_handle()), memory.get_desc().get_size() / sizeof(float)};
}

}  // namespace

dnnl::memory DnnlWork::filled(const dnnl::memory::desc& plain, float (*value)(int64_t)) {
    dnnl::memory memory(plain, engine);
    fill(floats(memory), value);
    return memory;
}

dnnl::memory DnnlWork::in_layout(dnnl::memory source, const dnnl::memory::desc& wanted) {
    if (source.get_desc() == wanted) return source;
    dnnl::memory target(wanted, engine);
    dnnl::reorder(source, target).execute(stream, source, target);
    stream.wait();
    return target;
}

void DnnlWork::add_reorder(const dnnl::memory& from, const dnnl::memory& to) {
    steps.emplace_back(dnnl::reorder(from, to), DnnlArgs{{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
}

void DnnlWork::execute() {
    for (const auto& [primitive, args] : steps) primitive.execute(stream, args);
    stream.wait();
}

Checksum DnnlWork::check() {
    std::memset(output.get_data_handle(), 0xff, output.get_desc().get_size());  // all ones is a NaN
    execute();
    return checksum(floats(in_layout(output, plain_output)));
}

dnnl::primitive_attr epilogue(const Options& options) {
    dnnl::primitive_attr attributes;
    if (options.relu) {
        dnnl::post_ops relu;
        relu.append_eltwise(1.0f, dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
        attributes.set_post_ops(relu);
    }
    return attributes;
}

}  // namespace swgen::bench
