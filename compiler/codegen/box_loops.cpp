// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/box_loops.h"

#include <set>

#include "compiler/base/text.h"

namespace swgen::codegen {

using namespace ir;
using base::cat;

std::string BoxLoops::begin_of(const For& loop, const std::string& begin) const {
  const auto box = loops.find(loop.var);
  if (box == loops.end()) return loop.begin.to_c();
  const auto [dim, step] = box->second;
  return step == 1 ? cat(begin, "[", dim, "]") : cat(begin, "[", dim, "] / ", step);
}

std::string BoxLoops::end_of(const For& loop, const std::string& end) const {
  const auto box = loops.find(loop.var);
  if (box == loops.end()) return loop.end.to_c();
  const auto [dim, step] = box->second;
  return step == 1 ? cat(end, "[", dim, "]") : cat("(", end, "[", dim, "] + ", step - 1, ") / ", step);
}

BoxLoops find_box_loops(const Program& program) {
  BoxLoops out;
  const auto* c = std::get_if<Contraction>(&program.seed.stages.back().op);
  const StageProgram& stage = program.stages.back();
  const Tensor& tensor = program.seed.tensors[0];
  std::set<std::string> loops;
  walk(stage.body, [&](const Stmt& s) {
    if (const auto* f = s.as<For>()) loops.insert(f->var);
  });
  for (size_t d = 0; d < tensor.extents.size(); ++d) {
    out.grain.push_back(tensor.extents[d]);
    if (c == nullptr || c->out.index[d].terms.empty()) continue;
    // The slowest iterator of the dimension (a group before its channels).
    std::pair<int, int64_t> slowest = c->out.index[d].terms[0];
    for (const auto& term : c->out.index[d].terms)
      if (term.second > slowest.second) slowest = term;
    const Part* outermost = nullptr;
    for (const Part& p : stage.parts)
      if (p.iter == slowest.first && (outermost == nullptr || p.stride > outermost->stride ||
                                      (p.stride == outermost->stride && p.extent > outermost->extent)))
        outermost = &p;
    if (outermost == nullptr || loops.count(outermost->name) == 0) continue;
    out.grain[d] = outermost->stride * slowest.second;
    out.loops[outermost->name] = {static_cast<int>(d), out.grain[d]};
  }
  return out;
}

}  // namespace swgen::codegen
