// SPDX-License-Identifier: Apache-2.0
#include "tuner/simulate/program.h"

#include <algorithm>
#include <array>
#include <map>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/box_loops.h"
#include "compiler/codegen/sw26010/mesh_stage.h"
#include "tuner/simulate/costs.h"

namespace swgen::tuner {
namespace {

using codegen::sw26010::MeshOperand;
using codegen::sw26010::MeshStage;
using codegen::sw26010::Slice;
using ir::For;
using ir::Transfer;
using sim::CoreGroup;
using Env = std::map<std::string, std::int64_t>;

constexpr std::int64_t kTensorSpace = std::int64_t{1} << 40;  // addresses between tensors, which begin on lines

/// Runs the statements of one contraction stage in the order of its slave code.
class StageRun {
 public:
  StageRun(const ir::Program& program, const target::Target& target, const ir::StageProgram& stage, const codegen::BoxLoops& loops, const Box& box,
           CoreGroup& group)
      : program_(program), loops_(loops), box_(box), group_(group), mesh_(codegen::sw26010::mesh_stage(program, target, stage)),
        element_(ir::size_of(program.seed.dtype)) {}

  void run() {
    first_requests(mesh_.stage->body, {});
    statements(mesh_.stage->body);
    for (auto& [buffer, reply] : replies_)
      if (mesh_.operands.at(buffer)->output()) group_.wait(reply[0]);
  }

 private:
  std::int64_t begin_of(const For& loop) const {
    const auto box = loops_.loops.find(loop.var);
    if (box == loops_.loops.end()) return loop.begin.evaluate(env_);
    return box_.begin[static_cast<size_t>(box->second.dim)] * box->second.scale / box->second.grain;
  }
  std::int64_t end_of(const For& loop) const {
    const auto box = loops_.loops.find(loop.var);
    if (box == loops_.loops.end()) return loop.end.evaluate(env_);
    return (box_.end[static_cast<size_t>(box->second.dim)] * box->second.scale + box->second.grain - 1) / box->second.grain;
  }

  void first_requests(const std::vector<ir::Stmt>& body, std::vector<const For*> outside) {
    for (const ir::Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        outside.push_back(loop);
        const Env kept = env_;
        env_[loop->var] = begin_of(*loop);
        first_requests(loop->body, outside);
        env_ = kept;
        outside.pop_back();
      }
      if (const auto* t = s.as<Transfer>(); t != nullptr && t->ahead) ask(*t, 0);
    }
  }

  void statements(const std::vector<ir::Stmt>& body) {
    for (const ir::Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        around_.push_back(loop);
        const std::int64_t end = end_of(*loop);
        for (std::int64_t i = begin_of(*loop); i < end; ++i) {
          env_[loop->var] = i;
          statements(loop->body);
          group_.compute(kRoundCycles, "loops");
        }
        env_.erase(loop->var);
        around_.pop_back();
      } else if (const auto* t = s.as<Transfer>()) {
        transfer(*t);
      } else if (const auto* g = s.as<ir::Gemm>()) {
        const auto share = [&](const codegen::sw26010::Side& side) { return side.share().evaluate(env_); };
        group_.compute_together(gemm_cycles(g->lanes, g->first.evaluate(env_) != 0, share(mesh_.m), share(mesh_.n), share(mesh_.k)), "gemm");
      }
    }
  }

  void transfer(const Transfer& t) {
    const MeshOperand& operand = mesh_.operand(t);
    const int buffer = t.fill ? t.to.buffer : t.from.buffer;
    if (operand.output()) {
      group_.wait(replies_[buffer][0]);
      convert(operand, true);
      replies_[buffer][0] = request(operand, buffer, "put");
    } else if (!t.ahead) {
      ask(t, 0);
      take(t, 0);
    } else {
      int& slot = slots_[buffer];
      const Env here = env_;
      if (advance()) ask(t, 1 - slot);
      env_ = here;
      take(t, slot);
      slot = 1 - slot;
    }
  }

  /// Steps the loops around to their next iteration; false behind the last.
  bool advance() {
    for (size_t i = around_.size(); i-- > 0;) {
      const For& loop = *around_[i];
      if (++env_[loop.var] < end_of(loop)) {
        for (size_t j = i + 1; j < around_.size(); ++j) env_[around_[j]->var] = begin_of(*around_[j]);
        return true;
      }
    }
    return false;
  }

