// SPDX-License-Identifier: Apache-2.0
// The line protocol between a benchmark driver and a peer process; bench/README.md describes it.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace swgen::bench {

struct Checksum {
    double sum = 0;
    double abs = 0;
};

// What a peer offers after its setup.
struct Session {
    std::string ready;                 // JSON object, one line
    std::string sample_word;           // first word of the answer to `run`: "seconds" or "gflops"
    std::function<void()> warm;        // one untimed execution
    std::function<double()> sample;    // one timed execution, in the unit of sample_word
    std::function<Checksum()> check;   // empty where a peer has no output to check
};

// Prints `ready`, then answers `run R`, `check` and `quit` until quit or the end of input. A line it does not
// understand is answered by `error ...`; the session goes on. Returns the exit code, 0.
int serve(const Session& session, std::istream& in, std::ostream& out);

// Runs `body`, and turns exceptions into a message on stderr and an exit code: 2 for UsageError, 1 for others.
int guarded_main(const char* program, const std::function<int()>& body);

// One JSON object from pairs of a name and an already encoded value.
std::string json_object(const std::vector<std::pair<std::string, std::string>>& members);
std::string json_string(const std::string& text);

// Seconds of one call on the monotonic clock.
double seconds_of(const std::function<void()>& call);

// Deterministic data: element i of the plain layout. All values are multiples of 1/8, so that f32 sums of
// products are exact as long as they stay below 2^18, in any order.
float input_value(int64_t i);
float weight_value(int64_t i);
float bias_value(int64_t i);
void fill(std::span<float> data, float (*value)(int64_t));
Checksum checksum(std::span<const float> data);

}  // namespace swgen::bench
