// SPDX-License-Identifier: Apache-2.0
// What is to be compared: for every workload the tuned kernel, and the peers that do the same work.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/codegen/bundle.h"
#include "compiler/frontend/workload.h"
#include "compiler/target/target.h"
#include "tuning_db/database.h"

namespace swgen::bench {

/// A kernel as the database knows it best, compiled to sources.
struct TunedKernel {
  std::string schedule;
  int threads = 1;
  int64_t flops = 0;
  codegen::SourceBundle bundle;
};

/// A peer program with its arguments; `name` tells its variants apart: "onednn any".
struct PeerProgram {
  std::string name, library;
  std::vector<std::string> argv;  // argv[0]: the program's file name, without its folder
};

struct Comparison {
  frontend::Workload workload;
  bool plain_twin = false;  // the nchw form of the comparison before it
  TunedKernel kernel;
  std::optional<TunedKernel> one_thread;  // where the kernel has more and the database has both
  std::vector<PeerProgram> peers;
};

struct PlanRequest {
  int threads = 1;
  bool nchw = false;
  std::string cxx;  // compiler of the measurements; "" = the built-in one
};

/// In the order of `workloads`; one that stands in two files counts once. Throws base::UserError
/// where the database has no measurement, or where a workload is not f32.
std::vector<Comparison> make_plan(const std::vector<frontend::Workload>& workloads,
                                  const target::Target& target, const tuning_db::Database& db,
                                  const PlanRequest& request);

/// The library calls that do the work of `w`, activations in the layouts it allows; empty where no
/// library has such a call.
std::vector<PeerProgram> peers_of(const frontend::Workload& w, int threads);

}  // namespace swgen::bench
