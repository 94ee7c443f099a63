// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/workload.h"

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::frontend {
namespace {

// The expression, then the extents that its text leaves open.
std::string compute_text(const ComputeExpr& expr) {
  std::string out = expr.text;
  for (const ir::Iter& iter : expr.contraction.iters)
    out += base::cat(" ", iter.name, "=", iter.extent);
  for (const ir::Tensor& tensor : expr.tensors)
    out += base::cat(" ", tensor.name, "=[", base::join(tensor.extents, ","), "]");
  return out;
}

}  // namespace

const char* name_of(Direction d) {
  switch (d) {
    case Direction::forward:
      return "forward";
    case Direction::backward_data:
      return "backward_data";
    case Direction::backward_weights:
      return "backward_weights";
  }
  throw base::InternalError("name_of: unknown direction");
}

const char* name_of(Layout l) {
  switch (l) {
    case Layout::nchw:
      return "nchw";
    case Layout::nhwc:
      return "nhwc";
    case Layout::any:
      return "any";
  }
  throw base::InternalError("name_of: unknown layout");
}

std::string canonical_text(const Workload& w) {
  std::string out = base::cat(w.op, " ", name_of(w.direction));
  for (const auto& [key, values] : w.params)
    out += base::cat(" ", key, "=", base::join(values, ","));
  if (w.compute) out += base::cat(" ", compute_text(*w.compute));
  std::vector<std::string> epilogue;
  if (w.bias) epilogue.push_back("bias");
  if (w.relu) epilogue.push_back("relu");
  if (epilogue.empty()) epilogue.push_back("none");
  return out + base::cat(" dtype=", ir::name_of(w.dtype), " layout=", name_of(w.layout),
                         " epilogue=", base::join(epilogue, ","));
}

}  // namespace swgen::frontend
