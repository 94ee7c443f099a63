// SPDX-License-Identifier: Apache-2.0
#include "tuner/tune.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/version.h"
#include "compiler/compile.h"
#include "compiler/ops/operators.h"
#include "tuner/measure/calibrate.h"
#include "tuner/measure/measure.h"
#include "tuner/search/search.h"
#include "tuner/simulate/program.h"

namespace swgen::tuner {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  const size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/// Seconds of wall time a stored trial took, from its provenance.
double elapsed_of(const tuning_db::Record& r) {
  auto value = llvm::json::parse(r.provenance);
  if (!value) {
    llvm::consumeError(value.takeError());
    return 0;
  }
  const llvm::json::Object* o = value->getAsObject();
  return o == nullptr ? 0 : o->getNumber("elapsed_seconds").getValueOr(0);
}

std::string provenance(const TuneOptions& options, const MeasureReply& reply, double elapsed) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::json::Value(llvm::json::Object{{"swgen", base::kVersion},
                                              {"seed", static_cast<int64_t>(options.seed)},
                                              {"compiler", options.compiler.empty() ? "clang-14-jit" : options.compiler},
                                              {"digest", reply.digest},
                                              {"pack_seconds", reply.pack_seconds},
                                              {"compile_seconds", reply.compile_seconds},
                                              {"elapsed_seconds", elapsed}});
  return out.str();
}

constexpr int kSimulated = 12;  // candidates of a machine that is not at hand

class Tuning {
 public:
  Tuning(const frontend::Workload& w, const target::Target& t, const TuneOptions& o, tuning_db::Database& db,
         const Progress& progress)
      : workload_(w), target_(t), options_(o), db_(db), progress_(progress),
        row_(workload_row(w)), target_row_(target_row(t, o.compiler)),
        planned_(planned_target(t, db)), seed_(ops::seeds(w)[0]) {
    flops_ = static_cast<double>(ir::flops(seed_));
  }

  TuneResult run() {
    db_.put_workload(row_);
    db_.put_target(target_row_);
    stored_ = db_.trials(row_.key, target_row_.key, options_.threads);
    if (options_.model_only)
      pick_by_model();
    else if (target_.has_scratch)
      simulate_best();
    else
      measure_best();
    return result();
  }

 private:
  /// The best predicted candidate whose code can be generated.
  void pick_by_model() {
    for (const tuning_db::Record& r : stored_)
      if (r.verdict == tuning_db::Verdict::ok && (r.how == "predicted" || r.how == "emulated")) return;
    const std::vector<RankedCandidate> ranked = rank_candidates(workload_, planned_, options_.threads, &reasons_);
    for (const RankedCandidate& c : ranked) {
      const Compiled compiled = compile(workload_, schedule::parse(c.schedule), target_);
      if (!compiled.bundle) {
        ++reasons_[compiled.infeasible];
        continue;
      }
      tuning_db::Record r = record(c, "predicted");
      r.provenance = provenance(options_, {}, 0);
      db_.add(r);
      return;
    }
  }

