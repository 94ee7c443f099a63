// SPDX-License-Identifier: Apache-2.0
#include "tuner/model/nest.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "compiler/base/error.h"

namespace swgen::tuner {
namespace {

const ir::Access* access_of(const ir::Contraction& c, int tensor) {
  for (const ir::Access* a : {&c.out, &c.a, &c.b})
    if (a->tensor == tensor) return a;
  return nullptr;
}

class NestReader {
 public:
  NestReader(const ir::Seed& seed, const schedule::Schedule& schedule) : schedule_(schedule) {
    nest_.seed = &seed;
    for (const ir::Stage& stage : seed.stages) {
      if (const auto* c = std::get_if<ir::Contraction>(&stage.op)) {
        nest_.contraction = c;
        name_ = seed.stages.size() > 1 ? stage.name : "";
      } else {
        int64_t points = 1;
        for (const ir::Iter& i : std::get<ir::Gather>(stage.op).iters) points *= i.extent;
        nest_.gather_elements += points;
      }
    }
    const auto& iters = nest_.contraction->iters;
    for (size_t i = 0; i < iters.size(); ++i)
      nest_.loops.push_back({iters[i].name, static_cast<int>(i), 1, iters[i].extent});
  }

  Nest read() {
    for (const ir::Tensor& t : nest_.seed->tensors) {
      std::string text = t.layout;
      for (const schedule::Step& s : schedule_.steps)
        if (s.name == "layout" && s.args[0] == t.name) text = s.args[1];
      const auto layout = ir::TensorLayout::parse(text, t.dims);
      if (!text.empty() && !layout) throw base::Infeasible("no layout '" + text + "' of " + t.name);
      nest_.layouts.push_back(text.empty() ? ir::TensorLayout::plain(static_cast<int>(t.dims.size())) : *layout);
    }
    for (const schedule::Step& s : schedule_.steps) {
      if (s.stage != name_) continue;
      if (s.name == "split") split(s);
      if (s.name == "reorder") reorder(s);
      if (s.name == "tensorize") tensorize(s);
      if (s.name == "vectorize") nest_.lanes = s.args[0] == "M" ? ir::Lanes::m : s.args[0] == "N" ? ir::Lanes::n : ir::Lanes::k;
      if (s.name == "parallel")
        for (const std::string& p : s.args) find(p)->parallel = true;
    }
    if (nest_.m.empty() && nest_.n.empty() && nest_.k.empty()) plain();
    for (const schedule::Step& s : schedule_.steps)
      if (s.stage == name_ && s.name == "stage") stage(s);
    return nest_;
  }

 private:
  std::vector<NestPart>::iterator find(const std::string& part) {
    const auto found = std::find_if(nest_.loops.begin(), nest_.loops.end(),
                                    [&](const NestPart& p) { return p.name == part; });
    if (found == nest_.loops.end()) throw base::Infeasible("no loop '" + part + "'");
    return found;
  }

  void split(const schedule::Step& s) {
    const auto at = find(s.args[0]);
    const int64_t factor = std::stoll(s.args[3]);
    const NestPart old = *at;
    *at = {s.args[1], old.iter, old.stride * factor, (old.extent + factor - 1) / factor};
    nest_.loops.insert(at + 1, {s.args[2], old.iter, old.stride, factor});
  }

  void reorder(const schedule::Step& s) {
    std::vector<NestPart> order;
    for (const std::string& name : s.args) order.push_back(*find(name));
    nest_.loops = order;
  }

  void tensorize(const schedule::Step& s) {
    const auto at = find(s.args[0]);
    (s.args[1] == "M" ? nest_.m : s.args[1] == "N" ? nest_.n : nest_.k).push_back(*at);
    nest_.loops.erase(at);
  }

  void plain() {
    std::vector<NestPart> outside;
    for (const NestPart& p : nest_.loops)
      (ir::is_reduction(*nest_.contraction, p.iter) ? nest_.k : outside).push_back(p);
    nest_.loops = outside;
  }

