// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/plan.h"

#include <set>
#include <utility>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/compile.h"
#include "compiler/ops/operators.h"
#include "tuner/tune.h"

namespace swgen::bench {
namespace {

using base::cat;
using frontend::Workload;

std::optional<std::string> measured_schedule(const Workload& w, const target::Target& target,
                                             const tuning_db::Database& db, int threads,
                                             const std::string& cxx) {
  const auto best =
      db.best(tuner::workload_row(w).key, tuner::target_row(target, cxx).key, threads);
  if (!best || best->how == "predicted") return std::nullopt;
  return best->schedule;
}

TunedKernel make_kernel(Workload w, const std::string& suffix, const std::string& schedule,
                        int threads, const target::Target& target) {
  TunedKernel kernel{schedule, threads, ir::flops(ops::seeds(w).front()), {}};
  w.name += suffix;  // symbols of one package must differ
  Compiled compiled = compile(w, schedule::parse(schedule), target);
  if (!compiled.bundle)
    throw base::UserError(
        w.name + ": the schedule of the database is not possible any more: " + compiled.infeasible);
  kernel.bundle = std::move(*compiled.bundle);
  return kernel;
}

Comparison compare(const Workload& w, const target::Target& target, const tuning_db::Database& db,
                   const PlanRequest& request, const std::string& suffix) {
  if (w.dtype != ir::DType::f32)
    throw base::UserError(w.name + ": found dtype " + ir::name_of(w.dtype) +
                          ", expected f32, which the peers compute in");
  const auto schedule = measured_schedule(w, target, db, request.threads, request.cxx);
  if (!schedule)
    throw base::UserError(cat(w.name, " (layout ", name_of(w.layout), "): found no measured ",
                              "schedule for ", target.name, " ", target.level, " with ",
                              request.threads, " threads in ", db.path(),
                              ", expected one: run swgen tune"));
  Comparison c;
  c.workload = w;
  c.kernel = make_kernel(w, suffix, *schedule, request.threads, target);
  if (request.threads > 1)
    if (const auto single = measured_schedule(w, target, db, 1, request.cxx))
      c.one_thread = make_kernel(w, suffix + ".one_thread", *single, 1, target);
  c.peers = peers_of(w, request.threads);
  return c;
}

std::string conv_shape(const Workload& w) {
  std::vector<int64_t> v = {w.value("batch"), w.value("in_channels"), w.value("input", 0),
                            w.value("input", 1), w.value("out_channels")};
  for (const char* key : {"kernel", "stride"})
    for (int d = 0; d < 2; ++d) v.push_back(w.value(key, d));
  for (int position : {0, 1, 2, 3}) v.push_back(w.value("padding", position));  // top ... right
  for (int d = 0; d < 2; ++d) v.push_back(w.value("dilation", d));
  v.push_back(w.value("groups"));
  return base::join(v, ",");
}

std::string matmul_shape(const Workload& w) {
  std::vector<int64_t> v;
  for (const char* key : {"m", "n", "k", "transpose_a", "transpose_b"}) v.push_back(w.value(key));
  return base::join(v, ",");
}

/// oneDNN's layouts that answer the workload's question; the fastest one counts (README.md).
std::vector<std::string> onednn_layouts(frontend::Layout layout) {
  switch (layout) {
    case frontend::Layout::any:
      return {"any", "nhwc", "nchw"};
    case frontend::Layout::nchw:
      return {"nchw", "nchw-reorder"};
    case frontend::Layout::nhwc:
      return {"nhwc"};
  }
  return {};
}

}  // namespace

std::vector<PeerProgram> peers_of(const Workload& w, int threads) {
  std::vector<PeerProgram> peers;
  const bool conv = w.op == "conv2d", matmul = w.op == "matmul";
  if (w.direction != frontend::Direction::forward || (!conv && !matmul)) return peers;
  if (matmul && w.value("batch") != 1) return peers;
  const std::vector<std::string> shape = {conv ? "--conv" : "--matmul",
                                          conv ? conv_shape(w) : matmul_shape(w), "--threads",
                                          cat(threads)};
  std::vector<std::string> layouts = {"unpacked"};
  if (conv) layouts = onednn_layouts(w.layout);
  for (const std::string& layout : layouts) {
    PeerProgram peer{"onednn " + layout, "onednn", {"swgen-peer-onednn"}};
    peer.argv.insert(peer.argv.end(), shape.begin(), shape.end());
    for (const std::string& argument : {std::string("--layout"), layout, std::string("--bias"),
                                        cat(w.bias), std::string("--relu"), cat(w.relu)})
      peer.argv.push_back(argument);
    peers.push_back(peer);
  }
  if (matmul && !w.bias && !w.relu) {
    PeerProgram peer{"openblas", "openblas", {"swgen-peer-openblas"}};
    peer.argv.insert(peer.argv.end(), shape.begin(), shape.end());
    peers.push_back(peer);
  }
  return peers;
}

std::vector<Comparison> make_plan(const std::vector<Workload>& workloads,
                                  const target::Target& target, const tuning_db::Database& db,
                                  const PlanRequest& request) {
  std::vector<Comparison> plan;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Workload& w : workloads) {
    if (!seen.emplace(w.name, frontend::canonical_text(w)).second) continue;
    plan.push_back(compare(w, target, db, request, ""));
    if (!request.nchw || w.op != "conv2d" || w.layout != frontend::Layout::any) continue;
    Workload plain = w;
    plain.layout = frontend::Layout::nchw;
    plan.push_back(compare(plain, target, db, request, ".nchw"));
    plan.back().plain_twin = true;
  }
  return plan;
}

}  // namespace swgen::bench
