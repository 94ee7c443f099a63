// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/mesh_operand.h"

#include <algorithm>

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::codegen::sw26010 {

using base::cat;
using namespace ir;

namespace {

bool has(const Side& side, const std::string& var) {
  return std::any_of(side.tiles.begin(), side.tiles.end(), [&](const Tile& t) { return t.name == var; });
}

bool uses(const Linear& form, const Side& side) {
  return std::any_of(side.tiles.begin(), side.tiles.end(), [&](const Tile& t) { return form.uses(t.name); });
}

Expr larger(const Expr& a, const Expr& b) { return a.is(0) ? b : max(a, b); }

void collect(const Linear& form, const Side& a, const Side& b, std::set<std::string>& out) {
  for (const auto& [var, c] : form.terms)
    if (!has(a, var) && !has(b, var)) out.insert(var);
}

void collect(const Expr& e, std::set<std::string>& out) {
  if (e.op() == Op::constant) return;
  if (e.op() == Op::variable) {
    out.insert(e.name());
    return;
  }
  collect(e.left(), out);
  collect(e.right(), out);
}

}  // namespace

int64_t Side::extent() const {
  int64_t n = 1;
  for (const Tile& t : tiles) n *= t.extent;
  return n;
}

std::string Side::share() const {
  Expr there(1);
  bool outermost = true;
  for (const Tile& t : tiles) {
    if (!t.end.is(t.extent) && !outermost)
      throw base::Infeasible("an inner part of " + std::string(1, name) + " does not divide its iterator");
    there = there * t.end;
    if (t.extent > 1) outermost = false;
  }
  const Expr rounded = div(there + Expr(multiple - 1), multiple) * Expr(multiple / 8);
  if (there.is_constant()) return cat((there.value() + multiple - 1) / multiple * multiple / 8);
  return rounded.to_c();
}

MeshOperand::MeshOperand(const Program& program, const Transfer& transfer, const Limits& limits,
                         const Side& over_rows, const Side& over_columns, char fast)
    : program_(program), transfer_(transfer), limits_(limits), over_rows_(over_rows), over_columns_(over_columns) {
  const Operand& outside = output() ? transfer.to : transfer.from;
  name_ = program.seed.tensors[outside.tensor].name;
  const auto offset = offset_of(program, outside, limits);
  if (!offset) throw base::Infeasible("a tile of " + name_ + " crosses the blocks of its layout");
  offset_ = *offset;
  const auto fits = [&](const Side& side) { return side.extent() == 1 || flat_stride(side) == 1; };
  // Where both are runs (an extent of one), the longer is the run.
  if (fits(over_columns_) && fits(over_rows_))
    run_is_columns_ = over_columns_.extent() >= over_rows_.extent();
  else if (fits(over_columns_) || fits(over_rows_))
    run_is_columns_ = fits(over_columns_);
  else
    scattered_ = true;
  if (scattered_ && (flat_stride(over_rows_) < 1 || flat_stride(over_columns_) < 1))
    throw base::Infeasible("the elements of a tile of " + name_ + " are not evenly spaced");
  if (!scattered_ && rows().extent() > 1 && flat_stride(rows()) < longest_run())
    throw base::Infeasible("the rows of a tile of " + name_ + " overlap or are not evenly spaced");
  transposed_ = run().name != fast;
  std::set<std::string> used;
  collect(offset_, over_rows_, over_columns_, used);
  for (const Guard& g : transfer.guards) {
    collect(g.value, over_rows_, over_columns_, used);
    if (uses(g.value, over_rows_) && uses(g.value, over_columns_))
      throw base::Infeasible("the border of " + name_ + " runs across both sides of its tile");
  }
  for (const Side* side : {&over_rows_, &over_columns_})
    for (const Tile& t : side->tiles) collect(t.end, used);
  variables_.assign(used.begin(), used.end());
}

const Buffer& MeshOperand::buffer() const {
  return program_.buffers[output() ? transfer_.from.buffer : transfer_.to.buffer];
}

/// Stride of the side's tiles as one index, or -1 when they are not evenly spaced.
int64_t MeshOperand::flat_stride(const Side& side) const {
  int64_t stride = 0, span = 0;
  for (size_t i = side.tiles.size(); i-- > 0;) {
    const Tile& t = side.tiles[i];
    if (t.extent == 1) continue;
    const int64_t c = offset_.coefficient(t.name);
    if (stride == 0) {
      stride = c;
      span = c * t.extent;
    } else if (c == span) {
      span *= t.extent;
    } else {
      return -1;
    }
  }
  return stride;
}

int64_t MeshOperand::lowest(const Linear& form) const {
  int64_t value = form.constant;
  for (const auto& [var, c] : form.terms) value += std::min<int64_t>(0, c * limits_.at(var));
  return value;
}

int64_t MeshOperand::highest(const Linear& form) const {
  int64_t value = form.constant;
  for (const auto& [var, c] : form.terms) value += std::max<int64_t>(0, c * limits_.at(var));
  return value;
}

/// Elements of a run that can lie inside the tensor.
int64_t MeshOperand::longest_run() const {
  int64_t most = run().extent(), inside = 1;
  for (size_t i = run().tiles.size(); i-- > 0;) {
    const Tile& t = run().tiles[i];
    for (const Guard& g : transfer_.guards)
      if (g.value.coefficient(t.name) == 1) most = std::min(most, g.extent * inside);
    inside *= t.extent;
  }
  return most;
}

/// The part of the side, as one index, in which all guards hold.
MeshOperand::Range MeshOperand::range_of(const Side& side) const {
  Range range{Expr(0), Expr(side.extent())};
  for (const Guard& g : transfer_.guards) {
    const bool mine = uses(g.value, side);
    const bool neither = !uses(g.value, over_rows_) && !uses(g.value, over_columns_);
    if (neither && &side == &rows()) {  // all or nothing
      const Expr value = Expr::from(g.value);
      range.high = range.high * both(less(Expr(-1), value), less(value, Expr(g.extent)));
    }
    if (!mine) continue;
    const Tile* tile = nullptr;
    int64_t inside = 1;
    for (const Tile& t : side.tiles) {
      if (g.value.uses(t.name)) {
        if (tile != nullptr && t.extent > 1)
          throw base::Infeasible("two parts of one side of " + name_ + " meet the border");
        if (t.extent > 1 || tile == nullptr) tile = &t;
        inside = 1;
      } else {
        if (tile == nullptr && t.extent > 1)
          throw base::Infeasible("an inner part of a tile of " + name_ + " meets the border");
        inside *= t.extent;
      }
    }
    const int64_t step = g.value.coefficient(tile->name);
    if (step < 0) throw base::Infeasible("a tile of " + name_ + " runs backwards");
    Linear rest = g.value;
    for (const Tile& t : side.tiles) rest.add_term(t.name, -rest.coefficient(t.name));
    Linear low(step - 1), high(g.extent - 1 + step);
    low.add(rest, -1);
    high.add(rest, -1);
    if (highest(low) / step > 0)
      range.low = larger(range.low, div(max(Expr::from(low), 0), step) * Expr(inside));
    const Expr end = div(lowest(high) < 0 ? max(Expr::from(high), 0) : Expr::from(high), step) * Expr(inside);
    range.high = end.is_constant() && range.high.is_constant() ? Expr(std::min(end.value(), range.high.value()))
                                                               : min(range.high, end);
  }
  return range;
}

std::string MeshOperand::parameters() const {
  std::string text;
  for (const std::string& v : variables_) text += cat(text.empty() ? "" : ", ", "long ", v);
  return text;
}

std::string MeshOperand::call(const std::string& function, const std::vector<std::string>& arguments,
                              const std::string& last) const {
  std::vector<std::string> all = arguments;
  if (!last.empty()) all.push_back(last);
  return function + "_" + name_ + "(" + base::join(all, ", ") + ")";
}

void MeshOperand::define_part(Writer& w) const {
  const auto core = [&](const Side& side) { return &side == &over_rows_ ? "_ROW" : "_COL"; };
  const Range rows_there = range_of(rows()), run_there = range_of(run());
  const std::string parameters = variables_.empty() ? "void" : this->parameters();
  w.braces(cat("static part part_", name_, "(", parameters, ")"), [&] {
    w.line("const long rows = ", rows().share(), ", run = ", run().share(), ";");
    w.line("const long row0 = ", core(rows()), " * rows, run0 = ", core(run()), " * run;");
    w.line("part here = cut(row0, rows, run0, run, ", rows_there.low.to_c(), ", ", rows_there.high.to_c(), ",");
    w.line("                ", run_there.low.to_c(), ", ", run_there.high.to_c(), ");");
    Linear outer = offset_;
    for (const Side* side : {&over_rows_, &over_columns_})
      for (const Tile& t : side->tiles) outer.add_term(t.name, -outer.coefficient(t.name));
    const int64_t stride = rows().extent() > 1 ? flat_stride(rows()) : 0;
    w.line("here.offset = ", Expr::from(outer).to_c(), " + (row0 + here.row) * ", stride, "L + (run0 + here.low)",
           scattered_ ? cat(" * ", flat_stride(run()), "L") : "", ";");
    w.line("return here;");
  });
  w.line();
}

void MeshOperand::define(Writer& w, const std::string& task) const {
  const Buffer& b = buffer();
  const std::string comma = variables_.empty() ? "" : ", ";
  const int64_t stride = rows().extent() > 1 ? flat_stride(rows()) : 0;
  const std::string strides = scattered_ ? cat(stride, ", ", flat_stride(run())) : cat(stride);
  const std::string row_step = transposed_ ? "1" : run().share();
  const std::string run_step = transposed_ ? rows().share() : "1";
  w.line("/* ", name_, ": rows are ", std::string(1, rows().name), ", contiguous runs are ", std::string(1, run().name),
         transposed_ ? "; the tile holds it transposed." : ".", " */");
  w.directive(cat("#define ", name_, "_raw(slot) ((element*)((char*)ldm + ", b.offset, " + (slot) * ", b.raw_bytes, "))"));
  w.directive(cat("#define ", name_, "_tile ((double*)((char*)ldm + ", b.wide_offset, "))"));
  w.line("static __thread_local volatile int ", name_, "_reply[", b.copies, "];");
  if (!output()) {
    w.line("static __thread_local int ", name_, "_asked[", b.copies, "];");
    w.line("static __thread_local part ", name_, "_part[", b.copies, "];");
  }
  w.line();
  define_part(w);
  const std::string names = base::join(variables_, ", ");
  if (output()) {
    w.braces(cat("static void put_", name_, "(const ", task, "* task", comma, parameters(), ")"), [&] {
      w.line("const part here = part_", name_, "(", names, ");");
      w.line("pack(", tile(), ", ", name_, "_raw(0), here, ", row_step, ", ", run_step, ");");
      w.line(scattered_ ? "put_scattered" : "put_part", "(task->", name_, ", ", name_, "_raw(0), here, ", strides, ", &",
             name_, "_reply[0]);");
    });
  } else {
    w.braces(cat("static void ask_", name_, "(const ", task, "* task", comma, parameters(), ", int slot)"), [&] {
      w.line(name_, "_part[slot] = part_", name_, "(", names, ");");
      w.line(name_, "_reply[slot] = 0;");
      w.line(name_, "_asked[slot] = ", scattered_ ? "get_scattered" : "get_part", "(task->", name_, ", ", name_,
             "_raw(slot), ", name_, "_part[slot], ", strides, ", &", name_, "_reply[slot]);");
    });
    w.line();
    w.braces(cat("static void take_", name_, "(", parameters(), comma, "int slot)"), [&] {
      w.line("const long rows = ", rows().share(), ", run = ", run().share(), ";");
      std::set<std::string> used;
      for (const Side* side : {&over_rows_, &over_columns_})
        for (const Tile& t : side->tiles) collect(t.end, used);
      for (const std::string& v : variables_)
        if (used.count(v) == 0) w.line("(void)", v, ";");
      w.line("dma_wait(&", name_, "_reply[slot], ", name_, "_asked[slot]);");
      w.line("unpack(", name_, "_raw(slot), ", tile(), ", ", name_, "_part[slot], rows, run, ",
             transposed_ ? "1, rows" : "run, 1", ");");
    });
  }
  w.line();
}

}  // namespace swgen::codegen::sw26010
