// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/pipeliner.h"

#include <algorithm>
#include <array>
#include <climits>

#include "compiler/base/error.h"

namespace swgen::codegen::sw26010 {
namespace {

/// `to` issues at least `delay` cycles after `from` of `distance` iterations before. Delay 0: in the same cycle, but
/// behind it in the text.
struct Edge {
  int from, to, delay, distance;
};

bool meet(const std::vector<int>& a, const std::vector<int>& b, int first = 0, int end = INT_MAX) {
  return std::any_of(a.begin(), a.end(), [&](int r) { return r >= first && r < end && std::find(b.begin(), b.end(), r) != b.end(); });
}

/// Cycles between two operations of which `first` stands before `second` in the text; -1: none needed.
int delay(const Operation& first, const Operation& second) {
  int cycles = -1;
  if (meet(first.reads, second.writes)) cycles = 0;
  const auto ordered = [&](int from, int end) { return meet(first.writes, second.reads, from, end) || meet(first.writes, second.writes, from, end); };
  if (ordered(kRegisters, INT_MAX)) cycles = 1;
  if (ordered(0, kRegisters)) cycles = first.latency;
  return cycles;
}

std::vector<Edge> edges_of(const std::vector<Operation>& ops, bool loop) {
  std::vector<Edge> edges;
  const int n = static_cast<int>(ops.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int d = delay(ops[i], ops[j]);
      if (d < 0) continue;
      if (i < j) edges.push_back({i, j, d, 0});
      if (loop) edges.push_back({i, j, d, 1});
    }
  return edges;
}

/// The longest way from each operation to the end of an iteration: what is urgent.
std::vector<int> heights(const std::vector<Operation>& ops, const std::vector<Edge>& edges, int interval) {
  std::vector<int> height(ops.size(), 0);
  for (size_t round = 0; round < ops.size(); ++round)
    for (const Edge& e : edges)
      height[e.from] = std::max(height[e.from], height[e.to] + e.delay - e.distance * interval);
  return height;
}

/// Which operation has each pipe in each cycle, -1: none.
class Table {
 public:
  explicit Table(int cycles) : rows_(static_cast<size_t>(cycles), {-1, -1}) {}

  /// The pipe that would take the operation, -1 when none is free.
  int free_pipe(Pipe pipe, int cycle) const {
    for (int p : {1, 0})
      if (allows(pipe, p) && rows_[static_cast<size_t>(cycle)][static_cast<size_t>(p)] < 0) return p;
    return -1;
  }
  static bool allows(Pipe pipe, int p) { return pipe == Pipe::either || (pipe == Pipe::p0) == (p == 0); }
  int& at(int cycle, int p) { return rows_[static_cast<size_t>(cycle)][static_cast<size_t>(p)]; }

 private:
  std::vector<std::array<int, 2>> rows_;
};

constexpr int kBranch = INT_MAX;

class ModuloScheduler {
 public:
  ModuloScheduler(const std::vector<Operation>& ops, int interval)
      : ops_(ops), ii_(interval), edges_(edges_of(ops, true)), height_(heights(ops, edges_, interval)), table_(interval),
        time_(ops.size(), -1), last_(ops.size(), -1) {
    table_.at(interval - 1, 1) = kBranch;
  }

  /// The cycle of every operation, counted from the begin of its iteration; empty when the budget does not suffice.
  std::vector<int> run() {
    for (const Edge& e : edges_)
      if (e.from == e.to && e.delay > e.distance * ii_) return {};
    for (int budget = 200 * static_cast<int>(ops_.size()); budget > 0; --budget) {
      const int op = most_urgent();
      if (op < 0) return time_;
      place(op);
    }
    return {};
  }

 private:
  int most_urgent() const {
    int best = -1;
    for (int i = 0; i < static_cast<int>(ops_.size()); ++i)
      if (time_[i] < 0 && (best < 0 || height_[i] > height_[best])) best = i;
    return best;
  }

