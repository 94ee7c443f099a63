// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/rounds.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <thread>

#include "bench/compare/child.h"
#include "bench/compare/load.h"
#include "compiler/base/text.h"

namespace swgen::bench {
namespace {

constexpr double kSliceSeconds = 0.02;  // long beside a timer's resolution, short beside drift
constexpr int kFewestExecutions = 3;
constexpr int kMostExecutions = 2000;
constexpr int kMostRoundsFactor = 3;
// Sums of f32 results that were rounded in another order.
constexpr double kRelativeTolerance = 1e-5;

/// The value behind `"key":` of a flat JSON object, up to the next comma or the end.
std::string json_member(const std::string& object, const std::string& key) {
  const size_t at = object.find("\"" + key + "\":");
  if (at == std::string::npos) return "";
  const size_t begin = at + key.size() + 3;
  if (object[begin] == '"')
    return object.substr(begin + 1, object.find('"', begin + 1) - begin - 1);
  return object.substr(begin, object.find_first_of(",}", begin) - begin);
}

std::vector<double> samples_of(const std::string& answer, const std::string& word) {
  std::istringstream words(answer);
  std::string first;
  words >> first;
  std::vector<double> samples;
  for (double sample; words >> sample;) samples.push_back(sample);
  if (first != word || samples.empty())
    throw PeerError("found answer '" + answer + "', expected " + word + " and samples");
  return samples;
}

class Player {
 public:
  explicit Player(const Contestant& contestant)
      : name_(contestant.name), child_(contestant.argv), ready_(child_.read_line()) {
    if (ready_.rfind("ready ", 0) != 0)
      throw PeerError(name_ + ": found '" + ready_ + "', expected ready {...}");
  }

  const std::string& name() const { return name_; }
  pid_t pid() const { return child_.pid(); }
  bool is_peak() const { return name_ == kPeak; }
  std::string ready(const std::string& key) const { return json_member(ready_, key); }

  CheckAnswer check() {
    std::istringstream words(child_.ask("check"));
    CheckAnswer answer{name_, NAN, NAN, ready("exact") == "true"};
    std::string word;
    words >> word >> answer.sum >> word >> answer.abs;
    return answer;
  }

  /// Sets how many executions fill a slice.
  void plan_slice() {
    if (is_peak()) return;  // its samples are slices
    const double seconds = median(samples_of(child_.ask("run 3"), "seconds"));
    const double count = std::ceil(kSliceSeconds / std::max(seconds, 1e-9));
    executions_ = static_cast<int>(std::clamp<double>(count, kFewestExecutions, kMostExecutions));
  }

  double run() {
    const std::string answer = child_.ask("run " + std::to_string(executions_));
    if (is_peak()) return median(samples_of(answer, "gflops"));
    return 1e-9 * std::stod(ready("flops")) / median(samples_of(answer, "seconds"));
  }

 private:
  std::string name_;
  Child child_;
  std::string ready_;
  int executions_ = 1;
};

using Players = std::vector<std::unique_ptr<Player>>;

void require_equal_work(Players& players) {
  const Player* first = nullptr;
  CheckAnswer expected;
  for (auto& player : players) {
    if (player->is_peak()) continue;
    const CheckAnswer found = player->check();
    if (first == nullptr) {
      first = player.get();
      expected = found;
    }
    for (const char* key : {"flops", "outputs"})
      if (player->ready(key) != first->ready(key))
        throw PeerError(base::cat(player->name(), ": found ", key, " ", player->ready(key),
                                  ", expected ", first->ready(key), " as ", first->name()));
    const std::string difference = disagreement(expected, found);
    if (!difference.empty()) throw PeerError(difference);
  }
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const size_t middle = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string disagreement(const CheckAnswer& a, const CheckAnswer& b) {
  const double tolerance = a.exact && b.exact ? 0 : kRelativeTolerance * std::fabs(a.abs);
  // Written so that a NaN disagrees.
  if (std::fabs(a.sum - b.sum) <= tolerance && std::fabs(a.abs - b.abs) <= tolerance) return "";
  std::ostringstream text;
  text.precision(17);
  text << b.name << ": found sum " << b.sum << " and sum of absolute values " << b.abs
       << ", expected " << a.sum << " and " << a.abs << " as " << a.name;
  return text.str();
}

Rounds run_rounds(const std::vector<Contestant>& contestants, int repeats, int threads) {
  Players players;
  std::vector<pid_t> pids;
  Rounds rounds;
  for (const Contestant& contestant : contestants) {
    players.push_back(std::make_unique<Player>(contestant));
    pids.push_back(players.back()->pid());
    rounds.impl[contestant.name] = players.back()->ready("impl");
  }
  require_equal_work(players);
  for (auto& player : players) player->plan_slice();

  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  std::vector<std::vector<double>> quiet, all;
  const int most = kMostRoundsFactor * repeats;
  for (int i = 0; i < most && static_cast<int>(quiet.size()) < repeats; ++i) {
    const LoadWatch watch(pids);
    std::vector<double> round;
    for (auto& player : players) round.push_back(player->run());
    all.push_back(round);
    if (is_disturbed(watch.foreign_cores(), threads, cores)) {
      ++rounds.disturbed;
    } else {
      quiet.push_back(round);
    }
  }
  rounds.noisy = 2 * static_cast<int>(quiet.size()) < repeats;
  const auto& counted = rounds.noisy ? all : quiet;
  for (const auto& round : counted)
    for (size_t i = 0; i < players.size(); ++i)
      rounds.gflops[players[i]->name()].push_back(round[i]);
  return rounds;
}

}  // namespace swgen::bench
