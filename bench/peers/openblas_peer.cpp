// SPDX-License-Identifier: Apache-2.0
// swgen-peer-openblas: times cblas_sgemm on one shape.
#include "options.h"
#include "protocol.h"

#include <cblas.h>

#include <iostream>
#include <limits>

namespace swgen::bench {
namespace {

struct Gemm {
    MatmulShape shape;
    std::vector<float> a, b, c;

    explicit Gemm(const MatmulShape& s)
        : shape(s),
          a(static_cast<size_t>(s.m * s.k)),
          b(static_cast<size_t>(s.k * s.n)),
          c(static_cast<size_t>(s.m * s.n)) {
        fill(a, input_value);
        fill(b, weight_value);
    }

    void execute() {
        const auto m = static_cast<blasint>(shape.m), n = static_cast<blasint>(shape.n);
        const auto k = static_cast<blasint>(shape.k);
        cblas_sgemm(CblasRowMajor, shape.transpose_a ? CblasTrans : CblasNoTrans,
                    shape.transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1.0f, a.data(), shape.transpose_a ? m : k,
                    b.data(), shape.transpose_b ? k : n, 0.0f, c.data(), n);
    }

    Checksum check() {
        std::fill(c.begin(), c.end(), std::numeric_limits<float>::quiet_NaN());
        execute();
        return checksum(c);
    }
};

void require_blasint(const char* name, int64_t extent) {
    constexpr int64_t kLargest = std::numeric_limits<blasint>::max();
    if (extent > kLargest) {
        throw UsageError(std::string("--matmul ") + name + ": found " + std::to_string(extent) + ", expected at most " +
                         std::to_string(kLargest));
    }
}

void set_threads(int threads) {
    openblas_set_num_threads(threads);
    if (openblas_get_num_threads() != threads) {
        throw UsageError("--threads: found " + std::to_string(threads) + ", expected at most " +
                         std::to_string(openblas_get_num_threads()) + ", the limit of this OpenBLAS");
    }
}

std::string ready(const MatmulShape& shape, int threads) {
    constexpr const char* kThreading[] = {"sequential", "pthread", "openmp"};
    const int threading = openblas_get_parallel();
    const bool known = threading >= 0 && threading <= 2;
    const bool exact = 0.75 * static_cast<double>(shape.k) < 262144.0;
    return json_object({{"peer", json_string("openblas")},
                        {"version", json_string(openblas_get_config())},
                        {"impl", json_string(openblas_get_corename())},
                        {"threading", json_string(known ? kThreading[threading] : "unknown")},
                        {"threads", std::to_string(threads)},
                        {"flops", std::to_string(shape.flops())},
                        {"outputs", std::to_string(shape.m * shape.n)},
                        {"exact", exact ? "true" : "false"}});
}

int run(const std::vector<std::string>& args) {
    const Options options = parse_options(args, {"matmul", "threads"});
    const auto* shape = std::get_if<MatmulShape>(&options.shape);
    if (!shape) throw UsageError("found no shape, expected --matmul");
    require_blasint("M", shape->m);
    require_blasint("N", shape->n);
    require_blasint("K", shape->k);
    set_threads(options.threads);
    Gemm gemm(*shape);
    Session session;
    session.ready = ready(*shape, options.threads);
    session.sample_word = "seconds";
    session.warm = [&gemm] { gemm.execute(); };
    session.sample = [&gemm] { return seconds_of([&gemm] { gemm.execute(); }); };
    session.check = [&gemm] { return gemm.check(); };
    return serve(session, std::cin, std::cout);
}

}  // namespace
}  // namespace swgen::bench

int main(int argc, char** argv) {
    const std::vector<std::string> args(argv + 1, argv + argc);
    return swgen::bench::guarded_main("swgen-peer-openblas", [&args] { return swgen::bench::run(args); });
}
