// SPDX-License-Identifier: Apache-2.0
// Turns each staging mark into a buffer for the tile used below it, and the transfer that fills it
// (inputs, constants) or empties it (outputs). The tile is a box of the tensor, or, addressed by
// parts, a panel in exactly the order in which the primitive walks it.
#include <algorithm>
#include <map>

#include "compiler/base/error.h"
#include "compiler/passes/passes.h"

namespace swgen::passes {
namespace {

using namespace ir;

class Inference {
 public:
  Inference(Program& program, const target::Target& target, StageProgram& stage)
      : program_(program), target_(target), stage_(stage) {}

  std::vector<Stmt> statements(const std::vector<Stmt>& body) {
    std::vector<Stmt> out;
    for (const Stmt& s : body) {
      if (const auto* loop = s.as<For>()) {
        For copy = *loop;
        outer_.push_back(loop->var);
        copy.body = statements(loop->body);
        outer_.pop_back();
        out.push_back(copy);
      } else if (const auto* staged = s.as<Staged>()) {
        for (Stmt& r : stage(*staged)) out.push_back(std::move(r));
      } else {
        out.push_back(s);
      }
    }
    return out;
  }

 private:
  bool is_outer(const std::string& var) const {
    return std::find(outer_.begin(), outer_.end(), var) != outer_.end();
  }

  const Part& part(const std::string& name) const {
    for (const Part& p : stage_.parts)
      if (p.name == name) return p;
    throw base::InternalError("no part " + name);
  }

  int64_t extent_of(const std::string& name) const { return part(name).extent; }

  [[noreturn]] void illegal(const Staged& s, const std::string& why) const {
    throw base::Infeasible("stage(" + program_.seed.tensors[s.tensor].name + "): " + why);
  }

  std::vector<Stmt> stage(const Staged& s) {
    const Gemm* gemm = nullptr;
    std::vector<std::string> loops;
    walk(s.body, [&](const Stmt& inner) {
      if (const auto* f = inner.as<For>()) loops.push_back(f->var);
      if (const auto* g = inner.as<Gemm>()) gemm = g;
    });
    if (gemm == nullptr) illegal(s, "only operands of a contraction can be staged");
    const bool is_a = gemm->a.tensor == s.tensor, is_b = gemm->b.tensor == s.tensor;
    const bool is_c = gemm->c.tensor == s.tensor;
    if (!is_a && !is_b && !is_c) illegal(s, "the stage does not use this tensor");
    const Operand& operand = is_a ? gemm->a : is_b ? gemm->b : gemm->c;
    if (operand.buffer >= 0) illegal(s, "is staged twice");
    if (is_c)
      for (const std::string& loop : outer_)
        for (const Part& p : stage_.parts)
          if (p.name == loop && !uses(operand, loop) && reduces(*gemm, loop))
            illegal(s, "an output is staged outside of all reduction loops, not below " + loop);

    Buffer buffer;
    buffer.name = program_.seed.tensors[s.tensor].name + "_tile";
    buffer.tensor = s.tensor;
    buffer.copies = s.copies;
    buffer.space = s.layout == "prepacked" ? Space::prepacked
                   : target_.has_scratch   ? Space::scratch
                                           : Space::workspace;
    if (buffer.space == Space::prepacked && target_.has_scratch)
      illegal(s, "constants of a scratchpad machine are packed by layout(), not prepacked");
    if (buffer.space == Space::prepacked &&
        (program_.seed.tensors[s.tensor].role != Role::constant || !outer_.empty()))
      illegal(s, "only constants are prepacked, at root");
    const bool panel = s.layout == "prepacked" || s.layout == "panel";
    Transfer t = panel ? by_parts(buffer, *gemm, operand, loops, is_a, is_b)
                       : by_box(buffer, s, operand);
    const int id = static_cast<int>(program_.buffers.size());
    program_.buffers.push_back(buffer);
    Operand& tile = t.to;
    tile.buffer = id;
    if (is_c) {
      std::swap(t.to, t.from);
      t.fill = false;
    }

    std::vector<Stmt> body = rewrite(s.body, [&](const Stmt& inner) -> std::vector<Stmt> {
      const auto* g = inner.as<Gemm>();
      if (g == nullptr) return {inner};
      Gemm copy = *g;
      (is_a ? copy.a : is_b ? copy.b : copy.c).buffer = id;
      return {copy};
    });
    body = statements(body);
    if (buffer.space == Space::prepacked)
      program_.prepack.push_back(t);
    else
      body.insert(is_c ? body.end() : body.begin(), Stmt(t));
    return body;
  }

  static bool uses(const Operand& o, const std::string& var) {
    return std::any_of(o.index.begin(), o.index.end(),
                       [&](const Linear& l) { return l.uses(var); });
  }

  static bool reduces(const Gemm& g, const std::string& var) { return uses(g.a, var) || uses(g.b, var); }

  Transfer by_parts(Buffer& buffer, const Gemm& gemm, const Operand& operand,
                    const std::vector<std::string>& loops, bool is_a, bool is_b) {
    std::vector<std::string> order;
    const auto append = [&](const std::vector<Tile>& tiles) {
      for (const Tile& tile : tiles)
        if (uses(operand, tile.name)) order.push_back(tile.name);
    };
    for (const std::string& loop : loops)
      if (uses(operand, loop)) order.push_back(loop);
    if (is_a || is_b) append(gemm.k);
    append(gemm.lanes == Lanes::m ? gemm.n : gemm.m);
    append(gemm.lanes == Lanes::m ? gemm.m : gemm.n);

    buffer.by_parts = true;
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      buffer.address.add_term(order[i], stride);
      stride *= extent_of(order[i]);
    }
    buffer.elements = stride;

