// SPDX-License-Identifier: Apache-2.0
#include "tests/numeric/harness.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include "compiler/base/text.h"
#include "compiler/frontend/reader.h"
#include "compiler/ops/operators.h"
#include "tuner/measure/check.h"
#include "tuner/measure/measure.h"
#include "tuner/tune.h"

namespace swgen::numeric {

using base::cat;

std::vector<std::string> x86_targets() { return {"x86-avx512", "x86-avx2", "x86-generic"}; }

std::vector<frontend::Workload> read_shapes(const std::string& file) {
  base::Diagnostics errors;
  auto workloads = frontend::read_workload_file(std::string(SWGEN_NUMERIC_SHAPES) + "/" + file,
                                                ops::schemas(), {}, errors);
  if (errors.any()) throw std::runtime_error(errors.text());
  return workloads;
}

int Refusals::count() const {
  int n = 0;
  for (const auto& [reason, times] : reasons) n += times;
  return n;
}

namespace {

/// Compiles schedules and keeps those that are feasible.
class Collector {
 public:
  Collector(const frontend::Workload& workload, const target::Target& target, Refusals& refusals)
      : workload_(workload), target_(target), refusals_(refusals) {}

  /// The reason when the schedule is refused.
  std::string add(const std::string& schedule) {
    for (const Candidate& c : found_)
      if (c.schedule == schedule) return "";
    Compiled compiled = compile(workload_, schedule::parse(schedule), target_);
    if (!compiled.bundle) return compiled.infeasible;
    found_.push_back({schedule, std::move(*compiled.bundle)});
    return "";
  }

  void draw(const std::vector<std::string>& from, std::mt19937& random) {
    for (int attempt = 0; attempt < 20 && !from.empty(); ++attempt) {
      ++refusals_.drawn;
      const std::string reason = add(from[random() % from.size()]);
      if (reason.empty()) return;
      ++refusals_.reasons[reason];
    }
  }

  std::vector<Candidate> found() && { return std::move(found_); }

 private:
  const frontend::Workload& workload_;
  const target::Target& target_;
  Refusals& refusals_;
  std::vector<Candidate> found_;
};

bool reads_padding(const frontend::Workload& workload) {
  const auto found = workload.params.find("padding");
  return found != workload.params.end() &&
         std::any_of(found->second.begin(), found->second.end(), [](int64_t p) { return p > 0; });
}

std::vector<double> read_output(const std::string& path, ir::DType dtype) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  const auto convert = [&](const auto* values) {
    return std::vector<double>(values, values + bytes.size() / sizeof *values);
  };
  return dtype == ir::DType::f32 ? convert(reinterpret_cast<const float*>(bytes.data()))
                                 : convert(reinterpret_cast<const double*>(bytes.data()));
}

}  // namespace

std::vector<Candidate> candidates(const frontend::Workload& workload, const target::Target& target,
                                  int random, unsigned seed, Refusals& refusals) {
  Collector out(workload, target, refusals);
  const std::vector<ir::Seed> seeds = ops::seeds(workload);
  // Cores with scratchpads reach memory by transfers only: there every schedule stages its tiles.
  for (size_t s = 0; s < seeds.size() && !target.has_scratch; ++s) {
    const std::string plain = s == 0 ? "" : "algo(" + seeds[s].algorithm + ")";
    const std::string reason = out.add(plain);
    if (!reason.empty()) throw std::runtime_error(cat("plain nest '", plain, "': ", reason));
  }
  std::vector<std::string> all, last, in_place, dots;
  const std::string last_algorithm = "algo(" + seeds.back().algorithm + ")";
  for (const auto& ranked : tuner::rank_candidates(workload, target, 1)) {
    all.push_back(ranked.schedule);
    if (ranked.schedule.rfind(last_algorithm, 0) == 0) last.push_back(ranked.schedule);
    if (reads_padding(workload) && ranked.schedule.rfind("algo(direct)", 0) == 0 &&
        ranked.schedule.find("stage(X") == std::string::npos)
      in_place.push_back(ranked.schedule);
    if (ranked.schedule.find("vectorize(K)") != std::string::npos) dots.push_back(ranked.schedule);
  }
  std::mt19937 generator(seed);
  out.draw({all.begin(), all.begin() + (all.empty() ? 0 : 1)}, generator);
  out.draw(in_place, generator);  // micro-kernels of their own at the borders
  out.draw(dots, generator);      // lanes along K
  for (int i = 0; i < random; ++i) out.draw(i == 0 ? last : all, generator);
  return std::move(out).found();
}

template <typename T>
std::vector<T> operand(int64_t count, int position) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(tuner::integer_value(i, position)));
  return values;
}
template std::vector<float> operand(int64_t, int);
template std::vector<double> operand(int64_t, int);

Outcome run(const frontend::Workload& workload, const Candidate& candidate,
            const target::Target& target, int threads) {
  static const std::string worker = tuner::worker_path("swgen-worker-" + target.name);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / cat("swgen-numeric-", getpid());
  tuner::MeasureRequest request;
  request.bundle = candidate.bundle;
  request.reference = ops::seeds(workload)[0];
  request.level = target.level;
  request.threads = threads;
  request.time = false;
  request.output_file = file.string();
  const tuner::MeasureReply reply = tuner::measure(worker, request, {});
  Outcome outcome;
  if (reply.verdict != "ok") outcome.failure = reply.verdict + ": " + reply.reason;
  if (reply.verdict == "ok") outcome.output = read_output(file.string(), workload.dtype);
  std::filesystem::remove(file);
  return outcome;
}

std::string difference(const std::vector<double>& found, const std::vector<double>& expected) {
  if (found.size() != expected.size())
    return cat("found ", found.size(), " elements, expected ", expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    if (!(found[i] == expected[i]))
      return cat("element ", i, ": found ", found[i], ", expected ", expected[i]);
  return "";
}

}  // namespace swgen::numeric
