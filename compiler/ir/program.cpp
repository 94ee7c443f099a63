// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/program.h"

#include <set>

#include "compiler/base/error.h"

namespace swgen::ir {

Limits limits_of(const StageProgram& stage) {
  Limits limits;
  for (const Part& part : stage.parts) limits[part.name] = part.extent - 1;
  walk(stage.body, [&](const Stmt& s) {
    if (const auto* t = s.as<Transfer>())
      for (const Tile& loop : t->loops) limits[loop.name] = loop.extent - 1;
  });
  return limits;
}

std::optional<Linear> offset_of(const Program& program, const Operand& operand,
                                const Limits& limits) {
  if (operand.buffer < 0)
    return element_offset(program.layouts[operand.tensor],
                          program.seed.tensors[operand.tensor].extents, operand.index, limits);
  const Buffer& buffer = program.buffers[operand.buffer];
  if (buffer.by_parts) return buffer.address;
  std::vector<Linear> inside = operand.index;
  for (size_t d = 0; d < inside.size(); ++d) inside[d].add(buffer.corner[d], -1);
  return element_offset(buffer.layout, buffer.extents, inside, limits);
}

std::vector<Stmt> rewrite(const std::vector<Stmt>& body,
                          const std::function<std::vector<Stmt>(const Stmt&)>& rewrite_one) {
  std::vector<Stmt> out;
  for (const Stmt& s : body) {
    Stmt rebuilt = s;
    if (const auto* block = s.as<Block>()) {
      rebuilt = Block{rewrite(block->body, rewrite_one)};
    } else if (const auto* loop = s.as<For>()) {
      For copy = *loop;
      copy.body = rewrite(loop->body, rewrite_one);
      rebuilt = copy;
    } else if (const auto* staged = s.as<Staged>()) {
      Staged copy = *staged;
      copy.body = rewrite(staged->body, rewrite_one);
      rebuilt = copy;
    }
    for (Stmt& r : rewrite_one(rebuilt)) out.push_back(std::move(r));
  }
  return out;
}

void walk(const std::vector<Stmt>& body, const std::function<void(const Stmt&)>& visit) {
  for (const Stmt& s : body) {
    visit(s);
    if (const auto* block = s.as<Block>()) walk(block->body, visit);
    if (const auto* loop = s.as<For>()) walk(loop->body, visit);
    if (const auto* staged = s.as<Staged>()) walk(staged->body, visit);
  }
}

namespace {

/// Checks one stage: variables are defined before use and bound once, operands fit their tensors.
class Verifier {
 public:
  Verifier(const Program& program, std::string after) : program_(program), after_(std::move(after)) {}

  void stage(const std::vector<Stmt>& body) { statements(body); }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw base::InternalError("after " + after_ + ": " + what);
  }

  void enter(const std::string& var) {
    if (!bound_.insert(var).second) fail("variable " + var + " is bound twice");
  }

  void expr(const Expr& e) const {
    if (e.op() == Op::constant) return;
    if (e.op() == Op::variable) {
      if (bound_.count(e.name()) == 0) fail("variable " + e.name() + " is not bound");
      return;
    }
    expr(e.left());
    expr(e.right());
  }

  void linear(const Linear& form) const {
    for (const auto& [var, c] : form.terms)
      if (bound_.count(var) == 0) fail("variable " + var + " is not bound");
  }

  void operand(const Operand& o) const {
    if (o.tensor < 0 || o.tensor >= static_cast<int>(program_.seed.tensors.size()))
      fail("an operand names no tensor");
    if (o.index.size() != program_.seed.tensors[o.tensor].extents.size())
      fail("an operand has a wrong number of indices");
    if (o.buffer >= static_cast<int>(program_.buffers.size())) fail("an operand names no buffer");
    for (const Linear& form : o.index) linear(form);
  }

  void tiles(const std::vector<Tile>& tiles) {
    for (const Tile& tile : tiles) {
      expr(tile.begin);
      expr(tile.end);
      enter(tile.name);
    }
  }

  void leave(const std::vector<Tile>& tiles) {
    for (const Tile& tile : tiles) bound_.erase(tile.name);
  }

  void statements(const std::vector<Stmt>& body) {
    for (const Stmt& s : body) {
      if (const auto* block = s.as<Block>()) {
        statements(block->body);
      } else if (const auto* staged = s.as<Staged>()) {
        statements(staged->body);
      } else if (const auto* loop = s.as<For>()) {
        expr(loop->begin);
        expr(loop->end);
        enter(loop->var);
        statements(loop->body);
        bound_.erase(loop->var);
      } else if (const auto* t = s.as<Transfer>()) {
        tiles(t->loops);
        operand(t->to);
        operand(t->from);
        for (const Guard& g : t->guards) linear(g.value);
        leave(t->loops);
      } else if (const auto* g = s.as<Gemm>()) {
        for (const auto* list : {&g->m, &g->n, &g->k}) tiles(*list);
        for (const Operand* o : {&g->a, &g->b, &g->c}) operand(*o);
        if (g->bias) operand(*g->bias);
        for (const Guard& guard : g->guards) linear(guard.value);
        for (const auto* list : {&g->m, &g->n, &g->k}) leave(*list);
        expr(g->first);
        expr(g->last);
      }
    }
  }

  const Program& program_;
  std::string after_;
  std::set<std::string> bound_;
};

}  // namespace

void verify(const Program& program, const std::string& after) {
  if (program.layouts.size() != program.seed.tensors.size())
    throw base::InternalError("after " + after + ": not every tensor has a layout");
  for (const StageProgram& stage : program.stages) Verifier(program, after).stage(stage.body);
  Verifier(program, after).stage(program.prepack);
}

}  // namespace swgen::ir