    Transfer t;
    for (const std::string& name : order) t.loops.push_back({name, extent_of(name), 0, extent_of(name)});
    t.to = t.from = {operand.tensor, -1, operand.index};
    const Tensor& tensor = program_.seed.tensors[operand.tensor];
    for (size_t d = 0; d < tensor.extents.size(); ++d)
      t.guards.push_back({operand.index[d], tensor.extents[d]});
    // A part may run past the end of its iterator while the tensor goes on (a window, a group).
    for (size_t i = 0; i < stage_.iters.size(); ++i) {
      Linear iter;
      bool here = false;
      for (const Part& p : stage_.parts) {
        if (p.iter != static_cast<int>(i)) continue;
        const bool known = is_outer(p.name) ||
                           std::find(order.begin(), order.end(), p.name) != order.end();
        if (known) iter.add_term(p.name, p.stride);
        here |= known && !is_outer(p.name);
      }
      if (here) t.guards.push_back({iter, stage_.iters[i].extent});
    }
    return t;
  }

  Transfer by_box(Buffer& buffer, const Staged& s, const Operand& operand) {
    const Tensor& tensor = program_.seed.tensors[s.tensor];
    const auto layout = TensorLayout::parse(s.layout, tensor.dims);
    if (!layout) illegal(s, "found layout '" + s.layout + "', expected prepacked, panel or an order of its dimensions");
    buffer.layout = *layout;
    for (const Linear& index : operand.index) {
      Linear corner(index.constant);
      int64_t extent = 1;
      for (const auto& [var, c] : index.terms) {
        if (is_outer(var)) {
          corner.add_term(var, c);
        } else {
          extent += std::abs(c) * (extent_of(var) - 1);
          if (c < 0) corner.constant += c * (extent_of(var) - 1);
        }
      }
      buffer.corner.push_back(corner);
      buffer.extents.push_back(extent);
    }
    buffer.elements = layout->elements(buffer.extents);

    Transfer t;
    std::vector<Linear> index = buffer.corner;
    for (const LayoutLevel& level : layout->levels) {
      // Named after the tensor: limits of variables are kept by name for the whole stage.
      const std::string var =
          "box_" + tensor.name + "_" + tensor.dims[level.dim] + (level.inner ? "i" : "");
      const int64_t whole = buffer.extents[level.dim];
      const int64_t extent = level.inner       ? level.block
                             : level.block > 0 ? (whole + level.block - 1) / level.block
                                               : whole;
      t.loops.push_back({var, extent, 0, extent});
      index[level.dim].add_term(var, level.block > 0 && !level.inner ? level.block : 1);
    }
    t.to = t.from = {s.tensor, -1, index};
    for (size_t d = 0; d < tensor.extents.size(); ++d)
      t.guards.push_back({index[d], tensor.extents[d]});
    if (tensor.role == Role::output)
      for (size_t d = 0; d < tensor.extents.size(); ++d) guard_output(t, s, operand.index[d], index[d]);
    return t;
  }

  /// An output tile is written back as a whole box: all of it must have been computed. Where one of
  /// several iterators of a dimension ends while the tensor goes on (a group's channels), it is cut.
  void guard_output(Transfer& t, const Staged& s, const Linear& index, const Linear& box) const {
    struct Span {
      int64_t coefficient = 1, points = 1, reach = 0;  // of the parts inside
      Linear outer;
    };
    std::map<int, Span> spans;  // by iterator
    for (const auto& [var, c] : index.terms) {
      const Part& p = part(var);
      Span& span = spans[p.iter];
      span.coefficient = c / p.stride;
      if (is_outer(var)) {
        span.outer.add_term(var, c);
      } else {
        span.points *= p.extent;
        span.reach += (p.extent - 1) * p.stride;
      }
    }
    const std::pair<const int, Span>* slowest = nullptr;
    for (const auto& span : spans)
      if (span.second.reach > 0 && (slowest == nullptr || span.second.coefficient > slowest->second.coefficient))
        slowest = &span;
    if (slowest == nullptr) return;
    Guard guard{box, 1};
    for (const auto& [iter, span] : spans) {
      const int64_t extent = stage_.iters[iter].extent;
      const bool faster = span.coefficient < slowest->second.coefficient;
      if (span.points != span.reach + 1 || (faster && span.reach + 1 != extent))
        illegal(s, "an output tile with holes can't be written back");
      if (faster || iter == slowest->first) guard.extent += span.coefficient * (extent - 1);
      if (iter != slowest->first) guard.value.add(span.outer, -1);
    }
    if (spans.size() > 1) t.guards.push_back(guard);
  }

  Program& program_;
  const target::Target& target_;
  StageProgram& stage_;
  std::vector<std::string> outer_;
};

}  // namespace

void infer_transfers(Program& program, const target::Target& target) {
  for (StageProgram& stage : program.stages)
    stage.body = Inference(program, target, stage).statements(stage.body);
}

}  // namespace swgen::passes
