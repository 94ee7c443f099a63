// SPDX-License-Identifier: Apache-2.0
// swgen-peer-onednn: times one oneDNN primitive on one shape.
#include "onednn_work.h"

#include <iostream>

// libdnnl runs on GNU OpenMP; the header of the compiler's own OpenMP may belong to another runtime.
extern "C" void omp_set_num_threads(int threads);

namespace swgen::bench {
namespace {

// f32 sums of the deterministic data are exact below 2^18; products are at most 3/4, the bias 3/4. Winograd's
// transforms leave that grid.
bool is_exact(const std::string& impl, int64_t products) {
    return impl.find("wino") == std::string::npos && 0.75 * static_cast<double>(products) + 0.75 < 262144.0;
}

std::string version() {
    const dnnl::version_t* v = dnnl::version();
    return std::to_string(v->major) + '.' + std::to_string(v->minor) + '.' + std::to_string(v->patch);
}

int run(const std::vector<std::string>& args) {
    const Options options =
        parse_options(args, {"conv", "matmul", "bias", "relu", "threads", "layout", "algorithm"});
    omp_set_num_threads(options.threads);  // before the primitive is made: it plans for this number
    DnnlWork work;
    int64_t flops = 0, products = 0, outputs = 0;
    if (const auto* conv = std::get_if<ConvShape>(&options.shape)) {
        work = make_conv(*conv, options);
        flops = conv->flops();
        products = conv->ic / conv->g * conv->kh * conv->kw;
        outputs = conv->n * conv->oc * conv->oh() * conv->ow();
    } else if (const auto* matmul = std::get_if<MatmulShape>(&options.shape)) {
        work = make_matmul(*matmul, options);
        flops = matmul->flops();
        products = matmul->k;
        outputs = matmul->m * matmul->n;
    } else {
        throw UsageError("found no shape, expected --conv or --matmul");
    }
    Session session;
    session.ready = json_object({{"peer", json_string("onednn")},
                                 {"version", json_string(version())},
                                 {"impl", json_string(work.impl)},
                                 {"layout", json_string(options.layout)},
                                 {"threads", std::to_string(options.threads)},
                                 {"flops", std::to_string(flops)},
                                 {"outputs", std::to_string(outputs)},
                                 {"exact", is_exact(work.impl, products) ? "true" : "false"}});
    session.sample_word = "seconds";
    session.warm = [&work] { work.execute(); };
    session.sample = [&work] { return seconds_of([&work] { work.execute(); }); };
    session.check = [&work] { return work.check(); };
    return serve(session, std::cin, std::cout);
}

}  // namespace
}  // namespace swgen::bench

int main(int argc, char** argv) {
    const std::vector<std::string> args(argv + 1, argv + argc);
    return swgen::bench::guarded_main("swgen-peer-onednn", [&args] { return swgen::bench::run(args); });
}
