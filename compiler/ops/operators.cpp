// SPDX-License-Identifier: Apache-2.0
#include "compiler/ops/operators.h"

#include <cctype>
#include <set>

#include "compiler/base/error.h"

namespace swgen::ops {
namespace {

/// Names that emitted code uses itself, or that are words of C and C++.
const std::set<std::string>& reserved_names() {
  static const std::set<std::string> names = {
      "alignas", "alignof", "and", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "class", "compl", "concept", "const", "constexpr", "continue", "decltype", "default", "delete", "do",
      "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
      "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "nullptr", "operator", "or",
      "private", "protected", "public", "register", "requires", "restrict", "return", "short", "signed", "sizeof",
      "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename",
      "union", "unsigned", "using", "virtual", "void", "volatile", "while", "xor",
      "args", "asked", "begin", "bias", "count", "cut", "element", "end", "fast", "finish", "first", "from",
      "gemm", "here", "high", "inside", "item", "last", "ldm", "length", "line", "low", "more", "out", "own",
      "pa", "pack", "packed", "part", "pb", "pc", "place", "plain", "reference", "row0", "rows", "run", "run0",
      "scratch", "slot", "slow", "sum", "task", "tensors", "threads", "to", "unpack", "va", "vb", "vec", "width",
      "workspace", "xa", "zero", "T"};
  return names;
}

/// `name`, with `_` behind it where it, or a part that a schedule makes of it by one more letter,
/// would clash with a reserved name or another of `others`.
std::string safe_name(const std::string& name, const std::vector<std::string>& others) {
  bool clash = reserved_names().count(name) != 0;
  for (char suffix : std::string("obmtvlc")) clash |= reserved_names().count(name + suffix) != 0;
  for (const std::string& other : others)
    clash |= name.size() == other.size() + 1 && name.compare(0, other.size(), other) == 0;
  // Accumulators are c0_0, x-values xb0: names of that form are ours.
  clash |= name.size() > 1 && (name[0] == 'c' || name.rfind("xb", 0) == 0) && std::isdigit(static_cast<unsigned char>(name.back())) != 0;
  return clash ? name + "_" : name;
}

/// A contraction of the user's own: one algorithm, laid out as written.
std::vector<ir::Seed> compute_seeds(const frontend::Workload& w) {
  ir::Seed seed;
  seed.algorithm = "direct";
  seed.dtype = w.dtype;
  seed.tensors = w.compute->tensors;
  ir::Contraction c = w.compute->contraction;
  c.relu = w.relu;
  std::vector<std::string> names;
  for (const ir::Iter& i : c.iters) names.push_back(i.name);
  for (ir::Iter& i : c.iters) i.name = safe_name(i.name, names);
  for (ir::Tensor& t : seed.tensors) t.name = safe_name(t.name, {});
  seed.stages.push_back({"direct", c});
  return {seed};
}

}  // namespace

const std::vector<Operator>& operator_table() {
  static const std::vector<Operator> table = {conv2d(), matmul()};
  return table;
}

std::vector<frontend::OperatorSchema> schemas() {
  std::vector<frontend::OperatorSchema> out;
  for (const Operator& op : operator_table()) out.push_back(op.schema);
  return out;
}

std::vector<ir::Seed> seeds(const frontend::Workload& workload) {
  std::vector<ir::Seed> out;
  if (workload.compute) {
    out = compute_seeds(workload);
  } else {
    for (const Operator& op : operator_table())
      if (op.schema.name == workload.op) out = op.seeds(workload);
  }
  base::require(!out.empty(), "no operator of the workload's name");
  for (const ir::Seed& seed : out) ir::verify(seed);
  return out;
}

}  // namespace swgen::ops
