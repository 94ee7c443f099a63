// SPDX-License-Identifier: Apache-2.0
// Runs each peer as a process and compares its checksums with plain loops.
#include "options.h"
#include "protocol.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace swgen::bench {
namespace {

struct Conversation {
    std::vector<std::string> lines;
    int exit_code = -1;
};

std::string program(const std::string& peer) { return std::string(SWGEN_PEER_FOLDER) + "/swgen-peer-" + peer; }

// A macro because GTEST_SKIP returns from the test it stands in.
#define SKIP_UNLESS_BUILT(peer)                      \
    if (!std::filesystem::exists(program(peer)))     \
    GTEST_SKIP() << "swgen-peer-" << peer << " is not built: its library was not found"

Conversation talk(const std::string& peer, const std::string& args, const std::string& input) {
    const std::string command = "printf '" + input + "' | '" + program(peer) + "' " + args + " 2>&1";
    Conversation result;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return result;
    std::string text;
    char buffer[4096];
    while (const size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, count);
    result.exit_code = WEXITSTATUS(pclose(pipe));
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) result.lines.push_back(line);
    return result;
}

Checksum parse_sums(const std::string& line) {
    std::istringstream words(line);
    std::string sum, abs;
    Checksum sums{NAN, NAN};
    words >> sum >> sums.sum >> abs >> sums.abs;
    EXPECT_EQ(sum + " " + abs, "sum abs") << line;
    return sums;
}

Checksum expected_conv(const ConvShape& c, bool bias, bool relu) {
    Checksum sums;
    const int64_t icg = c.ic / c.g, ocg = c.oc / c.g;
    for (int64_t n = 0; n < c.n; ++n)
        for (int64_t o = 0; o < c.oc; ++o)
            for (int64_t y = 0; y < c.oh(); ++y)
                for (int64_t x = 0; x < c.ow(); ++x) {
                    double value = bias ? bias_value(o) : 0;
                    for (int64_t i = 0; i < icg; ++i)
                        for (int64_t p = 0; p < c.kh; ++p)
                            for (int64_t q = 0; q < c.kw; ++q) {
                                const int64_t row = y * c.sh + p * c.dh - c.pt, column = x * c.sw + q * c.dw - c.pl;
                                if (row < 0 || row >= c.ih || column < 0 || column >= c.iw) continue;
                                const int64_t channel = o / ocg * icg + i;
                                value += double(input_value(((n * c.ic + channel) * c.ih + row) * c.iw + column)) *
                                         weight_value(((o * icg + i) * c.kh + p) * c.kw + q);
                            }
                    if (relu && value < 0) value = 0;
                    sums.sum += value;
                    sums.abs += std::fabs(value);
                }
    return sums;
}

Checksum expected_matmul(const MatmulShape& s, bool bias, bool relu) {
    Checksum sums;
    for (int64_t i = 0; i < s.m; ++i)
        for (int64_t j = 0; j < s.n; ++j) {
            double value = bias ? bias_value(j) : 0;
            for (int64_t k = 0; k < s.k; ++k)
                value += double(input_value(s.transpose_a ? k * s.m + i : i * s.k + k)) *
                         weight_value(s.transpose_b ? j * s.k + k : k * s.n + j);
            if (relu && value < 0) value = 0;
            sums.sum += value;
            sums.abs += std::fabs(value);
        }
    return sums;
}

// The peer answers two timed executions and, before and after them, the expected sums.
void expect_sums(const std::string& peer, const std::string& args, int64_t flops, const Checksum& expected) {
    SCOPED_TRACE(peer + " " + args);
    const Conversation heard = talk(peer, args, "check\\nrun 2\\ncheck\\nquit\\n");
    ASSERT_EQ(heard.exit_code, 0);
    ASSERT_EQ(heard.lines.size(), 4u) << (heard.lines.empty() ? "" : heard.lines[0]);
    EXPECT_EQ(heard.lines[0].rfind("ready {\"peer\":\"" + peer + "\"", 0), 0u) << heard.lines[0];
    EXPECT_NE(heard.lines[0].find("\"flops\":" + std::to_string(flops) + ","), std::string::npos) << heard.lines[0];
    std::istringstream seconds(heard.lines[2]);
    std::string word, rest;
    double first = 0, second = 0;
    seconds >> word >> first >> second;
    EXPECT_EQ(word, "seconds");
    EXPECT_GT(first, 0);
    EXPECT_GT(second, 0);
    EXPECT_FALSE(seconds >> rest);
    const bool exact = heard.lines[0].find("\"exact\":true") != std::string::npos;
    for (const std::string& line : {heard.lines[1], heard.lines[3]}) {
        const Checksum sums = parse_sums(line);
        if (exact) {
            EXPECT_EQ(sums.sum, expected.sum);
            EXPECT_EQ(sums.abs, expected.abs);
        } else {
            EXPECT_NEAR(sums.sum, expected.sum, 1e-5 * expected.abs);
            EXPECT_NEAR(sums.abs, expected.abs, 1e-5 * expected.abs);
        }
    }
}

