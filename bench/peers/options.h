// SPDX-License-Identifier: Apache-2.0
// Command line of the peers: one shape, threads, layout. First thing every peer program calls.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace swgen::bench {

// A usage mistake: what was found and what was expected. The programs print it and exit with 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A 2-D convolution on x [n][ic][ih][iw] and w [oc][ic/g][kh][kw]. Dilation 1 is dense, as in PyTorch and ONNX.
struct ConvShape {
    int64_t n, ic, ih, iw, oc, kh, kw, sh, sw, pt, pb, pl, pr, dh, dw, g;

    int64_t oh() const { return (ih + pt + pb - dh * (kh - 1) - 1) / sh + 1; }
    int64_t ow() const { return (iw + pl + pr - dw * (kw - 1) - 1) / sw + 1; }
    // Two per multiply-add, taps that fall into the padding included.
    int64_t flops() const { return 2 * n * oc * oh() * ow() * (ic / g) * kh * kw; }
};

// C[m][n] = A B with A stored [m][k], or [k][m] if transposed; B stored [k][n], or [n][k].
struct MatmulShape {
    int64_t m, n, k;
    bool transpose_a, transpose_b;

    int64_t flops() const { return 2 * m * n * k; }
};

struct Options {
    std::variant<std::monostate, ConvShape, MatmulShape> shape;
    bool bias = false;
    bool relu = false;
    int threads = 1;
    std::string layout = "any";
    std::string algorithm = "auto";
};

// Parses `--name value` pairs. `offered` lists the option names (without dashes) this peer understands.
// Throws UsageError on an unknown option, a missing or malformed value, or a shape without any output.
Options parse_options(const std::vector<std::string>& args, const std::vector<std::string>& offered);

// Throws UsageError that lists `legal` unless `value` is one of them.
void require_one_of(const std::string& option, const std::string& value, const std::vector<std::string>& legal);

}  // namespace swgen::bench
