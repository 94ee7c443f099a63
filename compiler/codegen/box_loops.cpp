// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/box_loops.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "compiler/base/text.h"

namespace swgen::codegen {

using namespace ir;
using base::cat;

std::string BoxLoop::bound(const std::string& array) const {
  return cat(array, "[", dim, "]", scale == 1 ? "" : cat(" * ", scale));
}

std::string BoxLoops::begin_of(const For& loop, const std::string& begin) const {
  const auto box = loops.find(loop.var);
  if (box == loops.end()) return loop.begin.to_c();
  const std::string bound = box->second.bound(begin);
  return box->second.grain == 1 ? bound : cat(bound, " / ", box->second.grain);
}

std::string BoxLoops::end_of(const For& loop, const std::string& end) const {
  const auto box = loops.find(loop.var);
  if (box == loops.end()) return loop.end.to_c();
  const std::string bound = box->second.bound(end);
  const int64_t grain = box->second.grain;
  return grain == 1 ? bound : cat("(", bound, " + ", grain - 1, ") / ", grain);
}

BoxLoops find_box_loops(const Program& program, const Seed& reference) {
  BoxLoops out;
  const auto* c = std::get_if<Contraction>(&program.seed.stages.back().op);
  const StageProgram& stage = program.stages.back();
  const Tensor& tensor = program.seed.tensors[0];
  // Inside a level where the output is staged the tile is stored as a whole: its loops are not narrowed.
  std::set<std::string> loops;
  const std::function<void(const std::vector<Stmt>&)> outside = [&](const std::vector<Stmt>& body) {
    for (const Stmt& s : body)
      if (const auto* t = s.as<Transfer>(); t != nullptr && !t->fill) return;
    for (const Stmt& s : body)
      if (const auto* f = s.as<For>()) {
        loops.insert(f->var);
        outside(f->body);
      }
  };
  outside(stage.body);
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
    out.loops[outermost->name] = {static_cast<int>(d), 1, out.grain[d]};
  }
  // A dimension that the program sees as part of the next one: boxes of whole rows.
  const std::vector<int64_t>& extents = reference.tensors[0].extents;
  for (size_t d = 0; d + 1 < extents.size(); ++d) {
    if (tensor.extents[d] == extents[d]) continue;
    const int64_t row = extents[d + 1];
    out.grain[d] = extents[d];
    for (auto& [name, loop] : out.loops) {
      if (loop.dim != static_cast<int>(d) + 1) continue;
      loop = {static_cast<int>(d), row, loop.grain};
      out.grain[d] = std::min(extents[d], loop.grain / std::gcd(loop.grain, row));
    }
    out.grain[d + 1] = row;
  }
  return out;
}

}  // namespace swgen::codegen