  void ask(const Transfer& t, int slot) { replies_[t.to.buffer][static_cast<size_t>(slot)] = request(mesh_.operand(t), t.to.buffer, "get"); }

  CoreGroup::Reply request(const MeshOperand& operand, int buffer, const char* what) {
    const MeshOperand::Place place = operand.place(env_);
    const std::int64_t base = program_.buffers[static_cast<size_t>(buffer)].tensor * kTensorSpace;
    std::array<std::vector<sim::DmaRequest>, sim::kCores> requests;
    size_t most = 0;
    for (int core = 0; core < sim::kCores; ++core) {
      auto& own = requests[static_cast<size_t>(core)];
      for (const Slice& s : operand.slices(place, core / 8, core % 8)) {
        if (s.elements() == 0) continue;
        const std::int64_t at = base + s.offset * element_, row = operand.row_stride() * element_;
        if (operand.scattered())
          for (std::int64_t r = 0; r < s.rows; ++r)
            own.push_back({operand.output(), at + r * row, element_, operand.run_stride() * element_, s.high - s.low});
        else
          own.push_back({operand.output(), at, (s.high - s.low) * element_, row, s.rows});
      }
      most = std::max(most, own.size());
    }
    group_.compute(kPlaceCycles, what);
    CoreGroup::Reply all;
    for (size_t i = 0; i < most; ++i) {
      std::array<sim::DmaRequest, sim::kCores> round{};
      for (size_t core = 0; core < sim::kCores; ++core)
        if (i < requests[core].size()) round[core] = requests[core][i];
      const CoreGroup::Reply reply = group_.transfer(round, what);
      for (size_t core = 0; core < sim::kCores; ++core) all.done[core] = std::max(all.done[core], reply.done[core]);
    }
    return all;
  }

  void take(const Transfer& t, int slot) {
    group_.wait(replies_[t.to.buffer][static_cast<size_t>(slot)]);
    convert(mesh_.operand(t), false);
  }

  void convert(const MeshOperand& operand, bool narrow) {
    const MeshOperand::Place place = operand.place(env_);
    std::array<std::int64_t, sim::kCores> cycles{};
    for (int core = 0; core < sim::kCores; ++core) {
      std::int64_t there = 0;
      auto& own = cycles[static_cast<size_t>(core)];
      own = kPlaceCycles;
      for (const Slice& s : operand.slices(place, core / 8, core % 8)) {
        const std::int64_t length = s.high - s.low;
        there += s.elements();
        Conversion c{program_.seed.dtype, narrow, operand.turned(), s.raw % 4 == 0 && length % 4 == 0, s.rows, length, place.run};
        if (operand.turned())
          c.vectors &= s.rows == place.rows && place.rows % 4 == 0;
        else
          c.vectors &= s.low % 4 == 0 && place.run % 4 == 0;
        if (operand.turned() && narrow) std::swap(c.rows, c.length);
        own += conversion_cycles(c);
      }
      if (!narrow && there < place.rows * place.run) own += zero_cycles(place.rows * place.run);
    }
    group_.compute(cycles, narrow ? "narrow" : "widen");
  }

  const ir::Program& program_;
  const codegen::BoxLoops& loops_;
  const Box& box_;
  CoreGroup& group_;
  MeshStage mesh_;
  std::int64_t element_;
  Env env_;
  std::vector<const For*> around_;
  std::map<int, std::array<CoreGroup::Reply, 2>> replies_;  // by buffer and slot
  std::map<int, int> slots_;
};

