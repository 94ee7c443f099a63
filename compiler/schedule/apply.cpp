// SPDX-License-Identifier: Apache-2.0
// Applies a Schedule to a Seed. Each step proves its own legality; what is left over is the plain
// nest, in which the reduction runs inside the primitive and every output element is one tile.
#include <algorithm>
#include <cctype>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/schedule/schedule.h"

namespace swgen::schedule {
namespace {

using base::cat;
using base::Infeasible;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

[[noreturn]] void illegal(const Step& step, const std::string& why) {
  throw Infeasible(step.name + "(" + base::join(step.args, ",") + "): " + why);
}

int64_t number(const Step& step, const std::string& text) {
  if (text.empty() || text.size() > 9 ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
      std::stoll(text) < 1)
    illegal(step, "found '" + text + "', expected a whole number from 1 to 999999999");
  return std::stoll(text);
}

int tensor_named(const ir::Seed& seed, const Step& step, const std::string& name) {
  for (size_t t = 0; t < seed.tensors.size(); ++t)
    if (seed.tensors[t].name == name) return static_cast<int>(t);
  std::vector<std::string> names;
  for (const ir::Tensor& t : seed.tensors) names.push_back(t.name);
  illegal(step, "no tensor '" + name + "', expected one of " + base::join(names, ", "));
}

/// The pieces of a stage's iterators while steps rearrange them.
class StageBuilder {
 public:
  StageBuilder(const ir::Seed& seed, const ir::Stage& stage) : seed_(seed), stage_(stage) {
    out_.name = stage.name;
    out_.iters = iters();
    for (size_t i = 0; i < out_.iters.size(); ++i) {
      out_.parts.push_back({out_.iters[i].name, static_cast<int>(i), 1, out_.iters[i].extent});
      order_.push_back(out_.iters[i].name);
    }
  }

  void step(const Step& s) {
    if (s.name == "split") split(s);
    if (s.name == "reorder") reorder(s);
    if (s.name == "tensorize") tensorize(s);
    if (s.name == "stage") stages_.push_back(s);
    if (s.name == "parallel") parallel(s);
    if (s.name == "vectorize") vectorize(s);
  }

  ir::StageProgram finish() {
    const auto* c = std::get_if<ir::Contraction>(&stage_.op);
    const ir::Stmt leaf = c != nullptr ? ir::Stmt(gemm(*c))
                                       : ir::Stmt(transfer(std::get<ir::Gather>(stage_.op)));
    std::vector<ir::Stmt> body = {leaf};
    for (size_t i = order_.size(); i-- > 0;) {
      const ir::Part& p = part(order_[i]);
      body = {ir::For{p.name, 0, p.extent, parallel_.count(p.name) != 0, staged(p.name, body)}};
    }
    out_.body = staged("root", body);
    return out_;
  }

 private:
  const std::vector<ir::Iter>& iters() const {
    if (const auto* c = std::get_if<ir::Contraction>(&stage_.op)) return c->iters;
    return std::get<ir::Gather>(stage_.op).iters;
  }

  ir::Part& part(const std::string& name) {
    for (ir::Part& p : out_.parts)
      if (p.name == name) return p;
    throw base::InternalError("no part " + name);
  }

  /// The named loop's place in the order; a part that is tensorized or unknown is refused.
  size_t loop(const Step& s, const std::string& name) const {
    const auto found = std::find(order_.begin(), order_.end(), name);
    if (found == order_.end())
      illegal(s, "no loop '" + name + "', expected one of " + base::join(order_, ", "));
    return found - order_.begin();
  }

  void split(const Step& s) {
    const size_t at = loop(s, s.args[0]);
    const int64_t factor = number(s, s.args[3]);
    const std::string &outer = s.args[1], &inner = s.args[2];
    for (const ir::Part& p : out_.parts)
      if (p.name != s.args[0] && (p.name == outer || p.name == inner))
        illegal(s, "'" + p.name + "' is taken");
    if (outer == inner) illegal(s, "outer and inner need two names");
    for (const std::string* name : {&outer, &inner}) check_name(s, *name);
    ir::Part& p = part(s.args[0]);
    const ir::Part old = p;
    p = {outer, old.iter, old.stride * factor, ceil_div(old.extent, factor)};
    out_.parts.push_back({inner, old.iter, old.stride, factor});
    order_[at] = outer;
    order_.insert(order_.begin() + at + 1, inner);
  }

