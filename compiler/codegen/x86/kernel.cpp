// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/x86/kernel.h"

#include <algorithm>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/box_loops.h"
#include "compiler/codegen/writer.h"
#include "compiler/codegen/x86/micro_kernel.h"
#include "compiler/codegen/x86/transfer.h"

namespace swgen::codegen::x86 {

using base::cat;
using namespace ir;

namespace {

class KernelWriter {
 public:
  KernelWriter(const Program& program, const target::Target& target, const Seed& reference, SourceBundle& bundle)
      : program_(program), target_(target), bundle_(bundle) {
    type_ = program.seed.dtype == DType::f32 ? "float" : "double";
    arguments_ = arguments_of(program, reference);
    box_ = find_box_loops(program, reference);
    bundle_.grain = box_.grain;
  }

  std::string write() {
    std::vector<std::pair<const StageProgram*, std::string>> bodies;
    for (size_t s = 0; s < program_.stages.size(); ++s) {
      stage_ = &program_.stages[s];
      limits_ = limits_of(*stage_);
      last_stage_ = s + 1 == program_.stages.size();
      Writer body;
      define_micro_kernels(*stage_);
      stage(body);
      bodies.emplace_back(stage_, body.text());
    }
    const std::string code = kernels_.text() + pack() + run(bodies);
    const auto uses = [&](const char* function) { return code.find(function) != std::string::npos; };
    Writer w;
    if (uses("thread_id()")) {
      w.directive("#ifdef _OPENMP");
      w.line("inline long thread_id() { return omp_get_thread_num(); }");
      w.directive("#else");
      w.line("inline long thread_id() { return 0; }");
      w.directive("#endif");
    }
    if (uses("swgen_min(")) w.line("inline long swgen_min(long a, long b) { return a < b ? a : b; }");
    if (uses("swgen_max(")) w.line("inline long swgen_max(long a, long b) { return a > b ? a : b; }");
    for (int64_t lanes : vectors_)
      w.line("typedef ", type_, " vec", lanes, " __attribute__((vector_size(",
             lanes * size_of(program_.seed.dtype), "), aligned(", size_of(program_.seed.dtype),
             "), may_alias));");
    bundle_.arguments = arguments_;
    bundle_.workspace_bytes = program_.workspace_bytes;
    bundle_.shared_bytes = intermediate_bytes();
    return w.text() + code;
  }

 private:
  std::string pointer(const Operand& o) const {
    if (o.buffer < 0) return program_.seed.tensors[o.tensor].name;
    return program_.buffers[o.buffer].space == Space::prepacked
               ? program_.seed.tensors[o.tensor].name
               : program_.buffers[o.buffer].name;
  }

  void define_micro_kernels(const StageProgram& stage) {
    walk(stage.body, [&](const Stmt& s) {
      const auto* g = s.as<Gemm>();
      if (g == nullptr) return;
      const MicroKernel kernel(program_, *g, limits_, target_);
      if (kernel.lanes() > 1) vectors_.insert(kernel.lanes());
      if (kernel.max_rows() * kernel.max_vectors() > 4 * target_.vector_registers)
        throw base::Infeasible(cat("a register tile of ", kernel.max_rows(), " x ",
                                   kernel.max_vectors(), " vectors does not fit ",
                                   target_.vector_registers, " registers"));
      kernel.define(kernels_);
    });
  }

  void statements(Writer& w, const std::vector<Stmt>& body) {
    bool band_below = false;
    walk(body, [&](const Stmt& s) { band_below |= s.as<For>() != nullptr && s.as<For>()->parallel; });
    for (const Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        if (loop->parallel)
          band(w, *loop);
        else
          w.braces(for_head(*loop), [&] { statements(w, loop->body); });
      } else if (const auto* t = s.as<Transfer>()) {
        if (band_below && !t->fill)
          throw base::Infeasible("an output tile is staged inside the parallel loops, not above");
        const std::string sink = pointer(t->to), source = pointer(t->from);
        w.line("// ", sink, " from ", source, t->fill && !t->guards.empty() ? ", zero where it ends" : "");
        write_transfer(w, program_, *t, limits_, sink, source);
      } else if (const auto* g = s.as<Gemm>()) {
        MicroKernel(program_, *g, limits_, target_)
            .call(w, [&](const Operand& o) { return pointer(o); });
      }
    }
  }

  std::string for_head(const For& loop) const {
    const std::string begin = last_stage_ ? box_.begin_of(loop, "begin") : loop.begin.to_c();
    const std::string end = last_stage_ ? box_.end_of(loop, "end") : loop.end.to_c();
    return cat("for (long ", loop.var, " = ", begin, "; ", loop.var, " < ", end, "; ++", loop.var, ")");
  }

  /// One team for the whole stage: loops and transfers above the parallel band are run by every
  /// thread on tiles of its own, the band is shared out.
  void stage(Writer& w) {
    bool any = false;
    walk(stage_->body, [&](const Stmt& s) { any |= s.as<For>() != nullptr && s.as<For>()->parallel; });
    if (!any) {
      tiles(w, "0");
      statements(w, stage_->body);
      return;
    }
    w.directive("#pragma omp parallel num_threads(threads) if (threads > 1)");
    w.braces("", [&] {
      tiles(w, "thread_id()");
      statements(w, stage_->body);
    });
  }