/// im2col: blocks of output rows dealt to the cores; each is read, spread in C, and written, one after the other. Borders are
/// taken as whole.
void run_gather(const ir::Program& program, const ir::StageProgram& stage, CoreGroup& group) {
  constexpr std::int64_t kZero = 2, kCopy = 6, kBudget = 40 << 10;  // cycles an element, as compiled; bytes of scratch
  const Transfer* t = nullptr;
  ir::walk(stage.body, [&](const ir::Stmt& s) {
    if (s.as<Transfer>() != nullptr) t = s.as<Transfer>();
  });
  const std::int64_t element = ir::size_of(program.seed.dtype);
  std::int64_t all = 1;
  for (const ir::Tile& l : t->loops) all *= l.extent;
  std::vector<ir::Tile> loops = t->loops;
  std::erase_if(loops, [](const ir::Tile& l) { return l.extent == 1; });
  const std::int64_t v = loops.empty() ? 1 : program.seed.tensors[static_cast<size_t>(t->to.tensor)].extents.back();
  const std::int64_t u = std::max<std::int64_t>(1, std::min(program.seed.tensors[static_cast<size_t>(t->to.tensor)].extents.rbegin()[1], kBudget / element / (2 * v)));
  const std::int64_t items = (all + u * v - 1) / (u * v);
  const std::int64_t pitch = program.seed.tensors[static_cast<size_t>(t->from.tensor)].extents.back() * element;
  for (std::int64_t done = 0; done < items; done += sim::kCores) {
    std::array<sim::DmaRequest, sim::kCores> get{}, put{};
    for (std::int64_t c = 0; c < std::min<std::int64_t>(sim::kCores, items - done); ++c) {
      get[static_cast<size_t>(c)] = {false, (done + c) * u * pitch + element, v * element, pitch, u};
      put[static_cast<size_t>(c)] = {true, kTensorSpace + (done + c) * u * v * element, u * v * element, 0, 1};
    }
    const CoreGroup::Reply reply = group.transfer(get, "get");
    group.compute(u * v * kZero, "zero");
    group.wait(reply);
    group.compute(u * v * kCopy, "spread");
    group.wait(group.transfer(put, "put"));
  }
}

/// The part of the output that the busiest of `groups` core groups computes, cut along one dimension.
Box busiest_part(const ir::Seed& reference, const codegen::BoxLoops& loops, std::int64_t groups) {
  const std::vector<std::int64_t>& extents = reference.tensors[0].extents;
  Box box{std::vector<std::int64_t>(extents.size(), 0), extents};
  double best = 1;
  size_t along = extents.size();
  std::int64_t size = 0;
  for (size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t grain = loops.grain[d], units = (extents[d] + grain - 1) / grain, share = std::min(extents[d], (units + groups - 1) / groups * grain);
    const double part = static_cast<double>(share) / static_cast<double>(extents[d]);
    if (part < best) best = part, along = d, size = share;
  }
  if (along < extents.size()) box.end[along] = size;
  return box;
}

}  // namespace

Simulation simulate(const ir::Program& program, const ir::Seed& reference, const target::Target& target, std::int64_t core_groups, bool spans) {
  Simulation out;
  const codegen::BoxLoops loops = codegen::find_box_loops(program, reference);
  const Box box = busiest_part(reference, loops, core_groups);
  out.core_groups = core_groups;
  for (size_t t = 0; t < program.seed.tensors.size(); ++t)
    out.memory_bytes += program.layouts[t].elements(program.seed.tensors[t].extents) * ir::size_of(program.seed.dtype);
  for (const ir::StageProgram& stage : program.stages) {
    const size_t spans_before = out.spans.size();
    CoreGroup group(group_costs(target), spans ? &out.spans : nullptr);
    bool gather = true;
    ir::walk(stage.body, [&](const ir::Stmt& s) { gather &= s.as<ir::Gemm>() == nullptr; });
    if (gather)
      run_gather(program, stage, group);
    else
      StageRun(program, target, stage, loops, box, group).run();
    for (size_t i = spans_before; i < out.spans.size(); ++i) {
      out.spans[i].begin += out.cycles;
      out.spans[i].end += out.cycles;
    }
    out.cycles += group.finish();
    const sim::GroupCounters& c = group.counters();
    out.counters.cycles += c.cycles;
    out.counters.compute += c.compute;
    out.counters.waiting += c.waiting;
    out.counters.primitive_calls += c.primitive_calls;
    for (const auto& [sum, more] : {std::pair{&out.counters.gets, &c.gets}, {&out.counters.puts, &c.puts}}) {
      sum->requests += more->requests;
      sum->bytes += more->bytes;
      sum->lines += more->lines;
      sum->busy += more->busy;
    }
  }
  out.seconds = static_cast<double>(out.cycles) / (target.clock_ghz * 1e9);
  return out;
}

}  // namespace swgen::tuner