  void stage(const schedule::Step& s) {
    NestStage out;
    for (size_t t = 0; t < nest_.seed->tensors.size(); ++t)
      if (nest_.seed->tensors[t].name == s.args[0]) out.tensor = static_cast<int>(t);
    const ir::Access* access = out.tensor < 0 ? nullptr : access_of(*nest_.contraction, out.tensor);
    if (access == nullptr) throw base::Infeasible("no operand '" + s.args[0] + "'");
    out.prepacked = s.args[2] == "prepacked";
    out.output = out.tensor == nest_.contraction->out.tensor;
    out.copies = std::stoi(s.args[3]);
    out.depth = s.args[1] == "root" ? 0 : static_cast<int>(find(s.args[1]) - nest_.loops.begin()) + 1;

    std::map<int, int64_t> reach;  // by iterator: largest value of the parts inside, + 1
    std::vector<const NestPart*> inside;
    for (size_t l = out.depth; l < nest_.loops.size(); ++l) inside.push_back(&nest_.loops[l]);
    for (const auto* tiles : {&nest_.m, &nest_.n, &nest_.k})
      for (const NestPart& p : *tiles) inside.push_back(&p);
    out.elements = 1;
    for (const NestPart* p : inside) {
      if (!nest_.indexes(out.tensor, p->iter)) continue;
      reach[p->iter] += (p->extent - 1) * p->stride;
      if (out.prepacked || s.args[2] == "panel") out.elements *= p->extent;
    }
    if (!out.prepacked && s.args[2] != "panel") {
      const ir::Tensor& tensor = nest_.seed->tensors[out.tensor];
      std::vector<int64_t> extents;
      for (const ir::AffineIndex& index : access->index) {
        int64_t extent = 1;
        for (const auto& [i, c] : index.terms)
          if (reach.count(i) != 0) extent += std::abs(c) * reach[i];
        extents.push_back(extent);
      }
      const auto layout = ir::TensorLayout::parse(s.args[2], tensor.dims);
      if (!layout) throw base::Infeasible("no layout '" + s.args[2] + "'");
      out.elements = layout->elements(extents);
    }
    while (out.depth > 0 && !nest_.loops[out.depth - 1].parallel &&
           !nest_.indexes(out.tensor, nest_.loops[out.depth - 1].iter))
      --out.depth;
    out.trips = out.prepacked ? 1 : nest_.trips(out.depth);
    nest_.stages.push_back(out);
  }

  const schedule::Schedule& schedule_;
  std::string name_;
  Nest nest_;
};

}  // namespace

int64_t Nest::trips(int depth) const {
  std::map<int, std::vector<const NestPart*>> outside;
  for (int l = 0; l < depth; ++l) outside[loops[l].iter].push_back(&loops[l]);
  int64_t product = 1;
  for (auto& [iter, parts] : outside) {
    // Parts outer to inner: each block of the innermost that begins inside the extent runs once.
    const NestPart* innermost = *std::min_element(
        parts.begin(), parts.end(), [](const auto* a, const auto* b) { return a->stride < b->stride; });
    int64_t all = 1;
    for (const NestPart* p : parts) all *= p->extent;
    const int64_t begun = (contraction->iters[iter].extent + innermost->stride - 1) / innermost->stride;
    product *= std::min(all, begun);
  }
  return product;
}

int64_t Nest::tile(const std::vector<NestPart>& parts) const {
  int64_t n = 1;
  for (const NestPart& p : parts) n *= p.extent;
  return n;
}

bool Nest::indexes(int tensor, int iter) const {
  const ir::Access* access = access_of(*contraction, tensor);
  if (access == nullptr) return false;
  for (const ir::AffineIndex& index : access->index)
    if (index.coefficient(iter) != 0) return true;
  return false;
}

int64_t Nest::multiply_adds() const {
  // Dimensions that read padding, each with the iterators of its index; those with an iterator in
  // common are counted together.
  struct Group {
    std::set<int> iters;
    std::vector<std::pair<const ir::AffineIndex*, int64_t>> bounds;
  };
  std::vector<Group> groups;
  for (const ir::Access* a : {&contraction->a, &contraction->b}) {
    if (std::any_of(stages.begin(), stages.end(), [&](const NestStage& s) { return s.tensor == a->tensor; })) continue;
    for (size_t d = 0; d < a->index.size(); ++d) {
      const int64_t extent = seed->tensors[a->tensor].extents[d];
      Group group;
      int64_t low = a->index[d].constant, high = low;
      for (const auto& [i, c] : a->index[d].terms) {
        (c < 0 ? low : high) += c * (contraction->iters[i].extent - 1);
        group.iters.insert(i);
      }
      if (low >= 0 && high < extent) continue;
      group.bounds.emplace_back(&a->index[d], extent);
      for (size_t g = groups.size(); g-- > 0;) {
        const bool apart = std::none_of(group.iters.begin(), group.iters.end(),
                                        [&](int i) { return groups[g].iters.count(i) != 0; });
        if (apart) continue;
        group.iters.insert(groups[g].iters.begin(), groups[g].iters.end());
        group.bounds.insert(group.bounds.end(), groups[g].bounds.begin(), groups[g].bounds.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
      }
      groups.push_back(group);
    }
  }
  int64_t product = 1;
  std::vector<int64_t> value(contraction->iters.size(), -1);  // -1: in no group
  for (const Group& group : groups) {
    const std::vector<int> iters(group.iters.begin(), group.iters.end());
    int64_t inside = 0;
    std::function<void(size_t)> each = [&](size_t at) {
      if (at == iters.size()) {
        bool all = true;
        for (const auto& [index, extent] : group.bounds) {
          int64_t v = index->constant;
          for (const auto& [i, c] : index->terms) v += c * value[i];
          all &= v >= 0 && v < extent;
        }
        inside += all ? 1 : 0;
        return;
      }
      for (value[iters[at]] = 0; value[iters[at]] < contraction->iters[iters[at]].extent; ++value[iters[at]]) each(at + 1);
    };
    each(0);
    product *= inside;
  }
  for (size_t i = 0; i < contraction->iters.size(); ++i)
    if (value[i] < 0) product *= contraction->iters[i].extent;
  return product;
}

Nest read_nest(const ir::Seed& seed, const schedule::Schedule& schedule) {
  return NestReader(seed, schedule).read();
}

}  // namespace swgen::tuner