  /// Simulates the best predicted candidates and runs the fastest on the emulator, which checks it.
  void simulate_best() {
    if (std::any_of(stored_.begin(), stored_.end(),
                    [](const tuning_db::Record& r) { return r.how == "emulated" && r.verdict == tuning_db::Verdict::ok; }) &&
        !options_.more)
      return;
    const Clock::time_point begin = Clock::now();
    std::vector<std::pair<double, RankedCandidate>> simulated;
    for (const RankedCandidate& c : rank_candidates(workload_, planned_, options_.threads, &reasons_)) {
      if (static_cast<int>(simulated.size()) >= std::min(options_.trials, kSimulated) || (!simulated.empty() && since(begin) > options_.seconds)) break;
      try {
        const schedule::Schedule s = schedule::parse(c.schedule);
        const Lowered lowered = lower(workload_, s, target_);
        if (!lowered.program) {
          ++reasons_[lowered.infeasible];
          continue;
        }
        const double seconds = simulate(*lowered.program, seed_, target_, options_.threads, false).seconds;
        simulated.emplace_back(seconds, c);
        best_ = best_ > 0 ? std::min(best_, seconds) : seconds;
        if (progress_) progress_(workload_, static_cast<int>(simulated.size()), best_);
      } catch (const base::Infeasible& e) {
        ++reasons_[e.what()];
      }
    }
    std::stable_sort(simulated.begin(), simulated.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    bool found = false;
    for (const auto& [seconds, c] : simulated) {
      tuning_db::Record r = record(c, "emulated");
      const Clock::time_point start = Clock::now();
      MeasureReply reply;
      if (!found) {
        reply = emulate(c.schedule);
        ++new_measurements_;
      } else {
        reply.verdict = "ok";
      }
      r.verdict = tuning_db::parse_verdict(reply.verdict).value_or(tuning_db::Verdict::crashed);
      r.reason = reply.reason;
      if (r.verdict == tuning_db::Verdict::ok) {
        r.samples = {seconds};
        r.seconds = seconds;
        r.gflops = flops_ / seconds / 1e9;
        r.peak_gflops = (workload_.dtype == ir::DType::f32 ? target_.peak_gflops : target_.peak_gflops_f64) * options_.threads;
        found = true;
      } else {
        if (first_error_.empty()) first_error_ = reply.verdict + ": " + reply.reason;
        if (++failures_ == 3) return;  // a bug rather than a bad candidate
      }
      r.provenance = provenance(options_, reply, since(start));
      db_.add(r);
    }
  }

  /// Runs the schedule on the emulated core group: on the workload itself, or where that would take
  /// minutes on a smaller one, with the same tiles and every kind of border.
  MeasureReply emulate(const std::string& schedule) const {
    frontend::Workload small = workload_;
    for (const auto& [key, most] : std::map<std::string, int64_t>{{"batch", 2}, {"in_channels", 72}, {"out_channels", 72}, {"m", 300}, {"n", 300}, {"k", 200}}) {
      const auto found = small.params.find(key);
      if (flops_ > 5e7 && found != small.params.end() && (workload_.params.count("groups") == 0 || workload_.value("groups") == 1))
        found->second[0] = std::min(found->second[0], most);
    }
    if (flops_ > 5e7 && small.params.count("input") != 0)
      for (size_t d = 0; d < 2; ++d) {
        const int64_t reach = (small.value("kernel", static_cast<int>(d)) - 1) * small.value("dilation", static_cast<int>(d)) + 1;
        int64_t& extent = small.params["input"][d];
        extent = std::min(extent, reach + 17 * small.value("stride", static_cast<int>(d)));
      }
    const Compiled compiled = compile(small, schedule::parse(schedule), target_);
    MeasureReply reply;
    if (!compiled.bundle) {
      reply.verdict = "infeasible";
      reply.reason = "at reduced extents: " + compiled.infeasible;
      return reply;
    }
    MeasureRequest request;
    request.bundle = *compiled.bundle;
    request.reference = ops::seeds(small)[0];
    ProcessLimits limits;
    limits.seconds = 120;
    return measure(worker_path("swgen-worker-sw26010"), request, limits);
  }

  tuning_db::Record record(const RankedCandidate& c, const std::string& how) const {
    tuning_db::Record r;
    r.workload_key = row_.key;
    r.target_key = target_row_.key;
    r.schedule = c.schedule;
    r.threads = options_.threads;
    r.how = how;
    r.predicted_seconds = c.prediction.seconds;
    return r;
  }

  void measure_best() {
    const double spent_before = options_.more ? 0 : spent();
    const int trials_before = options_.more ? 0 : measured_trials();
    if (spent_before >= options_.seconds || trials_before >= options_.trials) return;
    worker_ = worker_path("swgen-worker-x86");
    calibrate_once();  // once per machine: not at the expense of this workload
    const Clock::time_point start = Clock::now();
    const std::vector<RankedCandidate> ranked = rank_candidates(workload_, planned_, options_.threads, &reasons_);
    Search search(ranked);
    std::map<std::string, size_t> position;
    for (size_t i = 0; i < ranked.size(); ++i) position.emplace(ranked[i].schedule, i);
    for (const tuning_db::Record& r : stored_)
      if (r.how == "measured" && position.count(r.schedule) != 0)
        search.tell(position[r.schedule], r.verdict == tuning_db::Verdict::ok ? r.seconds : 0);
    peak_ = measure_peak(worker_, target_.level, workload_.dtype, options_.threads);
    int trials = trials_before;
    std::optional<size_t> first;
    double first_seconds = 0;
    // The last seconds of the budget are for confirm_under_gcc().
    const double reserve = options_.compiler.empty() ? std::min(6.0, 0.15 * options_.seconds) : 0;
    // At least one trial: starting up may take longer than a budget of a second.
    while (trials < options_.trials && (trials == 0 || spent_before + since(start) < options_.seconds - reserve) &&
           (options_.more || !search.settled())) {
      const auto next = search.next();
      if (!next) break;
      const double seconds = trial(ranked[*next]);
      search.tell(*next, seconds);
      ++trials;
      if (!first && seconds > 0) {
        first = next;
        first_seconds = seconds;
      }
      if (failures_ >= 20 && best_ == 0 && !first) break;  // nothing works: show why, don't go on
      progress_(workload_, trials, best_);
    }
    confirm_under_gcc();
    const bool over = search.settled() || spent_before + since(start) >= options_.seconds - reserve;
    remember_spent(std::max(spent_before + since(start), over ? options_.seconds : 0));
    if (first && new_measurements_ > 4) {
      const Compiled again = compile(workload_, schedule::parse(ranked[*first].schedule), target_);
      const MeasureReply reply = ask(*again.bundle);
      if (!reply.samples.empty()) drift_ = median(reply.samples) / first_seconds - 1;
    }
  }

  /// The model plans with measured numbers of this machine, from the first measurement on.
  void calibrate_once() {
    if (db_.get_value(calibration_key(target_))) return;
    const auto calibration = calibrate(worker_, target_);
    if (!calibration) return;
    db_.put_value(calibration_key(target_), to_text(*calibration));
    planned_ = calibration->apply(target_);
  }

  /// Packages are built by g++ as well as by clang++, and the two may differ. The fastest schedules are timed under g++
  /// too and keep the slower of their times, until none that was not so timed is faster than the best that was. Where g++
  /// is much slower, others that differ in numbers only are passed over: they share the reason.
  void confirm_under_gcc() {
    if (!options_.compiler.empty()) return;
    std::set<std::string> slow;
    for (int round = 0; round < 12; ++round) {
      const auto best = fastest_unconfirmed(slow);
      if (!best) return;
      const Compiled compiled = compile(workload_, schedule::parse(best->schedule), target_);
      if (!compiled.bundle) return;
      const Clock::time_point start = Clock::now();
      const MeasureReply reply = ask(*compiled.bundle, "g++");
      if (reply.verdict == "build_failed") return;  // no g++ here
      tuning_db::Record r = *best;
      r.id = 0;
      r.created.clear();
      if (reply.verdict != "ok") {
        r.verdict = tuning_db::parse_verdict(reply.verdict).value_or(tuning_db::Verdict::crashed);
        r.reason = "under g++: " + reply.reason;
        r.samples.clear();
        r.seconds = r.gflops = 0;
        if (first_error_.empty()) first_error_ = reply.verdict + ": " + r.reason;
        db_.remove({best->id});
      } else if (median(reply.samples) > r.seconds) {
        if (median(reply.samples) > 1.1 * r.seconds) slow.insert(shape_of(r.schedule));
        r.samples = reply.samples;
        r.seconds = median(reply.samples);
        r.gflops = flops_ / r.seconds / 1e9;
      }
      r.provenance = confirmed_provenance(best->provenance, since(start));
      db_.add(r);
    }
  }

  /// The fastest trial that was not timed under g++ and is faster than all that were.
  std::optional<tuning_db::Record> fastest_unconfirmed(const std::set<std::string>& slow) const {
    std::optional<tuning_db::Record> best;
    const std::vector<tuning_db::Record> trials = db_.trials(row_.key, target_row_.key, options_.threads);
    double least = 0;
    for (const tuning_db::Record& r : trials)
      if (r.how == "measured" && r.verdict == tuning_db::Verdict::ok && confirmed(r) && (least == 0 || r.seconds < least)) least = r.seconds;
    for (const tuning_db::Record& r : trials) {
      if (r.how != "measured" || r.verdict != tuning_db::Verdict::ok || confirmed(r) || slow.count(shape_of(r.schedule)) != 0) continue;
      if ((least == 0 || r.seconds < least) && (!best || r.seconds < best->seconds)) best = r;
    }
    return best;
  }

  /// The schedule without its numbers.
  static std::string shape_of(std::string schedule) {
    schedule.erase(std::remove_if(schedule.begin(), schedule.end(), [](unsigned char c) { return std::isdigit(c) != 0; }), schedule.end());
    return schedule;
  }

  static bool confirmed(const tuning_db::Record& r) {
    return r.provenance.find("\"confirmed_by\"") != std::string::npos;
  }

  static std::string confirmed_provenance(const std::string& provenance, double elapsed) {
    auto value = llvm::json::parse(provenance);
    llvm::json::Object object;
    if (value && value->getAsObject() != nullptr) object = *value->getAsObject();
    if (!value) llvm::consumeError(value.takeError());
    object["confirmed_by"] = "g++";
    object["elapsed_seconds"] = object.getNumber("elapsed_seconds").getValueOr(0) + elapsed;
    std::string text;
    llvm::raw_string_ostream out(text);
    out << llvm::json::Value(std::move(object));
    return out.str();
  }

  MeasureReply ask(const codegen::SourceBundle& bundle) const { return ask(bundle, options_.compiler); }

  MeasureReply ask(const codegen::SourceBundle& bundle, const std::string& compiler) const {
    MeasureRequest request;
    request.bundle = bundle;
    request.bundle.files.clear();
    request.reference = seed_;
    request.level = target_.level;
    request.compiler = compiler;
    request.threads = options_.threads;
    request.expected_digest = digest_;
    ProcessLimits limits;
    // A candidate ten times slower than the best is of no interest; the first gets a minute.
    limits.seconds = best_ > 0 ? 20 + 100 * best_ : 60;
    return measure(worker_, request, limits);
  }

  /// Seconds of the candidate, or 0.
  double trial(const RankedCandidate& c) {
    const Clock::time_point start = Clock::now();
    const Compiled compiled = compile(workload_, schedule::parse(c.schedule), target_);
    tuning_db::Record r = record(c, "measured");
    MeasureReply reply;
    if (compiled.bundle) {
      reply = ask(*compiled.bundle);
      ++new_measurements_;
    } else {
      reply.verdict = "infeasible";
      reply.reason = compiled.infeasible;
    }
    if (reply.verdict == "ok") {
      if (digest_.empty()) digest_ = reply.digest;
      if (reply.digest != digest_) {
        reply.verdict = "wrong";
        reply.reason = "the output differs from that of other candidates";
      }
    }
    r.verdict = tuning_db::parse_verdict(reply.verdict).value_or(tuning_db::Verdict::crashed);
    r.reason = reply.reason;
    if (r.verdict == tuning_db::Verdict::ok) {
      r.samples = reply.samples;
      r.seconds = median(reply.samples);
      r.gflops = flops_ / r.seconds / 1e9;
      r.peak_gflops = peak_;
      if (best_ == 0 || r.seconds < best_) best_ = r.seconds;
    } else if (r.verdict != tuning_db::Verdict::infeasible) {
      ++failures_;
      if (first_error_.empty()) first_error_ = reply.verdict + ": " + reply.reason;
    }
    r.provenance = provenance(options_, reply, since(start));
    db_.add(r);
    return r.seconds;
  }

  /// Seconds spent on this workload by all runs: what the last one noted at its end, or, where it was
  /// killed, at least those of its trials.
  double spent() const {
    double total = 0;
    for (const tuning_db::Record& r : stored_) total += elapsed_of(r);
    const auto noted = db_.get_value(spent_key());
    return noted ? std::max(total, std::atof(noted->c_str())) : total;
  }

  void remember_spent(double seconds) { db_.put_value(spent_key(), std::to_string(seconds)); }

  std::string spent_key() const {
    return "spent_seconds " + row_.key + " " + target_row_.key + " " + std::to_string(options_.threads);
  }

  int measured_trials() const {
    return static_cast<int>(std::count_if(stored_.begin(), stored_.end(), [](const tuning_db::Record& r) {
      return r.how == "measured";
    }));
  }

  TuneResult result() const {
    TuneResult out;
    out.workload = workload_.name;
    out.target = target_.name + (target_.level.empty() ? "" : "-" + target_.level);
    out.verdict = "none";
    out.reason = first_error_;
    if (out.reason.empty() && !reasons_.empty()) {
      const auto most = std::max_element(reasons_.begin(), reasons_.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      out.reason = "infeasible: " + most->first;
    }
    out.trials = static_cast<int>(db_.trials(row_.key, target_row_.key, options_.threads).size());
    out.new_measurements = new_measurements_;
    out.drift = drift_;
    const auto best = db_.best(row_.key, target_row_.key, options_.threads);
    if (!best) return out;
    out.schedule = best->schedule;
    out.verdict = tuning_db::to_string(best->verdict);
    out.reason.clear();
    out.predicted_seconds = best->predicted_seconds;
    out.seconds = best->seconds;
    const double seconds = best->seconds > 0 ? best->seconds : best->predicted_seconds;
    out.gflops = flops_ / seconds / 1e9;
    const double planned = workload_.dtype == ir::DType::f32 ? planned_.peak_gflops : planned_.peak_gflops_f64;
    const double peak = best->peak_gflops > 0 ? best->peak_gflops : planned * options_.threads;
    out.percent_of_peak = 100 * out.gflops / peak;
    return out;
  }

  const frontend::Workload& workload_;
  const target::Target& target_;
  const TuneOptions& options_;
  tuning_db::Database& db_;
  const Progress& progress_;
  tuning_db::WorkloadRow row_;
  tuning_db::TargetRow target_row_;
  target::Target planned_;
  ir::Seed seed_;
  double flops_ = 0, peak_ = 0, best_ = 0, drift_ = 0;
  std::vector<tuning_db::Record> stored_;
  std::map<std::string, int> reasons_;
  std::string worker_, digest_, first_error_;
  int new_measurements_ = 0, failures_ = 0;
};

}  // namespace

TuneResult tune(const frontend::Workload& workload, const target::Target& target, const TuneOptions& options,
                tuning_db::Database& db, const Progress& progress) {
  return Tuning(workload, target, options, db, progress).run();
}

}  // namespace swgen::tuner
