// SPDX-License-Identifier: Apache-2.0
// swgen-peer-peak: measures the FMA peak of this machine in f32, with the widest vectors that pay.
#include "options.h"
#include "peak_kernel.h"
#include "protocol.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace swgen::bench {
namespace {

constexpr double kSampleSeconds = 0.02;
constexpr int kTrials = 5;

struct Candidate {
    const char* name;
    int lanes;
    PeakKernel kernel;
};

std::vector<Candidate> candidates() {
    std::vector<Candidate> list;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) list.push_back({"avx512 fma", 16, peak_512});
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) list.push_back({"avx2 fma", 8, peak_256});
#endif
    if (list.empty()) list.push_back({"generic 128-bit multiply and add", 4, peak_128});
    return list;
}

class Peak {
public:
    Peak(const Candidate& candidate, int threads) : candidate_(candidate), threads_(threads) {
        while (seconds() < kSampleSeconds) steps_ *= 2;
    }

    const char* name() const { return candidate_.name; }
    int64_t flops() const { return int64_t{2} * candidate_.lanes * kPeakAccumulators * steps_ * threads_; }
    double gflops() const { return 1e-9 * static_cast<double>(flops()) / seconds(); }

    // The best of a few trials chooses between widths: interference from other processes only ever lowers a sample.
    double best_gflops() const {
        double best = 0;
        for (int trial = 0; trial < kTrials; ++trial) best = std::max(best, gflops());
        return best;
    }

private:
    // From the first thread's start to the last one's end.
    double seconds() const {
        double first = INFINITY, last = 0, sum = 0;
        int team = 0;
#pragma omp parallel num_threads(threads_) reduction(min : first) reduction(max : last) reduction(+ : sum, team)
        {
            team = 1;
#pragma omp barrier
            first = omp_get_wtime();
            sum = static_cast<double>(candidate_.kernel(steps_, scale_, offset_));
            last = omp_get_wtime();
        }
        if (team != threads_) {
            throw std::runtime_error("OpenMP gave " + std::to_string(team) + " threads, expected " +
                                     std::to_string(threads_));
        }
        if (!std::isfinite(sum)) throw std::runtime_error("the FMA loop overflowed, expected it to converge");
        return last - first;
    }

    Candidate candidate_;
    int threads_;
    int64_t steps_ = 1024;
    volatile float scale_ = 0.5f;  // volatile: the compiler must not fold the loop
    volatile float offset_ = 1.0f;
};

int run(const std::vector<std::string>& args) {
    const Options options = parse_options(args, {"threads"});
    std::unique_ptr<Peak> best;
    double best_gflops = 0;
    for (const Candidate& candidate : candidates()) {
        auto peak = std::make_unique<Peak>(candidate, options.threads);
        const double gflops = peak->best_gflops();
        if (gflops > best_gflops) {
            best = std::move(peak);
            best_gflops = gflops;
        }
    }
    Session session;
    session.ready = json_object({{"peer", json_string("peak")},
                                 {"impl", json_string(best->name())},
                                 {"threads", std::to_string(options.threads)},
                                 {"flops", std::to_string(best->flops())}});
    session.sample_word = "gflops";
    session.warm = [&best] { best->gflops(); };
    session.sample = [&best] { return best->gflops(); };
    return serve(session, std::cin, std::cout);
}

}  // namespace
}  // namespace swgen::bench

int main(int argc, char** argv) {
    const std::vector<std::string> args(argv + 1, argv + argc);
    return swgen::bench::guarded_main("swgen-peer-peak", [&args] { return swgen::bench::run(args); });
}
