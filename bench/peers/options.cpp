// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace swgen::bench {
namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 31;
constexpr int64_t kMaxElements = int64_t{1} << 40;
constexpr int64_t kMaxThreads = 1024;
constexpr const char* kConvNames = "N,IC,IH,IW,OC,KH,KW,SH,SW,PT,PB,PL,PR,DH,DW,G";
constexpr const char* kMatmulNames = "M,N,K,TA,TB";

std::string join(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

std::optional<int64_t> to_integer(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

int64_t bounded(const std::string& option, const std::string& text, int64_t low, int64_t high) {
    const std::optional<int64_t> value = to_integer(text);
    if (!value || *value < low || *value > high) {
        throw UsageError(option + ": found '" + text + "', expected an integer from " + std::to_string(low) + " to " +
                         std::to_string(high));
    }
    return *value;
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> fields(1);
    for (const char c : text) {
        if (c == ',') {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

std::vector<std::string> fields_of(const std::string& option, const std::string& text, const char* names) {
    std::vector<std::string> fields = split(text);
    const size_t expected = split(names).size();
    if (fields.size() != expected) {
        throw UsageError(option + ": found " + std::to_string(fields.size()) + " fields in '" + text + "', expected " +
                         std::to_string(expected) + ": " + names);
    }
    return fields;
}

// Refuses tensors whose element count, and hence whose flops, could leave 64 bits.
void require_countable(const std::string& option, std::initializer_list<int64_t> extents) {
    int64_t count = 1;
    for (const int64_t extent : extents) {
        if (extent > kMaxElements / count) {
            throw UsageError(option + ": a tensor has more than 2^40 elements, expected fewer");
        }
        count *= extent;
    }
}

void require_output(const char* dimension, int64_t padded, int64_t window) {
    if (window > padded) {
        throw UsageError(std::string("--conv: the dilated kernel's ") + dimension + " is " + std::to_string(window) +
                         ", expected at most the padded input's " + std::to_string(padded));
    }
}

ConvShape parse_conv(const std::string& text) {
    const std::vector<std::string> names = split(kConvNames);
    const std::vector<std::string> fields = fields_of("--conv", text, kConvNames);
    std::vector<int64_t> v;
    for (size_t i = 0; i < fields.size(); ++i) {
        const bool is_padding = names[i].front() == 'P';
        v.push_back(bounded("--conv " + names[i], fields[i], is_padding ? 0 : 1, kMaxExtent));
    }
    const ConvShape c{v[0], v[1], v[2],  v[3],  v[4],  v[5],  v[6],  v[7],
                      v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]};
    if (c.ic % c.g != 0 || c.oc % c.g != 0) {
        throw UsageError("--conv: found IC " + fields[1] + " and OC " + fields[4] + ", expected multiples of G " +
                         fields[15]);
    }
    require_output("height", c.ih + c.pt + c.pb, c.dh * (c.kh - 1) + 1);
    require_output("width", c.iw + c.pl + c.pr, c.dw * (c.kw - 1) + 1);
    require_countable("--conv", {c.n, c.ic, c.ih, c.iw});
    require_countable("--conv", {c.oc, c.ic / c.g, c.kh, c.kw});
    require_countable("--conv", {c.n, c.oc, c.oh(), c.ow()});
    return c;
}

MatmulShape parse_matmul(const std::string& text) {
    const std::vector<std::string> f = fields_of("--matmul", text, kMatmulNames);
    const MatmulShape shape{bounded("--matmul M", f[0], 1, kMaxExtent), bounded("--matmul N", f[1], 1, kMaxExtent),
                            bounded("--matmul K", f[2], 1, kMaxExtent), bounded("--matmul TA", f[3], 0, 1) == 1,
                            bounded("--matmul TB", f[4], 0, 1) == 1};
    require_countable("--matmul", {shape.m, shape.k});
    require_countable("--matmul", {shape.k, shape.n});
    require_countable("--matmul", {shape.m, shape.n});
    return shape;
}

void set_option(Options& options, const std::string& name, const std::string& value) {
    const std::string option = "--" + name;
    if (name == "conv" || name == "matmul") {
        if (!std::holds_alternative<std::monostate>(options.shape)) {
            throw UsageError(option + ": found a second shape, expected one --conv or --matmul");
        }
        if (name == "conv") {
            options.shape = parse_conv(value);
        } else {
            options.shape = parse_matmul(value);
        }
    } else if (name == "bias") {
        options.bias = bounded(option, value, 0, 1) == 1;
    } else if (name == "relu") {
        options.relu = bounded(option, value, 0, 1) == 1;
    } else if (name == "threads") {
        options.threads = static_cast<int>(bounded(option, value, 1, kMaxThreads));
    } else if (name == "layout") {
        options.layout = value;
    } else {
        options.algorithm = value;
    }
}

}  // namespace

Options parse_options(const std::vector<std::string>& args, const std::vector<std::string>& offered) {
    Options options;
    for (size_t i = 0; i < args.size(); i += 2) {
        const std::string name = args[i].starts_with("--") ? args[i].substr(2) : std::string();
        if (std::find(offered.begin(), offered.end(), name) == offered.end()) {
            throw UsageError("found '" + args[i] + "', expected one of: --" + join(offered, " --"));
        }
        if (i + 1 == args.size()) throw UsageError(args[i] + ": found no value, expected one");
        set_option(options, name, args[i + 1]);
    }
    return options;
}

void require_one_of(const std::string& option, const std::string& value, const std::vector<std::string>& legal) {
    if (std::find(legal.begin(), legal.end(), value) != legal.end()) return;
    throw UsageError(option + ": found '" + value + "', expected one of: " + join(legal, " "));
}

}  // namespace swgen::bench
