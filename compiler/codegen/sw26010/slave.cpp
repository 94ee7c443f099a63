// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/slave.h"

#include <algorithm>
#include <map>
#include <memory>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/bundle.h"
#include "compiler/codegen/sw26010/mesh_operand.h"

namespace swgen::codegen::sw26010 {

using base::cat;
using namespace ir;

namespace {

class SlaveWriter {
 public:
  SlaveWriter(const Program& program, const target::Target& target, const BoxLoops& box, std::string symbol)
      : program_(program), target_(target), symbol_(std::move(symbol)), task_(symbol_ + "_task"), box_(box) {}

  std::string contraction(const StageProgram& stage, const std::string& entry) {
    stage_ = &stage;
    limits_ = limits_of(stage);
    walk(stage.body, [&](const Stmt& s) {
      if (const auto* g = s.as<Gemm>()) gemm_ = g;
    });
    base::require(gemm_ != nullptr, "a contraction stage has a primitive");
    if (gemm_->lanes == Lanes::k) throw base::Infeasible("the mesh primitive has lanes along M or N");
    for (const Operand* o : {&gemm_->a, &gemm_->b, &gemm_->c})
      if (o->buffer < 0)
        throw base::Infeasible(program_.seed.tensors[o->tensor].name + " is not staged in the scratchpad");
    const target::MeshGemm& rule = target_.mesh_gemm;
    m_ = {'M', gemm_->m, gemm_->lanes == Lanes::m ? rule.lanes_multiple : rule.other_multiple};
    n_ = {'N', gemm_->n, gemm_->lanes == Lanes::m ? rule.other_multiple : rule.lanes_multiple};
    k_ = {'K', gemm_->k, rule.k_multiple};
    for (const Tile& t : gemm_->k)
      if (!t.begin.is(0)) throw base::Infeasible("a reduction of the mesh primitive begins at 0");
    make_operands(stage.body);
    Writer w;
    for (const auto& [buffer, operand] : operands_) operand->define(w, task_);
    if (gemm_->bias || gemm_->relu) epilogue(w);
    w.braces(cat("void SLAVE_FUN(", entry, ")(", task_, "* task)"), [&] {
      for (const auto& [buffer, operand] : operands_)
        if (program_.buffers[buffer].copies > 1) w.line("int ", operand->name(), "_slot = 0;");
      first_requests(w, stage.body, {});
      statements(w, stage.body);
    });
    std::string text = fragment(gemm_->lanes == Lanes::m ? "gemm_lanes_m" : "gemm_lanes_n");
    for (const char* direction : {"get", "put"}) {
      const bool wanted = std::any_of(operands_.begin(), operands_.end(), [&](const auto& o) {
        return o.second->scattered() && o.second->output() == (direction[0] == 'p');
      });
      if (wanted) text += fragment(std::string("scattered_") + direction);
    }
    return text + w.text();
  }

 private:
  static std::string fragment(const std::string& name) { return from_fragment("sw26010/" + name + ".c.in", {}) + "\n"; }

  void make_operands(const std::vector<Stmt>& body) {
    walk(body, [&](const Stmt& s) {
      const auto* t = s.as<Transfer>();
      if (t == nullptr) return;
      const int buffer = t->fill ? t->to.buffer : t->from.buffer;
      const bool a = buffer == gemm_->a.buffer, b = buffer == gemm_->b.buffer;
      // A is cut M x K, B is cut K x N, C is cut M x N over mesh rows x columns.
      const Side& over_rows = b ? k_ : m_;
      const Side& over_columns = a ? k_ : n_;
      const char fast = a ? 'M' : b ? 'N' : gemm_->lanes == Lanes::m ? 'M' : 'N';
      operands_[buffer] = std::make_unique<MeshOperand>(program_, *t, limits_, over_rows, over_columns, fast);
    });
  }

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
      const MeshOperand& operand = *operands_.at(t->to.buffer);
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
        const std::string zero_tile =
            cat("zero(", operands_.at(gemm_->c.buffer)->tile(), ", (", m_.share(), ") * (", n_.share(), "));");
        w.line(gemm_->first.is(1) ? "" : cat("if (", gemm_->first.to_c(), ") "), zero_tile);
        w.line("gemm(", operands_.at(gemm_->a.buffer)->tile(), ", ", operands_.at(gemm_->b.buffer)->tile(), ", ",
               operands_.at(gemm_->c.buffer)->tile(), ", ", m_.share(), ", ", n_.share(), ", ", k_.share(), ");");
      }
    }
  }

  void transfer(Writer& w, const Transfer& t) {
    const MeshOperand& operand = *operands_.at(t.fill ? t.to.buffer : t.from.buffer);
    const std::vector<std::string>& vars = operand.variables();
    std::vector<std::string> with_task = {"task"};
    with_task.insert(with_task.end(), vars.begin(), vars.end());
    if (operand.output()) {
      if (gemm_->bias || gemm_->relu) w.line("finish(", base::join(finish_arguments(), ", "), ");");
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
    const Side &slow = gemm_->lanes == Lanes::m ? n_ : m_, &fast = gemm_->lanes == Lanes::m ? m_ : n_;
    const std::string tile = operands_.at(gemm_->c.buffer)->tile();
    std::string params = cat("const ", task_, "* task");
    for (const std::string& v : epilogue_variables()) params += ", long " + v;
    const Side* side = nullptr;
    Linear offset;
    if (gemm_->bias) {
      offset = *offset_of(program_, *gemm_->bias, limits_);
      for (const Side* s : {&m_, &n_})
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
      w.line("const long slow = ", slow.share(), ", fast = ", fast.share(), ";");
      w.line("long line, place;");
      if (gemm_->bias) {
        const int64_t there = program_.seed.tensors[gemm_->bias->tensor].elements();
        const bool along_fast = side == &fast;
        const std::string share = side == nullptr ? "1" : along_fast ? "fast" : "slow";
        const std::string core = side == &m_ ? "_ROW" : "_COL";
        w.line("const long from = ", Expr::from(offset).to_c(), side == nullptr ? "" : " + " + core + " * " + share, ";");
        w.line("const long count = swgen_max(swgen_min(", share, ", ", there, " - from), 0);");
        w.line("bias_reply = 0;");
        w.line("if (count > 0) athread_get(PE_MODE, (void*)(task->", program_.seed.tensors[gemm_->bias->tensor].name,
               " + from), bias_slice, (int)(count * sizeof(element)), (void*)&bias_reply, 0, 0, 0);");
        w.line("dma_wait(&bias_reply, count > 0 ? 1 : 0);");
        const std::string index = side == nullptr ? "0" : along_fast ? "place" : "line";
        w.line("for (line = 0; line < slow; ++line)");
        w.line("  for (place = 0; place < fast; ++place)");
        w.line("    if (", index, " < count) ", tile, "[line * fast + place] += bias_slice[", index, "];");
      } else {
        w.line("(void)task;");
      }
      if (gemm_->relu) {
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
    std::set<std::string> used(operands_.at(gemm_->c.buffer)->variables().begin(),
                               operands_.at(gemm_->c.buffer)->variables().end());
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
  const StageProgram* stage_ = nullptr;
  const Gemm* gemm_ = nullptr;
  Limits limits_;
  Side m_, n_, k_;
  std::map<int, std::unique_ptr<MeshOperand>> operands_;
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
