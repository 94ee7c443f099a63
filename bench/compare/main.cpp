// SPDX-License-Identifier: Apache-2.0
// swgen-bench: plan -> sources -> builds -> rounds -> scores -> report.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <set>

#include "bench/compare/arguments.h"
#include "bench/compare/build.h"
#include "bench/compare/child.h"
#include "bench/compare/plan.h"
#include "bench/compare/report.h"
#include "bench/compare/rounds.h"
#include "bench/compare/scores.h"
#include "cli/exit_codes.h"
#include "cli/workloads.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "tuning_db/error.h"

namespace swgen::bench {
namespace {

namespace fs = std::filesystem;
using base::cat;

/// The folder to build in: the user's, or one that disappears with the object.
class WorkFolder {
 public:
  explicit WorkFolder(const std::string& given) : path_(given), temporary_(given.empty()) {
    if (!temporary_) return;
    path_ = (fs::temp_directory_path() / "swgen-bench-XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw base::UserError("cannot make a folder " + path_);
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (temporary_) fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool temporary_;
};

void note(const std::string& text) {
  if (isatty(2) != 0) std::cerr << "\r\033[K" << text << std::flush;
}

std::string own_folder() { return fs::read_symlink("/proc/self/exe").parent_path().string(); }

/// The path of a peer program beside this one; "" and a message, once, where it is not built.
std::string peer_path(const std::string& program) {
  static std::set<std::string> missing;
  const fs::path path = fs::path(own_folder()) / program;
  if (fs::exists(path)) return path.string();
  if (missing.insert(program).second)
    std::cerr << "swgen-bench: " << path.string()
              << " is not built (its library was not found); left out\n";
  return "";
}

std::vector<Contestant> contestants_of(const Comparison& c, const Arguments& a,
                                       const std::vector<std::string>& builds) {
  std::vector<Contestant> contestants;
  const std::string threads = cat(a.threads);
  const std::string peak = peer_path("swgen-peer-peak");
  if (!peak.empty()) contestants.push_back({kPeak, {peak, "--threads", threads}});
  for (size_t i = 0; i < builds.size(); ++i)
    contestants.push_back({build_name(a.compilers[i]),
                           {builds[i] + "/" + c.kernel.bundle.symbol, "--threads", threads}});
  if (c.one_thread)
    contestants.push_back({one_thread_name(a.compilers.front()),
                           {builds.front() + "/" + c.one_thread->bundle.symbol}});
  for (const PeerProgram& peer : c.peers) {
    Contestant contestant{peer.name, peer.argv};
    contestant.argv.front() = peer_path(peer.argv.front());
    if (!contestant.argv.front().empty()) contestants.push_back(contestant);
  }
  return contestants;
}

int compare_all(const Arguments& a) {
  const target::Target target = target::find_target(a.target);
  const auto db = tuning_db::Database::open(a.db, tuning_db::Database::Mode::read_only);
  const std::vector<Comparison> plan =
      make_plan(cli::read_workloads(a.files, a.sets), target, db, {a.threads, a.nchw, a.cxx});
  const WorkFolder work(a.work);
  write_sources(work.path(), plan);
  std::vector<std::string> builds;
  for (const std::string& compiler : a.compilers) {
    note(cat("building ", plan.size(), " kernels with ", compiler));
    builds.push_back(build_peers(work.path(), plan, compiler));
  }
  Report report{cat(target.name, "-", target.level), a.threads, a.compilers, {}, {}};
  for (const Comparison& c : plan) {
    note(cat("[", report.scores.size() + 1, "/", plan.size(), "] ", c.workload.name));
    try {
      const Rounds rounds = run_rounds(contestants_of(c, a, builds), a.repeats, a.threads);
      report.scores.push_back(score(c, a.compilers, rounds));
    } catch (const PeerError& error) {
      throw PeerError(c.workload.name + ": " + error.what());
    }
  }
  note("");
  report.floors = judge(plan, report.scores);
  a.json ? print_json(std::cout, report) : print_table(std::cout, report);
  return cli::kOk;
}

int fail(const std::string& message, cli::ExitCode code) {
  note("");
  if (message.find("error: ") == std::string::npos) std::cerr << "swgen-bench: error: ";
  std::cerr << message << '\n';
  return code;
}

int run(int argc, char** argv) {
  try {
    bool go = false;
    const Arguments arguments = parse_arguments(argc, argv, go);
    return go ? compare_all(arguments) : cli::kOk;
  } catch (const base::UserError& error) {
    return fail(error.what(), cli::kUsageError);
  } catch (const tuning_db::DatabaseError& error) {
    return fail(error.what(), cli::kDatabaseError);
  } catch (const ToolchainError& error) {
    return fail(error.what(), cli::kToolchainError);
  } catch (const PeerError& error) {
    return fail(error.what(), cli::kWorkloadFailed);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what(), cli::kInternalError);
  }
}

}  // namespace
}  // namespace swgen::bench

int main(int argc, char** argv) { return swgen::bench::run(argc, argv); }
