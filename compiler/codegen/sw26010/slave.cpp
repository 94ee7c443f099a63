// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/slave.h"

#include <algorithm>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/bundle.h"
#include "compiler/codegen/sw26010/mesh_stage.h"

namespace swgen::codegen::sw26010 {

using base::cat;
using namespace ir;

namespace {

class SlaveWriter {
 public:
  SlaveWriter(const Program& program, const target::Target& target, const BoxLoops& box, std::string symbol)
      : program_(program), target_(target), symbol_(std::move(symbol)), task_(symbol_ + "_task"), box_(box) {}

  std::string contraction(const StageProgram& stage, const std::string& entry) {
    mesh_ = mesh_stage(program_, target_, stage);
    Writer w;
    for (const auto& [buffer, operand] : mesh_.operands) operand->define(w, task_);
    if (mesh_.gemm->bias || mesh_.gemm->relu) epilogue(w);
    w.braces(cat("void SLAVE_FUN(", entry, ")(", task_, "* task)"), [&] {
      for (const auto& [buffer, operand] : mesh_.operands)
        if (program_.buffers[buffer].copies > 1) w.line("int ", operand->name(), "_slot = 0;");
      first_requests(w, stage.body, {});
      statements(w, stage.body);
      const std::string out = mesh_.operands.at(mesh_.gemm->c.buffer)->name();
      w.line("dma_wait(&", out, "_reply[0], ", out, "_asked[0]);");
    });
    std::set<std::string> helpers;
    for (const auto& [buffer, operand] : mesh_.operands) {
      helpers.insert(std::string(operand->output() ? "pack" : "unpack") + (operand->turned() ? "_turned" : ""));
      if (operand->scattered()) helpers.insert(operand->output() ? "scattered_put" : "scattered_get");
    }
    std::string text;
    for (const std::string& helper : helpers) text += fragment(helper);
    return text + w.text();
  }

 private:
  static std::string fragment(const std::string& name) { return from_fragment("sw26010/" + name + ".c.in", {}) + "\n"; }

  std::string begin_of(const For& loop) const { return box_.begin_of(loop, "task->begin"); }
  std::string end_of(const For& loop) const { return box_.end_of(loop, "task->end"); }

  /// Double-buffered operands: the first tile is on its way before the loops begin.
  void first_requests(Writer& w, const std::vector<Stmt>& body, std::vector<const For*> outside) {
    for (const Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        std::vector<const For*> inner = outside;
        inner.push_back(loop);
        first_requests(w, loop->body, inner);
      }
      const auto* t = s.as<Transfer>();
      if (t == nullptr || !t->ahead) continue;
      const MeshOperand& operand = *mesh_.operands.at(t->to.buffer);
      std::vector<std::string> args = {"task"};
      for (const std::string& v : operand.variables()) args.push_back(first_value(v, outside));
      w.line(operand.call("ask", args, "0"), ";");
    }
  }

  std::string first_value(const std::string& var, const std::vector<const For*>& loops) const {
    for (const For* l : loops)
      if (l->var == var) return begin_of(*l);
    throw base::Infeasible("a tile depends on loop " + var + ", which runs inside of the place it is staged at");
  }

  void statements(Writer& w, const std::vector<Stmt>& body) {
    for (const Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        w.line("long ", loop->var, ";");
        w.braces(cat("for (", loop->var, " = ", begin_of(*loop), "; ", loop->var, " < ", end_of(*loop), "; ++",
                     loop->var, ")"),
                 [&] {
                   loops_.push_back(loop);
                   statements(w, loop->body);
                   loops_.pop_back();
                 });
      } else if (const auto* t = s.as<Transfer>()) {
        transfer(w, *t);
      } else if (s.as<Gemm>() != nullptr) {
        const std::string arguments = cat("(", mesh_.operands.at(mesh_.gemm->a.buffer)->tile(), ", ", mesh_.operands.at(mesh_.gemm->b.buffer)->tile(), ", ",
                                          mesh_.operands.at(mesh_.gemm->c.buffer)->tile(), ", ", mesh_.m.share().to_c(), ", ", mesh_.n.share().to_c(), ", ",
                                          mesh_.k.share().to_c(), ");");
        if (mesh_.gemm->first.is(1)) {
          w.line("gemm_overwrite", arguments);
        } else {
          w.line("if (", mesh_.gemm->first.to_c(), ")");
          w.line("  gemm_overwrite", arguments);
          w.line("else");
          w.line("  gemm_accumulate", arguments);
        }
      }
    }
  }