  void band(Writer& w, const For& outermost) {
    std::vector<const For*> team = {&outermost};
    while (team.back()->body.size() == 1) {
      const auto* inner = team.back()->body[0].as<For>();
      if (inner == nullptr || !inner->parallel) break;
      team.push_back(inner);
    }
    walk(team.back()->body, [&](const Stmt& s) {
      const auto* f = s.as<For>();
      if (f != nullptr && f->parallel)
        throw base::Infeasible("nothing can be staged between parallel loops");
    });
    w.directive(cat("#pragma omp for schedule(static)",
                    team.size() > 1 ? cat(" collapse(", team.size(), ")") : ""));
    std::function<void(size_t)> nest = [&](size_t i) {
      if (i == team.size())
        statements(w, team.back()->body);
      else
        w.braces(for_head(*team[i]), [&] { nest(i + 1); });
    };
    nest(0);
  }

  /// Pointers of this thread's tiles and of intermediate tensors.
  void tiles(Writer& w, const std::string& thread) const {
    bool any = false;
    for (const Buffer& b : program_.buffers) any |= b.space == Space::workspace && uses(b.tensor);
    if (any)
      w.line("char* const scratch = (char*)workspace + ", intermediate_bytes() > 0 ? cat(intermediate_bytes(), " + ") : "",
             thread, " * ", program_.workspace_bytes, "L;");
    for (const Buffer& b : program_.buffers)
      if (b.space == Space::workspace && uses(b.tensor))
        w.line(type_, "* const ", b.name, " = (", type_, "*)(scratch + ", b.offset, ");");
  }

  bool uses(int tensor) const {
    bool found = false;
    walk(stage_->body, [&](const Stmt& s) {
      if (const auto* g = s.as<Gemm>())
        found |= g->a.tensor == tensor || g->b.tensor == tensor || g->c.tensor == tensor;
    });
    return found;
  }

  int64_t intermediate_bytes() const {
    int64_t bytes = 0;
    for (size_t t = 0; t < program_.seed.tensors.size(); ++t)
      if (program_.seed.tensors[t].role == Role::intermediate)
        bytes += (program_.layouts[t].elements(program_.seed.tensors[t].extents) *
                      size_of(program_.seed.dtype) + 63) / 64 * 64;
    return bytes;
  }

  std::string pack() {
    Writer w;
    for (const Stmt& s : program_.prepack) {
      const auto* t = s.as<Transfer>();
      const std::string name = program_.seed.tensors[t->to.tensor].name;
      Limits limits;
      for (const Tile& loop : t->loops) limits[loop.name] = loop.extent - 1;
      w.line();
      w.line("// ", name, " in the order in which the tiles walk it.");
      w.braces(cat("void pack_", name, "(const ", type_, "* ", name, ", ", type_, "* packed)"), [&] {
        write_transfer(w, program_, *t, limits, "packed", name);
      });
    }
    return w.text();
  }

  std::string run(const std::vector<std::pair<const StageProgram*, std::string>>& bodies) const {
    Writer w;
    w.line();
    std::string params;
    for (const Argument& a : arguments_)
      params += cat(a.role == Role::output ? "" : "const ", type_, "* ", a.name, ", ");
    w.line("void run(", params, "void* workspace, const long* begin,");
    w.braces("         const long* end, int threads)", [&] {
      int64_t offset = 0;
      for (size_t t = 0; t < program_.seed.tensors.size(); ++t) {
        const Tensor& tensor = program_.seed.tensors[t];
        if (tensor.role != Role::intermediate) continue;
        w.line(type_, "* const ", tensor.name, " = (", type_, "*)((char*)workspace + ", offset, ");");
        offset += (program_.layouts[t].elements(tensor.extents) * size_of(program_.seed.dtype) + 63) /
                  64 * 64;
      }
      w.line("(void)workspace, (void)begin, (void)end, (void)threads;");
      for (const auto& [stage, body] : bodies) {
        if (bodies.size() > 1) w.line("// stage ", stage->name);
        std::istringstream lines(body);
        for (std::string line; std::getline(lines, line);)
          if (line.rfind('#', 0) == 0)
            w.directive(line);
          else
            w.line(line);
      }
    });
    return w.text();
  }

  const Program& program_;
  const target::Target& target_;
  SourceBundle& bundle_;
  std::string type_;
  std::vector<Argument> arguments_;
  BoxLoops box_;
  std::set<int64_t> vectors_;
  Writer kernels_;
  const StageProgram* stage_ = nullptr;
  Limits limits_;
  bool last_stage_ = true;
};

}  // namespace

std::string kernel_text(const Program& program, const target::Target& target, const Seed& reference,
                        SourceBundle& bundle) {
  return KernelWriter(program, target, reference, bundle).write();
}

}  // namespace swgen::codegen::x86