TEST(OneDnnPeer, ConvolutionSumsEqualPlainLoops) {
    SKIP_UNLESS_BUILT("onednn");
    const std::string shapes[] = {
        "1,16,14,14,16,3,3,1,1,1,1,1,1,1,1,1",
        "2,3,9,11,5,3,2,2,1,1,0,2,1,2,3,1",
        "1,8,7,7,12,3,3,1,2,1,1,1,1,1,1,4",
        "3,6,8,8,6,5,3,3,1,2,2,0,1,1,1,6",
        "1,5,2,3,7,4,4,1,1,1,2,2,1,1,1,1",
    };
    for (const std::string& shape : shapes)
        for (const char* layout : {"any", "nchw", "nhwc", "nchw-reorder"})
            for (const char* epilogue : {"--bias 0 --relu 0", "--bias 1 --relu 1"}) {
                const auto conv = std::get<ConvShape>(parse_options({"--conv", shape}, {"conv"}).shape);
                const bool both = epilogue[7] == '1';
                const std::string args = "--conv " + shape + " --layout " + layout + " --threads 2 " + epilogue;
                expect_sums("onednn", args, conv.flops(), expected_conv(conv, both, both));
            }
}

TEST(OneDnnPeer, DirectAlgorithmIsExact) {
    SKIP_UNLESS_BUILT("onednn");
    const std::string shape = "1,32,28,28,32,3,3,1,1,1,1,1,1,1,1,1";
    const Conversation heard = talk("onednn", "--algorithm direct --conv " + shape, "check\\n");
    ASSERT_EQ(heard.lines.size(), 2u);
    EXPECT_NE(heard.lines[0].find("\"exact\":true"), std::string::npos) << heard.lines[0];
    const auto conv = std::get<ConvShape>(parse_options({"--conv", shape}, {"conv"}).shape);
    EXPECT_EQ(parse_sums(heard.lines[1]).sum, expected_conv(conv, false, false).sum);
}

TEST(OneDnnPeer, MatmulSumsEqualPlainLoops) {
    SKIP_UNLESS_BUILT("onednn");
    for (const std::string shape : {"33,17,65,0,0", "7,48,31,1,0", "19,5,64,0,1", "64,100,9,1,1", "1,130,77,0,0"}) {
        const auto matmul = std::get<MatmulShape>(parse_options({"--matmul", shape}, {"matmul"}).shape);
        for (const char* layout : {"any", "plain", "unpacked"}) {
            expect_sums("onednn", "--matmul " + shape + " --layout " + layout, matmul.flops(),
                        expected_matmul(matmul, false, false));
            expect_sums("onednn", "--matmul " + shape + " --bias 1 --relu 1 --threads 2 --layout " + layout,
                        matmul.flops(), expected_matmul(matmul, true, true));
        }
    }
}

TEST(OpenBlasPeer, SumsEqualPlainLoops) {
    SKIP_UNLESS_BUILT("openblas");
    for (const char* shape : {"33,17,65,0,0", "7,48,31,1,0", "19,5,64,0,1", "64,100,9,1,1", "1,130,77,0,0"}) {
        const auto matmul = std::get<MatmulShape>(parse_options({"--matmul", shape}, {"matmul"}).shape);
        expect_sums("openblas", std::string("--threads 2 --matmul ") + shape, matmul.flops(),
                    expected_matmul(matmul, false, false));
    }
}

TEST(PeakPeer, AnswersGflops) {
    SKIP_UNLESS_BUILT("peak");
    const Conversation heard = talk("peak", "--threads 1", "run 2\\ncheck\\nquit\\n");
    ASSERT_EQ(heard.exit_code, 0);
    ASSERT_EQ(heard.lines.size(), 3u);
    std::istringstream words(heard.lines[1]);
    std::string word;
    double first = 0, second = 0;
    words >> word >> first >> second;
    EXPECT_EQ(word, "gflops");
    // One core: at least a 128-bit multiply or add per cycle on half of 1 GHz, at most two 512-bit FMAs at 8 GHz.
    EXPECT_GT(first, 1);
    EXPECT_LT(first, 512);
    EXPECT_GT(second, 1);
    EXPECT_EQ(heard.lines[2], "error found 'check', expected run R or quit: this peer has no output to check");
}

TEST(Peers, RefuseWhatTheyDoNotOffer) {
    SKIP_UNLESS_BUILT("openblas");
    const Conversation heard = talk("openblas", "--matmul 1,1,1,0,0 --relu 1", "quit\\n");
    EXPECT_EQ(heard.exit_code, 2);
    ASSERT_EQ(heard.lines.size(), 1u);
    EXPECT_EQ(heard.lines[0], "swgen-peer-openblas: error: found '--relu', expected one of: --matmul --threads");
}

}  // namespace
}  // namespace swgen::bench
