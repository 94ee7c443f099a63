// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/x86/transfer.h"

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::codegen::x86 {

using base::cat;
using ir::Expr;
using ir::Linear;

namespace {

class TransferWriter {
 public:
  TransferWriter(Writer& w, const ir::Program& program, const ir::Transfer& t,
                 const ir::Limits& limits, std::string to, std::string from)
      : w_(w), t_(t), to_(std::move(to)), from_(std::move(from)) {
    const auto to_offset = ir::offset_of(program, t.to, limits);
    const auto from_offset = ir::offset_of(program, t.from, limits);
    if (!to_offset || !from_offset)
      throw base::Infeasible("a transfer crosses the blocks of a layout");
    to_offset_ = *to_offset;
    from_offset_ = *from_offset;
    loops_ = t.loops;
    contiguous_reads_innermost();
  }

  void write() { loop(0); }

 private:
  /// A transposing copy reads lines of memory once and scatters into the tile, which is in cache.
  void contiguous_reads_innermost() {
    if (loops_.empty() || from_offset_.coefficient(loops_.back().name) == 1) return;
    for (size_t i = 0; i < loops_.size(); ++i) {
      if (from_offset_.coefficient(loops_[i].name) != 1) continue;
      const ir::Tile inner = loops_[i];
      loops_.erase(loops_.begin() + i);
      loops_.push_back(inner);
      return;
    }
  }

  void loop(size_t i) {
    if (i + 1 >= loops_.size()) {
      innermost();
      return;
    }
    const ir::Tile& tile = loops_[i];
    if (tile.end.is(1)) {
      drop(tile.name);
      loop(i + 1);
      return;
    }
    w_.braces(cat("for (long ", tile.name, " = 0; ", tile.name, " < ", tile.end.to_c(), "; ++",
                  tile.name, ")"),
              [&] { loop(i + 1); });
  }

  /// A loop of one iteration: its variable is zero.
  void drop(const std::string& var) {
    for (Linear* l : {&to_offset_, &from_offset_}) l->add_term(var, -l->coefficient(var));
    for (ir::Guard& g : t_.guards) g.value.add_term(var, -g.value.coefficient(var));
  }

  static std::string in_range(const ir::Guard& g) {
    const std::string value = Expr::from(g.value).to_c();
    return cat("(unsigned long)(", value, ") < ", g.extent);
  }

  void innermost() {
    const std::string var = loops_.empty() ? "" : loops_.back().name;
    const Expr count = loops_.empty() ? Expr(1) : loops_.back().end;
    std::vector<std::string> conditions;
    Expr low = 0, high = count;
    for (const ir::Guard& g : t_.guards) {
      const int64_t c = g.value.coefficient(var);
      if (c == 0) {
        if (!g.value.terms.empty() || g.value.constant < 0 || g.value.constant >= g.extent)
          conditions.push_back(in_range(g));
        continue;
      }
      base::require(c > 0, "a guard decreases along a transfer");
      Linear first(c - 1), past(g.extent - 1 + c);
      Linear rest = g.value;
      rest.add_term(var, -c);
      first.add(rest, -1);
      past.add(rest, -1);
      if (!first.terms.empty() || first.constant / c > 0)
        low = max(low, div(max(Expr::from(first), 0), c));
      high = min(high, div(max(Expr::from(past), 0), c));
    }
    const auto step = [&](const Linear& offset) {
      const int64_t c = offset.coefficient(var);
      return c == 0 ? std::string() : c == 1 ? " + " + var : cat(" + ", var, " * ", c);
    };
    const auto base = [&](Linear offset) {
      offset.add_term(var, -offset.coefficient(var));
      return Expr::from(offset).to_c();
    };
    const std::string put = cat(to_, "[", base(to_offset_), step(to_offset_), "]");
    const std::string get = cat(from_, "[", base(from_offset_), step(from_offset_), "]");
    const auto copy = [&](const std::string& from, const std::string& to, bool zero) {
      w_.line("for (long ", var, " = ", from, "; ", var, " < ", to, "; ++", var, ") ", put, " = ",
              zero ? "0" : get, ";");
    };
    const std::string inside = base::join(conditions, " && ");
    if (var.empty()) {
      if (inside.empty()) w_.line(put, " = ", get, ";");
      else if (t_.fill) w_.line(put, " = ", inside, " ? ", get, " : 0;");
      else w_.line("if (", inside, ") ", put, " = ", get, ";");
      return;
    }
    if (inside.empty() && low.is(0) && !t_cut(high, count)) {
      copy("0", count.to_c(), false);
      return;
    }
    w_.braces("", [&] {
      if (!inside.empty()) w_.line("const bool inside = ", inside, ";");
      const std::string stop = inside.empty() ? high.to_c() : cat("inside ? ", high.to_c(), " : 0");
      w_.line("const long high = ", stop, ";");
      const std::string start = low.is(0) ? "0" : cat("swgen_min(", low.to_c(), ", high)");
      w_.line("const long low = ", start, ";");
      if (t_.fill && !low.is(0)) copy("0", "low", true);
      copy("low", "high", false);
      if (t_.fill) copy("high", count.to_c(), true);
    });
  }

  static bool t_cut(const Expr& high, const Expr& count) { return high.to_c() != count.to_c(); }

  Writer& w_;
  ir::Transfer t_;
  std::string to_, from_;
  Linear to_offset_, from_offset_;
  std::vector<ir::Tile> loops_;
};

}  // namespace

void write_transfer(Writer& w, const ir::Program& program, const ir::Transfer& transfer,
                    const ir::Limits& limits, const std::string& to, const std::string& from) {
  TransferWriter(w, program, transfer, limits, to, from).write();
}

}  // namespace swgen::codegen::x86