  /// Parts become loop variables of emitted code.
  void check_name(const Step& s, const std::string& name) const {
    const bool word = std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!word || std::isdigit(static_cast<unsigned char>(name[0])) != 0 || base::is_reserved(name))
      illegal(s, "found the name '" + name + "', expected letters and digits that mean nothing in emitted code");
    for (const ir::Tensor& t : seed_.tensors)
      if (t.name == name) illegal(s, "'" + name + "' is a tensor");
  }

  void reorder(const Step& s) {
    if (std::set<std::string>(s.args.begin(), s.args.end()) !=
            std::set<std::string>(order_.begin(), order_.end()) ||
        s.args.size() != order_.size())
      illegal(s, "expected every loop once: " + base::join(order_, ", "));
    order_ = s.args;
  }

  void tensorize(const Step& s) {
    const auto* c = std::get_if<ir::Contraction>(&stage_.op);
    if (c == nullptr) illegal(s, "a gather has no GEMM primitive");
    const size_t at = loop(s, s.args[0]);
    const bool reduction = ir::is_reduction(*c, part(s.args[0]).iter);
    if (s.args[1] != "M" && s.args[1] != "N" && s.args[1] != "K")
      illegal(s, "found '" + s.args[1] + "', expected M, N or K");
    if (reduction != (s.args[1] == "K"))
      illegal(s, reduction ? "a reduction can only be K" : "an output iterator can be M or N");
    (s.args[1] == "M" ? m_ : s.args[1] == "N" ? n_ : k_).push_back(s.args[0]);
    order_.erase(order_.begin() + at);
  }

  void vectorize(const Step& s) {
    if (s.args[0] != "M" && s.args[0] != "N" && s.args[0] != "K")
      illegal(s, "found '" + s.args[0] + "', expected M, N or K");
    lanes_ = s.args[0] == "M" ? ir::Lanes::m : s.args[0] == "N" ? ir::Lanes::n : ir::Lanes::k;
  }

  void parallel(const Step& s) {
    const auto* c = std::get_if<ir::Contraction>(&stage_.op);
    const size_t first = loop(s, s.args[0]);
    for (size_t i = 0; i < s.args.size(); ++i) {
      if (loop(s, s.args[i]) != first + i) illegal(s, "expected neighbouring loops in their order");
      if (c != nullptr && ir::is_reduction(*c, part(s.args[i]).iter))
        illegal(s, "'" + s.args[i] + "' is a reduction");
      parallel_.insert(s.args[i]);
    }
  }

  std::vector<ir::Stmt> staged(const std::string& at, std::vector<ir::Stmt> body) {
    for (size_t i = stages_.size(); i-- > 0;) {
      const Step& s = stages_[i];
      if (s.args[1] != at) continue;
      body = {ir::Staged{tensor_named(seed_, s, s.args[0]), s.args[2],
                         static_cast<int>(number(s, s.args[3])), body}};
      used_.insert(i);
    }
    return body;
  }

  std::vector<ir::Linear> index_of(const ir::Access& access) const {
    std::vector<ir::Linear> index;
    for (const ir::AffineIndex& a : access.index) {
      ir::Linear form(a.constant);
      for (const ir::Part& p : out_.parts) form.add_term(p.name, a.coefficient(p.iter) * p.stride);
      index.push_back(form);
    }
    return index;
  }

  ir::Operand operand(const ir::Access& access) const {
    return {access.tensor, -1, index_of(access)};
  }

  std::vector<ir::Tile> tiles(const std::vector<std::string>& names) {
    std::vector<ir::Tile> out;
    for (const std::string& name : names) {
      const int64_t extent = part(name).extent;
      out.push_back({name, extent, 0, extent});
    }
    return out;
  }

  ir::Gemm gemm(const ir::Contraction& c) {
    if (k_.empty() && m_.empty() && n_.empty()) {  // the plain nest
      for (size_t i = order_.size(); i-- > 0;)
        if (ir::is_reduction(c, part(order_[i]).iter)) {
          k_.insert(k_.begin(), order_[i]);
          order_.erase(order_.begin() + i);
        }
    }
    ir::Gemm g;
    // The operand that holds the N tiles is b, the one with the lanes.
    bool swap = false;
    for (const std::string& name : n_)
      swap |= ir::classify(c, part(name).iter) == ir::IterClass::m;
    g.m = tiles(m_);
    g.n = tiles(n_);
    g.k = tiles(k_);
    g.a = operand(swap ? c.b : c.a);
    g.b = operand(swap ? c.a : c.b);
    g.c = operand(c.out);
    if (c.bias) g.bias = operand(*c.bias);
    g.relu = c.relu;
    g.lanes = lanes_;
    g.first = g.last = 1;
    for (const std::string& name : order_) {
      if (!ir::is_reduction(c, part(name).iter)) continue;
      g.first = both(g.first, equal(ir::Expr::variable(name), 0));
      g.last = both(g.last, equal(ir::Expr::variable(name), part(name).extent - 1));
    }
    return g;
  }

