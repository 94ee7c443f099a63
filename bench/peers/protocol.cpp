// SPDX-License-Identifier: Apache-2.0
#include "protocol.h"

#include "options.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <sstream>
#include <thread>

namespace swgen::bench {
namespace {

constexpr int64_t kMaxRuns = 1000000;

double process_cpu_seconds() {
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Workers of libgomp and of OpenBLAS spin for milliseconds after a parallel region before they sleep. An answer is
// held back until this process uses no processor, so that the peer which runs next has the machine for itself.
// Several quiet intervals in a row: a spinning worker on a busy machine may just be waiting for its turn.
void wait_until_idle() {
    constexpr std::chrono::milliseconds kInterval{2};
    constexpr double kBusySeconds = 2e-4;
    constexpr int kMaxIntervals = 500;
    constexpr int kQuietIntervals = 3;
    for (int i = 0, quiet = 0; i < kMaxIntervals && quiet < kQuietIntervals; ++i) {
        const double before = process_cpu_seconds();
        std::this_thread::sleep_for(kInterval);
        quiet = process_cpu_seconds() - before < kBusySeconds ? quiet + 1 : 0;
    }
}

// 17 digits carry a double exactly, 9 carry nanoseconds of a second.
std::string number(double value, int digits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

std::string answer_run(const Session& session, int64_t runs) {
    std::vector<double> samples(static_cast<size_t>(runs));
    session.warm();
    for (double& sample : samples) sample = session.sample();
    std::string answer = session.sample_word;
    for (const double sample : samples) answer += ' ' + number(sample, 9);
    return answer;
}

std::string answer(const Session& session, const std::string& line) {
    std::istringstream words(line);
    std::string command, rest;
    words >> command;
    if (command == "run") {
        int64_t runs = 0;
        if (words >> runs && runs >= 1 && runs <= kMaxRuns && !(words >> rest)) return answer_run(session, runs);
        return "error found '" + line + "', expected run R with R from 1 to " + std::to_string(kMaxRuns);
    }
    if (command == "check" && !(words >> rest)) {
        if (!session.check) return "error found 'check', expected run R or quit: this peer has no output to check";
        const Checksum sums = session.check();
        return "sum " + number(sums.sum, 17) + " abs " + number(sums.abs, 17);
    }
    return "error found '" + line + "', expected run R, check or quit";
}

}  // namespace

int serve(const Session& session, std::istream& in, std::ostream& out) {
    wait_until_idle();
    out << "ready " << session.ready << std::endl;
    std::string line;
    while (std::getline(in, line) && line != "quit") {
        const std::string reply = answer(session, line);
        wait_until_idle();
        out << reply << std::endl;
    }
    return 0;
}

int guarded_main(const char* program, const std::function<int()>& body) {
    try {
        return body();
    } catch (const UsageError& error) {
        std::cerr << program << ": error: " << error.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cerr << program << ": error: " << error.what() << '\n';
        return 1;
    }
}

std::string json_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
            quoted += escape;
            continue;
        }
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

std::string json_object(const std::vector<std::pair<std::string, std::string>>& members) {
    std::string object = "{";
    for (const auto& [name, value] : members) {
        if (object.size() > 1) object += ',';
        object += json_string(name);
        object += ':';
        object += value;
    }
    return object + '}';
}

double seconds_of(const std::function<void()>& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

float input_value(int64_t i) { return static_cast<float>((i * 7919) % 17 - 8) / 8.0f; }
float weight_value(int64_t i) { return static_cast<float>((i * 104729) % 13 - 6) / 8.0f; }
float bias_value(int64_t i) { return static_cast<float>((i * 31) % 7 - 3) / 4.0f; }

void fill(std::span<float> data, float (*value)(int64_t)) {
    for (size_t i = 0; i < data.size(); ++i) data[i] = value(static_cast<int64_t>(i));
}

Checksum checksum(std::span<const float> data) {
    Checksum sums;
    for (const float value : data) {
        sums.sum += value;
        sums.abs += std::fabs(static_cast<double>(value));
    }
    return sums;
}

}  // namespace swgen::bench
