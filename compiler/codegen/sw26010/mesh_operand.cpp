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

bool uses(const Linear& form, const std::vector<Tile>& tiles) {
  return std::any_of(tiles.begin(), tiles.end(), [&](const Tile& t) { return form.uses(t.name); });
}

int64_t points(const std::vector<Tile>& tiles) {
  int64_t n = 1;
  for (const Tile& t : tiles) n *= t.extent;
  return n;
}

const std::string kSegment = "segment";  // the variable of C code that counts segments

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

int64_t Side::extent() const { return points(tiles); }

Expr Side::share() const {
  Expr there(1);
  bool outermost = true;
  for (const Tile& t : tiles) {
    if (!t.end.is(t.extent) && !outermost)
      throw base::Infeasible("an inner part of " + std::string(1, name) + " does not divide its iterator");
    there = there * t.end;
    if (t.extent > 1) outermost = false;
  }
  if (there.is_constant()) return Expr((there.value() + multiple - 1) / multiple * multiple / 8);
  return div(there + Expr(multiple - 1), multiple) * Expr(multiple / 8);
}

MeshOperand::MeshOperand(const Program& program, const Transfer& transfer, const Limits& limits,
                         const Side& over_rows, const Side& over_columns, char fast)
    : program_(program), transfer_(transfer), limits_(limits), over_rows_(over_rows), over_columns_(over_columns) {
  const Operand& outside = output() ? transfer.to : transfer.from;
  name_ = program.seed.tensors[outside.tensor].name;
  const auto offset = offset_of(program, outside, limits);
  if (!offset) throw base::Infeasible("a tile of " + name_ + " crosses the blocks of its layout");
  offset_ = *offset;
  // A border inside of an outer tile cuts every segment: then the run is not one.
  const auto cut_inside = [&](const Side& side) {
    return side.tiles.size() > 1 && side.tiles[0].extent > 1 && std::any_of(transfer.guards.begin(), transfer.guards.end(), [&](const Guard& g) {
             return uses(g.value, Tiles(side.tiles.begin() + 1, side.tiles.end()));
           });
  };
  const auto fits = [&](const Side& side) { return side.extent() == 1 || (flat_stride(side.tiles) == 1 && !cut_inside(side)); };
  const auto fits_in_segments = [&](const Side& side) {
    return side.tiles.size() > 1 && side.tiles[0].extent > 1 && flat_stride(Tiles(side.tiles.begin() + 1, side.tiles.end())) == 1 &&
           offset_.coefficient(side.tiles[0].name) >= points(side.tiles) / side.tiles[0].extent;
  };
  // Where both are runs (an extent of one), the longer is the run.
  if (fits(over_columns_) && fits(over_rows_)) {
    run_is_columns_ = over_columns_.extent() >= over_rows_.extent();
  } else if (fits(over_columns_) || fits(over_rows_)) {
    run_is_columns_ = fits(over_columns_);
  } else if (fits_in_segments(over_columns_) || fits_in_segments(over_rows_)) {
    run_is_columns_ = fits_in_segments(over_columns_);
    segmented_ = true;
  } else {
    scattered_ = true;
  }
  if (scattered_ && (flat_stride(over_rows_.tiles) < 1 || flat_stride(over_columns_.tiles) < 1))
    throw base::Infeasible("the elements of a tile of " + name_ + " are not evenly spaced");
  const int64_t between = rows().extent() > 1 ? flat_stride(rows().tiles) : 0;
  if (!scattered_ && rows().extent() > 1 && (between < 1 || between < std::min(longest_run(), segment())))
    throw base::Infeasible("the rows of a tile of " + name_ + " overlap or are not evenly spaced");
  turned_ = run().name != fast;
  std::set<std::string> used;
  collect(offset_, over_rows_, over_columns_, used);
  for (const Guard& g : transfer.guards) {
    collect(g.value, over_rows_, over_columns_, used);
    if (across(g) && !segmented_) throw base::Infeasible("the border of " + name_ + " runs across both sides of its tile");
  }
  for (const Side* side : {&over_rows_, &over_columns_})
    for (const Tile& t : side->tiles) collect(t.end, used);
  variables_.assign(used.begin(), used.end());
  const Range there = range_of(rows().tiles), inner = range_of(inner_run());
  extent_.rows = rows().share();
  extent_.run = run().share();
  extent_.first_row = there.low;
  extent_.end_row = there.high * anywhere();
  extent_.low = inner.low;
  extent_.high = inner.high;
  if (segmented_) {
    const Range segments = range_of({run().tiles[0]});
    extent_.first_segment = segments.low;
    extent_.end_segment = segments.high;
  }
  extent_.base = Expr::from(outer_offset());
}

