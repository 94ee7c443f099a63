// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/seed.h"

#include <sstream>

#include "compiler/base/error.h"

namespace swgen::ir {
namespace {

bool indexed_by(const Access& access, int iter) {
  for (const AffineIndex& index : access.index)
    if (index.coefficient(iter) != 0) return true;
  return false;
}

void verify_access(const Seed& seed, const Stage& stage, const Access& access, size_t iters) {
  const std::string where = "stage " + stage.name + ": ";
  if (access.tensor < 0 || access.tensor >= static_cast<int>(seed.tensors.size()))
    throw base::InternalError(where + "an access names no tensor");
  const Tensor& tensor = seed.tensors[access.tensor];
  if (access.index.size() != tensor.extents.size())
    throw base::InternalError(where + tensor.name + " is indexed with a wrong number of indices");
  for (const AffineIndex& index : access.index)
    for (const auto& [iter, coefficient] : index.terms)
      if (iter < 0 || iter >= static_cast<int>(iters) || coefficient == 0)
        throw base::InternalError(where + "an index of " + tensor.name + " is malformed");
}

std::string access_text(const Seed& seed, const Access& access, const std::vector<Iter>& iters) {
  std::ostringstream out;
  out << seed.tensors[access.tensor].name << '[';
  for (size_t d = 0; d < access.index.size(); ++d) {
    if (d > 0) out << ',';
    const AffineIndex& index = access.index[d];
    bool first = true;
    for (const auto& [iter, c] : index.terms) {
      if (!first && c > 0) out << '+';
      if (c == -1) out << '-';
      if (c != 1 && c != -1) out << c << '*';
      out << iters[iter].name;
      first = false;
    }
    if (index.constant > 0 && !first) out << '+';
    if (index.constant != 0 || first) out << index.constant;
  }
  out << ']';
  return out.str();
}

}  // namespace

int64_t flops(const Seed& seed) {
  int64_t total = 0;
  for (const Stage& stage : seed.stages) {
    const auto* c = std::get_if<Contraction>(&stage.op);
    if (c == nullptr) continue;
    int64_t points = 2;
    for (const Iter& iter : c->iters) points *= iter.extent;
    total += points;
  }
  return total;
}

int64_t compulsory_bytes(const Seed& seed) {
  int64_t total = 0;
  for (const Tensor& t : seed.tensors)
    if (t.role != Role::intermediate) total += t.elements() * size_of(seed.dtype);
  return total;
}

IterClass classify(const Contraction& c, int iter) {
  const bool in_a = indexed_by(c.a, iter), in_b = indexed_by(c.b, iter);
  const bool in_out = indexed_by(c.out, iter);
  if (!in_out) return IterClass::k;
  if (in_a && in_b) return IterClass::batch;
  return in_b ? IterClass::n : IterClass::m;
}

bool is_reduction(const Contraction& c, int iter) { return classify(c, iter) == IterClass::k; }

void verify(const Seed& seed) {
  if (seed.tensors.empty() || seed.tensors[0].role != Role::output)
    throw base::InternalError("tensor 0 of a seed is its output");
  for (const Tensor& t : seed.tensors) {
    if (t.dims.size() != t.extents.size())
      throw base::InternalError("tensor " + t.name + " names " + std::to_string(t.dims.size()) +
                                " dimensions and has " + std::to_string(t.extents.size()));
    for (int64_t e : t.extents)
      if (e < 1) throw base::InternalError("tensor " + t.name + " has an extent below 1");
  }
  for (const Stage& stage : seed.stages) {
    if (const auto* c = std::get_if<Contraction>(&stage.op)) {
      for (const Access* access : {&c->out, &c->a, &c->b})
        verify_access(seed, stage, *access, c->iters.size());
      if (c->bias) verify_access(seed, stage, *c->bias, c->iters.size());
    } else {
      const auto& g = std::get<Gather>(stage.op);
      verify_access(seed, stage, g.out, g.iters.size());
      verify_access(seed, stage, g.in, g.iters.size());
    }
  }
}

std::string to_text(const Seed& seed) {
  std::ostringstream out;
  out << "seed " << seed.algorithm << ' ' << name_of(seed.dtype) << '\n';
  for (const Stage& stage : seed.stages) {
    const bool contraction = std::holds_alternative<Contraction>(stage.op);
    const auto& iters = contraction ? std::get<Contraction>(stage.op).iters
                                    : std::get<Gather>(stage.op).iters;
    out << "  " << stage.name << ':';
    for (const Iter& iter : iters) out << ' ' << iter.name << '=' << iter.extent;
    out << "\n    ";
    if (contraction) {
      const auto& c = std::get<Contraction>(stage.op);
      out << access_text(seed, c.out, iters) << " += " << access_text(seed, c.a, iters) << " * "
          << access_text(seed, c.b, iters);
      if (c.bias) out << " then + " << access_text(seed, *c.bias, iters);
      if (c.relu) out << " then relu";
    } else {
      const auto& g = std::get<Gather>(stage.op);
      out << access_text(seed, g.out, iters) << " = " << access_text(seed, g.in, iters);
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace swgen::ir
