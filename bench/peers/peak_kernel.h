// SPDX-License-Identifier: Apache-2.0
// The FMA loop of swgen-peer-peak, compiled once per vector width, each time with the flags of one ISA.
// Nothing from the standard library here: an inline function compiled for a wider ISA could be the one the linker
// keeps for the whole program.
#pragma once

namespace swgen::bench {

// FMA peak loops need latency x throughput independent accumulators: 4-5 cycles x 2 per cycle on current cores.
constexpr int kPeakAccumulators = 12;

// Runs `steps` rounds of kPeakAccumulators vector FMAs x = x * scale + offset; returns the sum of what they hold.
// With |scale| < 1 the values converge: no overflow, no denormals.
using PeakKernel = float (*)(long steps, float scale, float offset);

float peak_128(long steps, float scale, float offset);
float peak_256(long steps, float scale, float offset);
float peak_512(long steps, float scale, float offset);

// One named variable per accumulator: GCC keeps an array of vectors in memory.
template <typename Vector>
inline float peak_loop(long steps, float scale, float offset) {
    const Vector s = Vector{} + scale, o = Vector{} + offset;
    Vector a0 = o, a1 = o + 1, a2 = o + 2, a3 = o + 3, a4 = o + 4, a5 = o + 5;
    Vector a6 = o + 6, a7 = o + 7, a8 = o + 8, a9 = o + 9, a10 = o + 10, a11 = o + 11;
    for (long i = 0; i < steps; ++i) {
        a0 = a0 * s + o;
        a1 = a1 * s + o;
        a2 = a2 * s + o;
        a3 = a3 * s + o;
        a4 = a4 * s + o;
        a5 = a5 * s + o;
        a6 = a6 * s + o;
        a7 = a7 * s + o;
        a8 = a8 * s + o;
        a9 = a9 * s + o;
        a10 = a10 * s + o;
        a11 = a11 * s + o;
    }
    const Vector sum = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
    float total = 0;
    for (unsigned lane = 0; lane < sizeof(Vector) / sizeof(float); ++lane) total += sum[lane];
    return total;
}

}  // namespace swgen::bench
