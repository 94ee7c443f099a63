// SPDX-License-Identifier: Apache-2.0
// Drops loops of one iteration. Their variable is zero everywhere.
#include <set>

#include "compiler/passes/passes.h"

namespace swgen::passes {
namespace {

using namespace ir;

void drop(Linear& form, const std::string& var) { form.add_term(var, -form.coefficient(var)); }

void drop(Operand& o, const std::string& var) {
  for (Linear& index : o.index) drop(index, var);
}

void drop(std::vector<Tile>& tiles, const std::string& var) {
  for (Tile& tile : tiles) {
    tile.begin = tile.begin.substitute(var, 0);
    tile.end = tile.end.substitute(var, 0);
  }
}

Stmt without(const Stmt& s, const std::string& var) {
  if (const auto* loop = s.as<For>()) {
    For copy = *loop;
    copy.begin = copy.begin.substitute(var, 0);
    copy.end = copy.end.substitute(var, 0);
    return copy;
  }
  if (const auto* t = s.as<Transfer>()) {
    Transfer copy = *t;
    drop(copy.loops, var);
    drop(copy.to, var);
    drop(copy.from, var);
    for (Guard& g : copy.guards) drop(g.value, var);
    return copy;
  }
  if (const auto* g = s.as<Gemm>()) {
    Gemm copy = *g;
    for (auto* list : {&copy.m, &copy.n, &copy.k}) drop(*list, var);
    for (Operand* o : {&copy.a, &copy.b, &copy.c}) drop(*o, var);
    if (copy.bias) drop(*copy.bias, var);
    for (Guard& guard : copy.guards) drop(guard.value, var);
    copy.first = copy.first.substitute(var, 0);
    copy.last = copy.last.substitute(var, 0);
    return copy;
  }
  return s;
}

/// Buffers of one stage; another stage may have a loop of the same name that is longer.
std::set<int> buffers_of(const std::vector<Stmt>& body) {
  std::set<int> used;
  walk(body, [&](const Stmt& s) {
    if (const auto* t = s.as<Transfer>()) used.insert({t->to.buffer, t->from.buffer});
    if (const auto* g = s.as<Gemm>()) used.insert({g->a.buffer, g->b.buffer, g->c.buffer});
  });
  used.erase(-1);
  return used;
}

void drop(Buffer& b, const std::string& var) {
  drop(b.address, var);
  for (Linear& corner : b.corner) drop(corner, var);
}

}  // namespace

void simplify(Program& program, const target::Target&) {
  for (StageProgram& stage : program.stages) {
    const std::set<int> buffers = buffers_of(stage.body);
    stage.body = rewrite(stage.body, [&](const Stmt& s) -> std::vector<Stmt> {
      const auto* loop = s.as<For>();
      if (loop == nullptr || !loop->begin.is(0) || !loop->end.is(1)) return {s};
      for (int b : buffers) drop(program.buffers[b], loop->var);
      return rewrite(loop->body,
                     [&](const Stmt& inner) -> std::vector<Stmt> { return {without(inner, loop->var)}; });
    });
  }
}

}  // namespace swgen::passes