  void transfer(Writer& w, const Transfer& t) {
    const MeshOperand& operand = *mesh_.operands.at(t.fill ? t.to.buffer : t.from.buffer);
    const std::vector<std::string>& vars = operand.variables();
    std::vector<std::string> with_task = {"task"};
    with_task.insert(with_task.end(), vars.begin(), vars.end());
    if (operand.output()) {
      if (mesh_.gemm->bias || mesh_.gemm->relu) w.line("finish(", base::join(finish_arguments(), ", "), ");");
      w.line(operand.call("put", with_task, ""), ";");
      return;
    }
    if (!t.ahead) {
      w.line(operand.call("ask", with_task, "0"), ";");
      w.line(operand.call("take", vars, "0"), ";");
      return;
    }
    const std::string slot = operand.name() + "_slot";
    next_request(w, operand, slot);
    w.line(operand.call("take", vars, slot), ";");
    w.line(slot, " = 1 - ", slot, ";");
  }

  /// Asks for the tile of the next iteration, across the borders of the loops around.
  void next_request(Writer& w, const MeshOperand& operand, const std::string& slot) {
    w.braces("", [&] {
      std::string declare = "int more = 1;";
      for (const For* l : loops_) declare += cat(" long next_", l->var, " = ", l->var, ";");
      w.line(declare);
      std::function<void(size_t)> advance = [&](size_t i) {
        const For& l = *loops_[i];
        For renamed = l;
        for (const For* outer : loops_) {
          renamed.begin = renamed.begin.substitute(outer->var, Expr::variable("next_" + outer->var));
          renamed.end = renamed.end.substitute(outer->var, Expr::variable("next_" + outer->var));
        }
        w.braces(cat("if (++next_", l.var, " >= ", box_.end_of(renamed, "task->end"), ")"), [&] {
          w.line("next_", l.var, " = ", box_.begin_of(renamed, "task->begin"), ";");
          if (i == 0)
            w.line("more = 0;");
          else
            advance(i - 1);
        });
      };
      if (loops_.empty())
        w.line("more = 0;");
      else
        advance(loops_.size() - 1);
      std::vector<std::string> args = {"task"};
      for (const std::string& v : operand.variables()) args.push_back("next_" + v);
      w.line("if (more) ", operand.call("ask", args, "1 - " + slot), ";");
    });
  }

