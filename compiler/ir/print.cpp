// SPDX-License-Identifier: Apache-2.0
// Text of a Program: for `explain --after PASS` and goldens.
#include <sstream>

#include "compiler/base/error.h"
#include "compiler/ir/program.h"

namespace swgen::ir {
namespace {

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string text() {
    out_ << "program " << program_.seed.algorithm << " schedule \"" << program_.schedule << "\"\n";
    for (const Buffer& b : program_.buffers) {
      out_ << "buffer " << b.name << ": " << b.elements << " elements";
      if (b.copies > 1) out_ << " x " << b.copies;
      out_ << (b.space == Space::prepacked   ? " prepacked"
               : b.space == Space::workspace ? " workspace"
                                             : " scratch");
      if (b.offset >= 0) out_ << " at byte " << b.offset;
      out_ << '\n';
    }
    if (!program_.prepack.empty()) {
      out_ << "prepack\n";
      body(program_.prepack, 1);
    }
    for (const StageProgram& stage : program_.stages) {
      out_ << "stage " << stage.name << '\n';
      body(stage.body, 1);
    }
    return out_.str();
  }

 private:
  std::string operand(const Operand& o) const {
    std::string s = o.buffer >= 0 ? program_.buffers[o.buffer].name
                                  : program_.seed.tensors[o.tensor].name;
    s += '[';
    for (size_t d = 0; d < o.index.size(); ++d)
      s += (d > 0 ? ", " : "") + Expr::from(o.index[d]).to_c();
    return s + ']';
  }

  static std::string tiles(const std::vector<Tile>& tiles) {
    std::string s;
    for (const Tile& t : tiles)
      s += ' ' + t.name + '=' + t.begin.to_c() + ".." + t.end.to_c() + '/' +
           std::to_string(t.extent);
    return s.empty() ? " 1" : s;
  }

  void body(const std::vector<Stmt>& stmts, int depth) {
    const std::string pad(2 * depth, ' ');
    for (const Stmt& s : stmts) {
      if (const auto* block = s.as<Block>()) {
        body(block->body, depth);
      } else if (const auto* loop = s.as<For>()) {
        out_ << pad << (loop->parallel ? "parallel " : "") << "for " << loop->var << " in "
             << loop->begin.to_c() << ".." << loop->end.to_c() << '\n';
        body(loop->body, depth + 1);
      } else if (const auto* staged = s.as<Staged>()) {
        out_ << pad << "stage " << program_.seed.tensors[staged->tensor].name << " as "
             << staged->layout << '\n';
        body(staged->body, depth + 1);
      } else if (const auto* t = s.as<Transfer>()) {
        out_ << pad << "transfer" << (t->ahead ? " ahead" : "") << tiles(t->loops) << ": "
             << operand(t->to) << " = " << operand(t->from);
        for (const Guard& g : t->guards)
          out_ << (t->fill ? " or 0 unless 0 <= " : " if 0 <= ") << Expr::from(g.value).to_c()
               << " < " << g.extent;
        out_ << '\n';
      } else if (const auto* g = s.as<Gemm>()) {
        out_ << pad << "gemm m:" << tiles(g->m) << " n:" << tiles(g->n) << " k:" << tiles(g->k)
             << ": " << operand(g->c) << " += " << operand(g->a) << " * " << operand(g->b);
        for (const Guard& guard : g->guards)
          out_ << " if 0 <= " << Expr::from(guard.value).to_c() << " < " << guard.extent;
        out_ << " first " << g->first.to_c() << " last " << g->last.to_c() << '\n';
      }
    }
  }

  const Program& program_;
  std::ostringstream out_;
};

}  // namespace

std::string to_text(const Program& program) { return Printer(program).text(); }

}  // namespace swgen::ir