int64_t MeshOperand::segment() const { return points(inner_run()); }

const Buffer& MeshOperand::buffer() const {
  return program_.buffers[output() ? transfer_.from.buffer : transfer_.to.buffer];
}

/// Stride of tiles as one index, or -1 when they are not evenly spaced.
int64_t MeshOperand::flat_stride(const Tiles& tiles) const {
  int64_t stride = 0, span = 0;
  for (size_t i = tiles.size(); i-- > 0;) {
    const Tile& t = tiles[i];
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
  return stride == 0 ? 1 : stride;
}

int64_t MeshOperand::limit(const std::string& var) const { return var == kSegment ? run().tiles[0].extent - 1 : limits_.at(var); }

int64_t MeshOperand::lowest(const Linear& form) const {
  int64_t value = form.constant;
  for (const auto& [var, c] : form.terms) value += std::min<int64_t>(0, c * limit(var));
  return value;
}

int64_t MeshOperand::highest(const Linear& form) const {
  int64_t value = form.constant;
  for (const auto& [var, c] : form.terms) value += std::max<int64_t>(0, c * limit(var));
  return value;
}

/// Elements of a run that can lie inside the tensor.
int64_t MeshOperand::longest_run() const {
  const Tiles tiles = inner_run();
  int64_t most = points(tiles), inside = 1;
  for (size_t i = tiles.size(); i-- > 0;) {
    const Tile& t = tiles[i];
    for (const Guard& g : transfer_.guards)
      if (g.value.coefficient(t.name) == 1) most = std::min(most, g.extent * inside);
    inside *= t.extent;
  }
  return most;
}

/// Whether the guard depends on both sides: then, for each segment, it cuts rows.
bool MeshOperand::across(const Guard& g) const { return uses(g.value, over_rows_.tiles) && uses(g.value, over_columns_.tiles); }

bool MeshOperand::mine(const Guard& g) const { return uses(g.value, over_rows_.tiles) || uses(g.value, over_columns_.tiles); }

Expr MeshOperand::anywhere() const {
  Expr all(1);
  for (const Guard& g : transfer_.guards) {
    if (mine(g)) continue;
    const Expr value = Expr::from(g.value);
    all = all * both(less(Expr(-1), value), less(value, Expr(g.extent)));
  }
  return all;
}

/// The part of the tiles, as one index, in which all guards hold that depend on them.
MeshOperand::Range MeshOperand::range_of(const Tiles& tiles) const {
  Range range{Expr(0), Expr(points(tiles))};
  for (const Guard& g : transfer_.guards) {
    if (!uses(g.value, tiles)) continue;
    const bool of_rows = uses(g.value, rows().tiles) && std::any_of(tiles.begin(), tiles.end(), [&](const Tile& t) { return has(rows(), t.name); });
    if (across(g) && !of_rows) continue;
    const Tile* tile = nullptr;
    int64_t inside = 1;
    for (const Tile& t : tiles) {
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
    for (const Side* side : {&over_rows_, &over_columns_})
      for (const Tile& t : side->tiles) {
        const int64_t c = rest.coefficient(t.name);
        if (c == 0) continue;
        const bool here = std::any_of(tiles.begin(), tiles.end(), [&](const Tile& own) { return own.name == t.name; });
        const bool segment = segmented_ && side == &run() && t.name == run().tiles[0].name;
        if (!here && !segment && t.extent > 1) throw base::Infeasible("two parts of one side of " + name_ + " meet the border");
        rest.add_term(t.name, -c);
        if (!here && segment) rest.add_term(kSegment, c);
      }
    Linear low(step - 1), high(g.extent - 1 + step);
    low.add(rest, -1);
    high.add(rest, -1);
    if (highest(low) / step > 0) range.low = larger(range.low, div(max(Expr::from(low), 0), step) * Expr(inside));
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

Linear MeshOperand::outer_offset() const {
  Linear outer = offset_;
  for (const Side* side : {&over_rows_, &over_columns_})
    for (const Tile& t : side->tiles) outer.add_term(t.name, -outer.coefficient(t.name));
  return outer;
}

MeshOperand::Place MeshOperand::place(const std::map<std::string, int64_t>& env) const {
  const auto value = [&](const Expr& e) { return e.evaluate(env); };
  Place p{value(extent_.rows), value(extent_.run), {}, value(extent_.low), value(extent_.high), value(extent_.first_segment), value(extent_.end_segment),
          value(extent_.base)};
  const bool each = extent_.first_row.uses(kSegment) || extent_.end_row.uses(kSegment);
  std::map<std::string, int64_t> inside = env;
  for (int64_t q = 0; q < (each ? run().tiles[0].extent : 1); ++q) {
    if (each) inside[kSegment] = q;
    p.rows_there.emplace_back(extent_.first_row.evaluate(inside), extent_.end_row.evaluate(inside));
  }
  return p;
}

std::vector<Slice> MeshOperand::slices(const Place& p, int row, int column) const {
  const int64_t e = segment(), row0 = (run_is_columns_ ? row : column) * p.rows, run0 = (run_is_columns_ ? column : row) * p.run;
  const int64_t apart = segmented_ ? offset_.coefficient(run().tiles[0].name) : 0;
  std::vector<Slice> out;
  for (int64_t q = segmented_ ? run0 / e : 0; q <= (segmented_ ? (run0 + p.run - 1) / e : 0); ++q) {
    Slice s;
    const int64_t before = q * e;
    const auto& [first_row, end_row] = p.rows_there[std::min(static_cast<size_t>(q), p.rows_there.size() - 1)];
    s.row = std::max<int64_t>(first_row - row0, 0);
    s.rows = q >= p.first_segment && q < p.end_segment ? std::max<int64_t>(std::min(end_row - row0, p.rows) - s.row, 0) : 0;
    s.low = std::max<int64_t>(before + p.low - run0, 0);
    s.high = std::max(std::min(before + p.high - run0, p.run), s.low);
    s.offset = p.base + (row0 + s.row) * row_stride() + (run0 + s.low - before) * run_stride() + q * apart;
    s.raw = p.rows * std::max<int64_t>(before - run0, 0);
    out.push_back(s);
  }
  return out;
}

void MeshOperand::define_part(Writer& w) const {
  const auto core = [&](const Side& side) { return &side == &over_rows_ ? "_ROW" : "_COL"; };
  Expr end_row = extent_.end_row, low = extent_.low, high = extent_.high;
  std::string parameters = this->parameters();
  if (segmented_) {
    const Expr q = Expr::variable(kSegment);
    if (!extent_.first_segment.is(0)) end_row = end_row * less(extent_.first_segment, q + Expr(1));
    if (!extent_.end_segment.is(run().tiles[0].extent) || run().extent() % run().multiple != 0) end_row = end_row * less(q, extent_.end_segment);
    low = q * Expr(segment()) + low;
    high = q * Expr(segment()) + high;
    parameters += parameters.empty() ? "long segment" : ", long segment";
  }
  w.braces(cat("static part part_", name_, "(", parameters.empty() ? "void" : parameters, ")"), [&] {
    w.line("const long rows = ", extent_.rows.to_c(), ", run = ", extent_.run.to_c(), ";");
    w.line("const long row0 = ", core(rows()), " * rows, run0 = ", core(run()), " * run;");
    w.line("part here = cut(row0, rows, run0, run, ", extent_.first_row.to_c(), ", ", end_row.to_c(), ",");
    w.line("                ", low.to_c(), ", ", high.to_c(), ");");
    const std::string place = segmented_ ? cat("(run0 + here.low - segment * ", segment(), ") + segment * ", offset_.coefficient(run().tiles[0].name), "L")
                                         : cat("(run0 + here.low)", scattered_ ? cat(" * ", run_stride(), "L") : "");
    w.line("here.offset = ", extent_.base.to_c(), " + (row0 + here.row) * ", row_stride(), "L + ", place, ";");
    w.line("return here;");
  });
  w.line();
}

std::string MeshOperand::part_call() const {
  std::vector<std::string> args = variables_;
  if (segmented_) args.push_back("segment");
  return cat("part_", name_, "(", base::join(args, ", "), ")");
}

std::string MeshOperand::raw_at(const std::string& slot) const {
  return cat(name_, "_raw(", slot, ")", segmented_ ? cat(" + rows * swgen_max(segment * ", segment(), " - run0, 0)") : "");
}

/// The statement, for each segment of a core's run.
void MeshOperand::for_segments(Writer& w, const std::string& statement) const {
  if (!segmented_) {
    w.line(statement);
    return;
  }
  w.line("for (segment = run0 / ", segment(), "; segment * ", segment(), " < run0 + run; ++segment)");
  w.line("  ", statement);
}

void MeshOperand::define(Writer& w, const std::string& task) const {
  const Buffer& b = buffer();
  const std::string comma = variables_.empty() ? "" : ", ";
  const std::string strides = scattered_ ? cat(row_stride(), ", ", run_stride()) : cat(row_stride());
  w.line("/* ", name_, ": rows are ", std::string(1, rows().name), ", contiguous runs are ", std::string(1, run().name),
         segmented_ ? cat(", in segments of ", segment()) : "", turned_ ? "; the tile holds it turned." : ".", " */");
  w.directive(cat("#define ", name_, "_raw(slot) ((element*)((char*)ldm + ", b.offset, " + (slot) * ", b.raw_bytes, "))"));
  w.directive(cat("#define ", name_, "_tile ((double*)((char*)ldm + ", b.wide_offset, "))"));
  w.line("static __thread_local volatile int ", name_, "_reply[", b.copies, "];");
  w.line("static __thread_local int ", name_, "_asked[", b.copies, "];");
  w.line();
  define_part(w);
  const auto sizes = [&] {
    w.line("const long rows = ", extent_.rows.to_c(), ", run = ", extent_.run.to_c(),
           segmented_ ? cat(", run0 = ", run_is_columns_ ? "_COL" : "_ROW", " * run;") : ";");
    if (segmented_) w.line("long segment;");
  };
  const std::string moved = turned_ ? "_turned" : "", pitch = turned_ ? "rows" : "run";
  if (output()) {
    w.braces(cat("static void put_", name_, "(const ", task, "* task", comma, parameters(), ")"), [&] {
      if (segmented_)
        sizes();
      else
        w.line("const long ", pitch, " = ", (turned_ ? extent_.rows : extent_.run).to_c(), ";");
      w.line("dma_wait(&", name_, "_reply[0], ", name_, "_asked[0]);  /* the tile before has left */");
      w.line(name_, "_reply[0] = 0;");
      w.line(name_, "_asked[0] = 0;");
      for_segments(w, cat("pack", moved, "(", tile(), ", ", raw_at("0"), ", ", part_call(), ", ", pitch, ");"));
      for_segments(w, cat(name_, "_asked[0] += ", scattered_ ? "put_scattered" : "put_part", "(task->", name_, ", ", raw_at("0"), ", ", part_call(), ", ",
                          strides, ", &", name_, "_reply[0]);"));
    });
  } else {
    w.braces(cat("static void ask_", name_, "(const ", task, "* task", comma, parameters(), ", int slot)"), [&] {
      if (segmented_) sizes();
      w.line(name_, "_reply[slot] = 0;");
      w.line(name_, "_asked[slot] = 0;");
      for_segments(w, cat(name_, "_asked[slot] += ", scattered_ ? "get_scattered" : "get_part", "(task->", name_, ", ", raw_at("slot"), ", ", part_call(),
                          ", ", strides, ", &", name_, "_reply[slot]);"));
    });
    w.line();
    w.braces(cat("static void take_", name_, "(", parameters(), comma, "int slot)"), [&] {
      sizes();
      w.line("long there = 0;");
      w.line("dma_wait(&", name_, "_reply[slot], ", name_, "_asked[slot]);");
      for_segments(w, cat("there += elements_of(", part_call(), ");"));
      w.line("if (there < rows * run) zero(", tile(), ", rows * run);");
      for_segments(w, cat("unpack", moved, "(", raw_at("slot"), ", ", tile(), ", ", part_call(), ", ", pitch, ");"));
    });
  }
  w.line();
}

}  // namespace swgen::codegen::sw26010