  /// Bias and ReLU on the finished tile, in scratch.
  void epilogue(Writer& w) {
    const Side &slow = mesh_.gemm->lanes == Lanes::m ? mesh_.n : mesh_.m, &fast = mesh_.gemm->lanes == Lanes::m ? mesh_.m : mesh_.n;
    const std::string tile = mesh_.operands.at(mesh_.gemm->c.buffer)->tile();
    std::string params = cat("const ", task_, "* task");
    for (const std::string& v : epilogue_variables()) params += ", long " + v;
    const Side* side = nullptr;
    Linear offset;
    if (mesh_.gemm->bias) {
      offset = *offset_of(program_, *mesh_.gemm->bias, mesh_.limits);
      for (const Side* s : {&mesh_.m, &mesh_.n})
        for (const Tile& t : s->tiles)
          if (offset.coefficient(t.name) != 0) {
            if (offset.coefficient(t.name) != 1 || (side != nullptr))
              throw base::Infeasible("the bias does not run along one side of the tile");
            side = s;
            offset.add_term(t.name, -1);
          }
      const int64_t most = ((side != nullptr ? side->extent() + side->multiple : 8) + 7) / 8;
      w.line("static __thread_local element bias_slice[", most, "];");
      w.line("static __thread_local volatile int bias_reply;");
      w.line();
    }
    w.braces(cat("static void finish(", params, ")"), [&] {
      w.line("const long slow = ", slow.share().to_c(), ", fast = ", fast.share().to_c(), ";");
      w.line("long line, place;");
      if (mesh_.gemm->bias) {
        const int64_t there = program_.seed.tensors[mesh_.gemm->bias->tensor].elements();
        const bool along_fast = side == &fast;
        const std::string share = side == nullptr ? "1" : along_fast ? "fast" : "slow";
        const std::string core = side == &mesh_.m ? "_ROW" : "_COL";
        w.line("const long from = ", Expr::from(offset).to_c(), side == nullptr ? "" : " + " + core + " * " + share, ";");
        w.line("const long count = swgen_max(swgen_min(", share, ", ", there, " - from), 0);");
        w.line("bias_reply = 0;");
        w.line("if (count > 0) athread_get(PE_MODE, (void*)(task->", program_.seed.tensors[mesh_.gemm->bias->tensor].name,
               " + from), bias_slice, (int)(count * sizeof(element)), (void*)&bias_reply, 0, 0, 0);");
        w.line("dma_wait(&bias_reply, count > 0 ? 1 : 0);");
        const std::string index = side == nullptr ? "0" : along_fast ? "place" : "line";
        w.line("for (line = 0; line < slow; ++line)");
        w.line("  for (place = 0; place < fast; ++place)");
        w.line("    if (", index, " < count) ", tile, "[line * fast + place] += bias_slice[", index, "];");
      } else {
        w.line("(void)task;");
      }
      if (mesh_.gemm->relu) {
        w.line("for (line = 0; line < slow; ++line)");
        w.line("  for (place = 0; place < fast; ++place)");
        w.line("    if (", tile, "[line * fast + place] < 0) ", tile, "[line * fast + place] = 0;");
      }
      for (const std::string& v : epilogue_variables()) w.line("(void)", v, ";");
    });
    w.line();
  }

  /// Loop variables that the output's part and the bias depend on.
  std::vector<std::string> epilogue_variables() const {
    std::set<std::string> used(mesh_.operands.at(mesh_.gemm->c.buffer)->variables().begin(),
                               mesh_.operands.at(mesh_.gemm->c.buffer)->variables().end());
    return {used.begin(), used.end()};
  }

  std::vector<std::string> finish_arguments() const {
    std::vector<std::string> args = epilogue_variables();
    args.insert(args.begin(), "task");
    return args;
  }

  const Program& program_;
  const target::Target& target_;
  std::string symbol_, task_;
  const BoxLoops& box_;
  MeshStage mesh_;
  std::vector<const For*> loops_;
};

}  // namespace

std::string slave_text(const Program& program, const target::Target& target, const BoxLoops& box,
                       const std::string& symbol, std::vector<std::string>& entries) {
  std::string text;
  int64_t scratch = program.scratch_bytes;
  for (const StageProgram& stage : program.stages) {
    const std::string entry = symbol + "_" + stage.name;
    bool gather = true;
    walk(stage.body, [&](const Stmt& s) { gather &= s.as<Gemm>() == nullptr; });
    if (gather) {
      Writer w;
      scratch = std::max(scratch, write_gather(w, program, stage, symbol, entry));
      text += w.text() + "\n";
    } else {
      text += SlaveWriter(program, target, box, symbol).contraction(stage, entry);
    }
    entries.push_back(entry);
  }
  // All tiles of all stages share one region; each stage places its own from the start.
  return cat("static __thread_local double ldm[", (scratch + 7) / 8, "] __attribute__((aligned(32)));\n\n") + text;
}

}  // namespace swgen::codegen::sw26010