  ir::Transfer transfer(const ir::Gather& g) {
    ir::Transfer t;
    if (!order_.empty() && parallel_.count(order_.back()) == 0) {
      // Everything below the parallel loops is one transfer.
      std::vector<std::string> inner;
      while (!order_.empty() && parallel_.count(order_.back()) == 0) {
        inner.insert(inner.begin(), order_.back());
        order_.pop_back();
      }
      t.loops = tiles(inner);
    }
    t.to = operand(g.out);
    t.from = operand(g.in);
    const ir::Tensor& from = seed_.tensors[g.in.tensor];
    for (size_t d = 0; d < from.extents.size(); ++d)
      t.guards.push_back({t.from.index[d], from.extents[d]});
    return t;
  }

  const ir::Seed& seed_;
  const ir::Stage& stage_;
  ir::StageProgram out_;
  std::vector<std::string> order_, m_, n_, k_;
  std::set<std::string> parallel_;
  ir::Lanes lanes_ = ir::Lanes::n;
  std::vector<Step> stages_;
  std::set<size_t> used_;

 public:
  /// A `stage` step whose loop does not exist would silently do nothing.
  void check_all_used() const {
    for (size_t i = 0; i < stages_.size(); ++i)
      if (used_.count(i) == 0)
        illegal(stages_[i], "no loop '" + stages_[i].args[1] + "', expected root or one of " +
                                base::join(order_, ", "));
  }
};

ir::TensorLayout default_layout(const ir::Tensor& t) {
  if (t.layout.empty()) return ir::TensorLayout::plain(static_cast<int>(t.dims.size()));
  const auto layout = ir::TensorLayout::parse(t.layout, t.dims);
  if (!layout) throw base::InternalError("tensor " + t.name + " has no layout " + t.layout);
  return *layout;
}

}  // namespace

ir::Program apply(const ir::Seed& seed, const Schedule& given) {
  const Schedule schedule = canonical(given);
  ir::Program program;
  program.seed = seed;
  program.schedule = to_text(schedule);
  for (const ir::Tensor& t : seed.tensors) program.layouts.push_back(default_layout(t));
  for (const Step& step : schedule.steps) {
    if (step.name != "layout") continue;
    const int t = tensor_named(seed, step, step.args[0]);
    const auto layout = ir::TensorLayout::parse(step.args[1], seed.tensors[t].dims);
    if (!layout)
      illegal(step, "expected an order of " + base::join(seed.tensors[t].dims, ""));
    const ir::Role role = seed.tensors[t].role;
    if (!seed.tensors[t].layout_free && role != ir::Role::intermediate && role != ir::Role::constant)
      illegal(step, "the workload fixes the layout of " + seed.tensors[t].name);
    program.layouts[t] = *layout;
  }
  std::set<std::string> names;
  for (const ir::Stage& stage : seed.stages) names.insert(stage.name);
  for (const Step& step : schedule.steps)
    if (step.stage.empty() && seed.stages.size() > 1 && step.name != "algo" && step.name != "layout")
      illegal(step, "this algorithm has several stages, expected one of " + base::join(names, ", ") +
                        " before it, as in " + *names.begin() + "." + step.name + "(...)");
  for (const Step& step : schedule.steps)
    if (!step.stage.empty() && names.count(step.stage) == 0)
      illegal(step, "no stage '" + step.stage + "', expected one of " + base::join(names, ", "));
  for (const ir::Stage& stage : seed.stages) {
    StageBuilder builder(seed, stage);
    for (const Step& step : schedule.steps)
      if (step.stage == stage.name || (step.stage.empty() && seed.stages.size() == 1))
        builder.step(step);
    program.stages.push_back(builder.finish());
    builder.check_all_used();
  }
  return program;
}

}  // namespace swgen::schedule
