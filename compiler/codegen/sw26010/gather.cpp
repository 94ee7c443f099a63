// SPDX-License-Identifier: Apache-2.0
// im2col and other gathers on the cores: a block of output rows is one strided read, a spread in
// scratch with zeros for what lies outside, and one contiguous write.
#include <algorithm>
#include <map>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/sw26010/slave.h"

namespace swgen::codegen::sw26010 {

using base::cat;
using namespace ir;

namespace {

/// Bounds of a loop inside which the guards that use it hold; other guards become `conditions`.
struct Bounds {
  Expr low = 0, high = 0;
};

Bounds bounds_of(const std::vector<Guard>& guards, const std::string& var, const Expr& extent) {
  Bounds b{0, extent};
  for (const Guard& g : guards) {
    const int64_t c = g.value.coefficient(var);
    if (c == 0) continue;
    Linear rest = g.value;
    rest.add_term(var, -c);
    Linear low(c - 1), high(g.extent - 1 + c);
    low.add(rest, -1);
    high.add(rest, -1);
    b.low = max(b.low, div(max(Expr::from(low), 0), c));
    b.high = min(b.high, div(max(Expr::from(high), 0), c));
  }
  return b;
}

}  // namespace

int64_t write_gather(Writer& w, const Program& program, const StageProgram& stage, const std::string& symbol,
                     const std::string& entry) {
  const Transfer* t = nullptr;
  walk(stage.body, [&](const Stmt& s) {
    if (s.as<Transfer>() != nullptr) t = s.as<Transfer>();
  });
  base::require(t != nullptr && t->loops.size() >= 2, "a gather stage is one transfer");
  Limits limits = limits_of(stage);
  const auto to = offset_of(program, t->to, limits), from = offset_of(program, t->from, limits);
  if (!to || !from) throw base::Infeasible("a gather crosses the blocks of a layout");
  std::vector<Tile> loops;
  for (const Tile& l : t->loops)
    if (l.extent > 1 || to->coefficient(l.name) != 0) loops.push_back(l);
  // In the order of the output's dimensions, which are its order in memory.
  const auto place = [&](const Tile& l) {
    for (size_t d = 0; d < t->to.index.size(); ++d)
      if (t->to.index[d].uses(l.name)) return std::pair{static_cast<int64_t>(d), -t->to.index[d].coefficient(l.name)};
    return std::pair{int64_t{-1}, int64_t{0}};
  };
  std::stable_sort(loops.begin(), loops.end(), [&](const Tile& a, const Tile& b) { return place(a) < place(b); });
  const Tile v = loops.back(), u = loops[loops.size() - 2];
  loops.resize(loops.size() - 2);
  const int64_t step_v = from->coefficient(v.name), step_u = from->coefficient(u.name);
  if (to->coefficient(v.name) != 1 || (u.extent > 1 && to->coefficient(u.name) != v.extent) || step_v < 1)
    throw base::Infeasible("the rows of a gather are not contiguous");
  const int64_t element = size_of(program.seed.dtype);
  const int64_t run = (v.extent - 1) * step_v + 1;
  const int64_t budget = (40 << 10) / element;
  const int64_t rows = std::min(u.extent, budget / (run + v.extent));
  if (rows < 1) throw base::Infeasible("a row of a gather does not fit the scratchpad");
  const bool even = u.extent == 1 || step_u >= run;
  const std::string source = program.seed.tensors[t->from.tensor].name, sink = program.seed.tensors[t->to.tensor].name;

  int64_t items = 1;
  for (const Tile& l : loops) items *= l.extent;
  const int64_t blocks = (u.extent + rows - 1) / rows;
  const int64_t in_bytes = (rows * run * element + 31) / 32 * 32;
  w.directive("#define gather_in ((element*)ldm)");
  w.directive(cat("#define gather_out ((element*)((char*)ldm + ", in_bytes, "))"));
  w.line("static __thread_local volatile int gather_reply;");
  w.line();
  w.line("/* ", sink, ": ", rows, " rows of ", v.extent, " at a time, dealt to the cores. */");
  w.braces(cat("void SLAVE_FUN(", entry, ")(", symbol, "_task* task)"), [&] {
    w.line("long item;");
    w.braces(cat("for (item = _MYID; item < ", items * blocks, "; item += 64)"), [&] {
      w.line("const long ", u.name, "0 = item % ", blocks, " * ", rows, ";");
      int64_t over = blocks;
      for (size_t i = loops.size(); i-- > 0;) {
        w.line("const long ", loops[i].name, " = item / ", over, " % ", loops[i].extent, ";");
        over *= loops[i].extent;
      }
      const Expr u0 = Expr::variable(u.name + "0");
      const Bounds bu = bounds_of(t->guards, u.name, min(u0 + Expr(rows), u.extent));
      const Bounds bv = bounds_of(t->guards, v.name, v.extent);
      std::vector<std::string> conditions;
      for (const Guard& g : t->guards)
        if (g.value.coefficient(u.name) == 0 && g.value.coefficient(v.name) == 0)
          conditions.push_back(cat("(unsigned long)(", Expr::from(g.value).to_c(), ") < ", g.extent));
      w.line("const long count = swgen_min(", rows, ", ", u.extent, " - ", u.name, "0);");
      w.line("const long low = ", bv.low.to_c(), ", high = swgen_max(", bv.high.to_c(), ", low);");
      w.line("const long first = swgen_max(", bu.low.to_c(), ", ", u.name, "0);");
      w.line("const long last = ", conditions.empty() ? "" : "!(" + base::join(conditions, " && ") + ") ? first : ",
             "swgen_max(", bu.high.to_c(), ", first);");
      w.line("const long length = high > low ? (high - low - 1) * ", step_v, " + 1 : 0;");
      Linear base_from = *from, base_to = *to;
      for (const std::string& var : {u.name, v.name})
        for (Linear* l : {&base_from, &base_to}) l->add_term(var, -l->coefficient(var));
      w.line("const long from = ", Expr::from(base_from).to_c(), " + low * ", step_v, ";");
      w.line("long line, place;");
      w.line("int asked = 0;");
      w.line("gather_reply = 0;");
      w.braces("if (length > 0 && last > first)", [&] {
        if (even) {
          w.line("const long gap = last - first > 1 ? ", step_u, "L - length : 0;");
          w.line("athread_get(PE_MODE, (void*)(task->", source, " + from + first * ", step_u,
                 "L), gather_in, (int)((last - first) * length * sizeof(element)), (void*)&gather_reply, 0, "
                 "(int)(gap * sizeof(element)), gap > 0 ? (int)(length * sizeof(element)) : 0);");
          w.line("asked = 1;");
        } else {
          w.line("for (line = first; line < last; ++line, ++asked)");
          w.line("  athread_get(PE_MODE, (void*)(task->", source, " + from + line * ", step_u,
                 "L), gather_in + (line - first) * length, (int)(length * sizeof(element)), (void*)&gather_reply, 0, 0, 0);");
        }
      });
      w.line("for (place = 0; place < count * ", v.extent, "; ++place) gather_out[place] = 0;");
      w.line("dma_wait(&gather_reply, asked);");
      w.line("if (asked > 0)");
      w.line("  for (line = first; line < last; ++line)");
      w.line("    for (place = low; place < high; ++place)");
      w.line("      gather_out[(line - ", u.name, "0) * ", v.extent, " + place] = gather_in[(line - first) * length + (place - low) * ",
             step_v, "];");
      w.line("gather_reply = 0;");
      w.line("athread_put(PE_MODE, gather_out, (void*)(task->", sink, " + ", Expr::from(base_to).to_c(), " + ", u.name,
             "0 * ", to->coefficient(u.name) == 0 ? v.extent : to->coefficient(u.name),
             "L), (int)(count * ", v.extent, " * sizeof(element)), (void*)&gather_reply, 0, 0);");
      w.line("dma_wait(&gather_reply, 1);");
    });
  });
  return in_bytes + rows * v.extent * element;
}

}  // namespace swgen::codegen::sw26010