  void place(int op) {
    int earliest = 0;
    for (const Edge& e : edges_)
      if (e.to == op && e.from != op && time_[e.from] >= 0) earliest = std::max(earliest, time_[e.from] + e.delay - e.distance * ii_);
    int cycle = -1, pipe = -1;
    for (int t = earliest; t < earliest + ii_ && pipe < 0; ++t) {
      pipe = table_.free_pipe(ops_[op].pipe, t % ii_);
      cycle = t;
    }
    if (pipe < 0) {
      cycle = std::max(earliest, last_[op] + 1);
      pipe = ops_[op].pipe == Pipe::p0 ? 0 : 1;
      if (table_.at(cycle % ii_, pipe) == kBranch) ++cycle;
    }
    int& slot = table_.at(cycle % ii_, pipe);
    if (slot >= 0) remove(slot);
    slot = op;
    time_[op] = last_[op] = cycle;
    for (const Edge& e : edges_) {
      if (e.from == op && e.to != op && time_[e.to] >= 0 && time_[e.to] < cycle + e.delay - e.distance * ii_) remove(e.to);
      if (e.to == op && e.from != op && time_[e.from] >= 0 && cycle < time_[e.from] + e.delay - e.distance * ii_) remove(e.from);
    }
  }

  void remove(int op) {
    for (int p : {0, 1})
      if (table_.at(time_[op] % ii_, p) == op) table_.at(time_[op] % ii_, p) = -1;
    time_[op] = -1;
  }

  const std::vector<Operation>& ops_;
  const int ii_;
  std::vector<Edge> edges_;
  std::vector<int> height_;
  Table table_;
  std::vector<int> time_, last_;
};

/// Operations that share a cycle: the one that reads before the one that writes what it reads.
bool before(const Operation& a, const Operation& b) {
  if (meet(a.reads, b.writes) != meet(b.reads, a.writes)) return meet(a.reads, b.writes);
  return a.pipe == Pipe::p0 && b.pipe != Pipe::p0;
}

}  // namespace

Straight schedule_straight(const std::vector<Operation>& ops) {
  const std::vector<Edge> edges = edges_of(ops, false);
  const std::vector<int> height = heights(ops, edges, 0);
  const int n = static_cast<int>(ops.size());
  std::vector<int> time(ops.size(), -1);
  Straight out;
  for (int done = 0, cycle = 0; done < n; ++cycle) {
    Table row(1);
    std::vector<int> issued;
    while (issued.size() < 2) {
      int best = -1, pipe = -1;
      for (int i = 0; i < n; ++i) {
        if (time[i] >= 0) continue;
        bool ready = true;
        for (const Edge& e : edges)
          if (e.to == i) ready &= time[e.from] >= 0 && time[e.from] + e.delay <= cycle;
        const int p = row.free_pipe(ops[i].pipe, 0);
        if (!ready || p < 0 || (best >= 0 && height[i] <= height[best])) continue;
        best = i;
        pipe = p;
      }
      if (best < 0) break;
      time[best] = cycle;
      row.at(0, pipe) = best;
      issued.push_back(best);
      ++done;
    }
    for (int i : issued) out.operations.push_back(ops[i]);
    out.cycles = cycle + 1;
  }
  return out;
}

Loop schedule_loop(const std::vector<Operation>& ops, int wanted) {
  int p0 = 0, p1 = 1, all = static_cast<int>(ops.size()) + 1;  // the branch is on P1
  for (const Operation& o : ops) {
    p0 += o.pipe == Pipe::p0 ? 1 : 0;
    p1 += o.pipe == Pipe::p1 ? 1 : 0;
  }
  const int least = std::max({p0, p1, (all + 1) / 2, 2});
  for (int interval = std::max(least, wanted); interval <= 4 * least; ++interval) {
    const std::vector<int> time = ModuloScheduler(ops, interval).run();
    if (time.empty()) continue;
    Loop loop;
    loop.interval = interval;
    for (size_t i = 0; i < ops.size(); ++i) {
      loop.body.push_back({ops[i], time[i] % interval, time[i] / interval});
      loop.stages = std::max(loop.stages, time[i] / interval + 1);
    }
    std::stable_sort(loop.body.begin(), loop.body.end(), [](const Loop::Placed& a, const Loop::Placed& b) {
      return a.cycle != b.cycle ? a.cycle < b.cycle : before(a.operation, b.operation);
    });
    return loop;
  }
  throw base::InternalError("no software pipeline found for a loop of " + std::to_string(ops.size()) + " operations");
}

std::vector<Operation> Loop::prologue() const {
  std::vector<Operation> out;
  for (int filled = 0; filled + 1 < stages; ++filled)
    for (const Placed& p : body)
      if (p.stage <= filled) out.push_back(p.operation);
  return out;
}

std::vector<Operation> Loop::epilogue() const {
  std::vector<Operation> out;
  for (int drained = 1; drained < stages; ++drained)
    for (const Placed& p : body)
      if (p.stage >= drained) out.push_back(p.operation);
  return out;
}

}  // namespace swgen::codegen::sw26010
