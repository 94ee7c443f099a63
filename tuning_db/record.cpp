// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace swgen::tuning_db {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 6> kVerdicts = {{
    {Verdict::ok, "ok"},
    {Verdict::wrong, "wrong"},
    {Verdict::timeout, "timeout"},
    {Verdict::crashed, "crashed"},
    {Verdict::build_failed, "build_failed"},
    {Verdict::infeasible, "infeasible"},
}};

bool is_time_stamp(std::string_view text) {
  constexpr std::string_view kPattern = "dddd-dd-ddTdd:dd:dd.dddZ";
  return text.size() == kPattern.size() &&
         std::equal(text.begin(), text.end(), kPattern.begin(), [](char found, char expected) {
           return expected == 'd' ? found >= '0' && found <= '9' : found == expected;
         });
}

bool is_quantity(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

std::string to_string(Verdict verdict) {
  for (const auto& [value, name] : kVerdicts) {
    if (value == verdict) return std::string(name);
  }
  return "verdict " + std::to_string(static_cast<int>(verdict));
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  for (const auto& [value, name] : kVerdicts) {
    if (name == text) return value;
  }
  return std::nullopt;
}

bool is_key(std::string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::vector<std::string> problems_of(const Record& record) {
  std::vector<std::string> problems;
  const auto require = [&problems](bool condition, std::string problem) {
    if (!condition) problems.push_back(std::move(problem));
  };
  require(is_key(record.workload_key),
          "workload key '" + record.workload_key + "' is not 64 characters of lower-case hex");
  require(is_key(record.target_key),
          "target key '" + record.target_key + "' is not 64 characters of lower-case hex");
  require(record.threads >= 1, "threads is " + std::to_string(record.threads) + ", expected at least 1");
  require(parse_verdict(to_string(record.verdict)).has_value(),
          to_string(record.verdict) + " is not an enumerator of Verdict");
  const bool predicted = record.how == "predicted";
  require(predicted || record.how == "measured" || record.how == "emulated",
          "how is '" + record.how + "', expected measured, emulated or predicted");
  for (const auto& [name, value] : {std::pair{"seconds", record.seconds},
                                    {"predicted_seconds", record.predicted_seconds},
                                    {"gflops", record.gflops},
                                    {"peak_gflops", record.peak_gflops}}) {
    require(is_quantity(value), std::string(name) + " is " + std::to_string(value) +
                                    ", expected a finite number, 0 or more");
  }
  require(std::all_of(record.samples.begin(), record.samples.end(), is_quantity),
          "samples hold a number that is negative or not finite");
  const double time = predicted ? record.predicted_seconds : record.seconds;
  require(record.verdict != Verdict::ok || time > 0,
          std::string("verdict is ok but ") + (predicted ? "predicted_seconds" : "seconds") +
              " is not above 0");
  require(record.created.empty() || is_time_stamp(record.created),
          "created is '" + record.created + "', expected YYYY-MM-DDThh:mm:ss.sssZ");
  return problems;
}

bool supersedes(const Record& incoming, const Record& stored) {
  const bool incoming_ok = incoming.verdict == Verdict::ok;
  const bool stored_ok = stored.verdict == Verdict::ok;
  if (incoming_ok != stored_ok) return incoming_ok;
  return incoming.created.empty() || incoming.created >= stored.created;
}

}  // namespace swgen::tuning_db
