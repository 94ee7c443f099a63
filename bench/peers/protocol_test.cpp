// SPDX-License-Identifier: Apache-2.0
#include "options.h"
#include "protocol.h"

#include <gtest/gtest.h>

#include <sstream>

namespace swgen::bench {
namespace {

const std::vector<std::string> kAll = {"conv", "matmul", "bias", "relu", "threads", "layout", "algorithm"};

std::string error_of(const std::vector<std::string>& args, const std::vector<std::string>& offered = kAll) {
    try {
        parse_options(args, offered);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "no error";
}

TEST(PeerOptions, ReadsAConvolution) {
    const Options o = parse_options(
        {"--conv", "2,6,9,8,4,3,2,2,1,1,0,2,1,2,3,2", "--bias", "1", "--threads", "3"}, kAll);
    const auto& c = std::get<ConvShape>(o.shape);
    EXPECT_EQ(c.n, 2);
    EXPECT_EQ(c.dw, 3);
    EXPECT_EQ(c.g, 2);
    EXPECT_EQ(c.oh(), (9 + 1 + 0 - 2 * 2 - 1) / 2 + 1);
    EXPECT_EQ(c.ow(), 8 + 2 + 1 - 3 * 1 - 1 + 1);
    EXPECT_EQ(c.flops(), 2 * 2 * 4 * 3 * 8 * 3 * 3 * 2);
    EXPECT_TRUE(o.bias);
    EXPECT_FALSE(o.relu);
    EXPECT_EQ(o.threads, 3);
    EXPECT_EQ(o.layout, "any");
}

TEST(PeerOptions, ReadsAMatmul) {
    const Options o = parse_options({"--matmul", "3,4,5,0,1", "--layout", "plain"}, kAll);
    const auto& s = std::get<MatmulShape>(o.shape);
    EXPECT_EQ(s.flops(), 120);
    EXPECT_FALSE(s.transpose_a);
    EXPECT_TRUE(s.transpose_b);
    EXPECT_EQ(o.layout, "plain");
}

TEST(PeerOptions, NamesWhatItFoundAndWhatItExpected) {
    EXPECT_EQ(error_of({"--speed", "1"}, {"matmul", "threads"}),
              "found '--speed', expected one of: --matmul --threads");
    EXPECT_EQ(error_of({"--threads"}), "--threads: found no value, expected one");
    EXPECT_EQ(error_of({"--threads", "0"}), "--threads: found '0', expected an integer from 1 to 1024");
    EXPECT_EQ(error_of({"--bias", "yes"}), "--bias: found 'yes', expected an integer from 0 to 1");
    EXPECT_EQ(error_of({"--matmul", "1,2,3"}), "--matmul: found 3 fields in '1,2,3', expected 5: M,N,K,TA,TB");
    EXPECT_EQ(error_of({"--matmul", "1,x,3,0,0"}), "--matmul N: found 'x', expected an integer from 1 to 2147483648");
    EXPECT_EQ(error_of({"--conv", "1,4,5,5,4,3,3,1,1,0,0,0,0,1,1,3"}),
              "--conv: found IC 4 and OC 4, expected multiples of G 3");
    EXPECT_EQ(error_of({"--conv", "1,4,5,5,4,3,3,1,1,0,0,0,0,1,3,1"}),
              "--conv: the dilated kernel's width is 7, expected at most the padded input's 5");
    EXPECT_EQ(error_of({"--matmul", "2147483648,2147483648,1,0,0"}),
              "--matmul: a tensor has more than 2^40 elements, expected fewer");
    EXPECT_EQ(error_of({"--matmul", "1,1,1,0,0", "--matmul", "1,1,1,0,0"}),
              "--matmul: found a second shape, expected one --conv or --matmul");
    EXPECT_THROW(require_one_of("--layout", "chwn", {"any", "nchw"}), UsageError);
}

Session counting_session(int& warm, int& samples) {
    Session session;
    session.ready = "{}";
    session.sample_word = "seconds";
    session.warm = [&warm] { ++warm; };
    session.sample = [&samples] { return 0.5 * ++samples; };
    return session;
}

TEST(PeerProtocol, AnswersRunCheckAndQuit) {
    int warm = 0, samples = 0;
    Session session = counting_session(warm, samples);
    session.check = [] { return Checksum{-1.5, 2.25}; };
    std::istringstream in("run 3\ncheck\nrun 1\nquit\nrun 1\n");
    std::ostringstream out;
    EXPECT_EQ(serve(session, in, out), 0);
    EXPECT_EQ(out.str(), "ready {}\nseconds 0.5 1 1.5\nsum -1.5 abs 2.25\nseconds 2\n");
    EXPECT_EQ(warm, 2);
}

TEST(PeerProtocol, AnswersMistakesAndGoesOn) {
    int warm = 0, samples = 0;
    const Session session = counting_session(warm, samples);
    std::istringstream in("run 0\nrun 1 2\nstop\ncheck\nrun 1\n");
    std::ostringstream out;
    EXPECT_EQ(serve(session, in, out), 0);
    EXPECT_EQ(out.str(),
              "ready {}\n"
              "error found 'run 0', expected run R with R from 1 to 1000000\n"
              "error found 'run 1 2', expected run R with R from 1 to 1000000\n"
              "error found 'stop', expected run R, check or quit\n"
              "error found 'check', expected run R or quit: this peer has no output to check\n"
              "seconds 0.5\n");
}

TEST(PeerProtocol, EncodesJson) {
    EXPECT_EQ(json_object({{"impl", json_string("a\"b\\c\n")}, {"flops", "12"}}),
              "{\"impl\":\"a\\\"b\\\\c\\u000a\",\"flops\":12}");
}

TEST(PeerData, FollowsTheDocumentedFormulas) {
    EXPECT_EQ(input_value(0), -1.0f);
    EXPECT_EQ(input_value(1), (7919 % 17 - 8) / 8.0f);
    EXPECT_EQ(weight_value(0), -0.75f);
    EXPECT_EQ(weight_value(5), (5 * 104729 % 13 - 6) / 8.0f);
    EXPECT_EQ(bias_value(2), (62 % 7 - 3) / 4.0f);
    EXPECT_EQ(input_value(int64_t{1} << 33), static_cast<float>(((int64_t{1} << 33) * 7919) % 17 - 8) / 8.0f);
    const std::vector<float> data = {1.5f, -2.0f, 0.25f};
    EXPECT_EQ(checksum(data).sum, -0.25);
    EXPECT_EQ(checksum(data).abs, 3.75);
}

}  // namespace
}  // namespace swgen::bench
