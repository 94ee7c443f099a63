// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/compute_extents.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <map>

#include "compiler/base/text.h"
#include "compiler/frontend/scalars.h"
#include "compiler/frontend/suggest.h"

namespace swgen::frontend {
namespace {

struct Extent {
  int64_t value = 0;
  base::SourceLocation at;
  std::string source;  // tensor it was inferred from; empty: declared
};

class Resolver {
 public:
  Resolver(const Statement& s, const Node& text, base::Diagnostics& errors)
      : s_(s), text_(text), errors_(errors), accesses_{&s.out, &s.a, &s.b} {}

  std::optional<ComputeExpr> run(const Node* extents);

 private:
  void read_extents(const Node& node);
  void read_entry(const Entry& entry);
  void read_tensor(const AccessExpr& access, const Node& node);
  void infer_iters();
  void infer_iter(const IndexTerm& term, const std::string& tensor, const Extent& extent);
  void require_iters();
  void check_output();
  ir::AffineIndex affine(const IndexExpr& index) const;
  ir::Access access(int tensor) const;
  ir::Tensor make_tensor(int tensor);
  int64_t largest_index(const IndexExpr& index);
  void check_size(const ComputeExpr& expr);
  int position(const std::string& iter) const;
  std::string spell(const ir::Access& access) const;

  void fail(const base::SourceLocation& at, const std::string& message) {
    errors_.error(at, message);
    good_ = false;
  }

  const Statement& s_;
  const Node& text_;
  base::Diagnostics& errors_;
  std::array<const AccessExpr*, 3> accesses_;
  std::map<std::string, Extent> iters_;
  std::map<std::string, std::vector<Extent>> tensors_;  // declared ones
  bool good_ = true;
};

std::optional<ComputeExpr> Resolver::run(const Node* extents) {
  if (extents != nullptr) read_extents(*extents);
  if (!good_) return std::nullopt;
  infer_iters();
  require_iters();
  if (!good_) return std::nullopt;
  check_output();
  ComputeExpr expr;
  for (const IndexTerm& iter : s_.iters)
    expr.contraction.iters.push_back({iter.iter, iters_.at(iter.iter).value});
  for (int t = 0; t < 3; ++t) expr.tensors.push_back(make_tensor(t));
  expr.contraction.out = access(0);
  expr.contraction.a = access(1);
  expr.contraction.b = access(2);
  expr.text = spell(expr.contraction.out) + "+=" + spell(expr.contraction.a) + "*" +
              spell(expr.contraction.b);
  if (good_) check_size(expr);
  return good_ ? std::optional(expr) : std::nullopt;
}

int Resolver::position(const std::string& iter) const {
  for (size_t i = 0; i < s_.iters.size(); ++i)
    if (s_.iters[i].iter == iter) return static_cast<int>(i);
  return -1;
}

// ---- what the user declared ----

void Resolver::read_extents(const Node& node) {
  if (node.is_refused()) {
    good_ = false;
  } else if (!node.is_mapping()) {
    fail(node.at, "found " + describe(node) +
                      ", expected a mapping of iterators to numbers and "
                      "tensors to lists");
  } else {
    for (const Entry& entry : node.entries) read_entry(entry);
  }
}

void Resolver::read_entry(const Entry& entry) {
  const std::string& name = entry.key.text;
  for (const AccessExpr* access : accesses_)
    if (access->tensor == name) return read_tensor(*access, entry.value);
  if (position(name) >= 0) {
    const auto value = read_integer(entry.value, 1, errors_);
    good_ = good_ && value;
    if (value) iters_[name] = {*value, entry.value.at, ""};
    return;
  }
  std::vector<std::string> names;
  for (const IndexTerm& iter : s_.iters) names.push_back(iter.iter);
  for (const AccessExpr* access : accesses_) names.push_back(access->tensor);
  fail(entry.key.at, "found the extent of '" + shorten(name) +
                         "', which compute does not mention, " + expected_one_of(name, names));
}

void Resolver::read_tensor(const AccessExpr& access, const Node& node) {
  if (node.is_refused()) {
    good_ = false;
    return;
  }
  if (!node.is_sequence() || node.items.size() != access.index.size()) {
    const std::string found =
        node.is_sequence() ? base::cat("a list of length ", node.items.size()) : describe(node);
    return fail(node.at, base::cat("found ", found, ", expected a list of ", access.index.size(),
                                   " extents for the tensor '", access.tensor, "'"));
  }
  std::vector<Extent> extents;
  for (const Node& item : node.items) {
    const auto value = read_integer(item, 1, errors_);
    good_ = good_ && value;
    extents.push_back({value.value_or(1), item.at, ""});
  }
  tensors_[access.tensor] = extents;
}

// ---- what follows from it ----

void Resolver::infer_iters() {
  for (const AccessExpr* access : accesses_) {
    const auto declared = tensors_.find(access->tensor);
    if (declared == tensors_.end()) continue;
    for (size_t d = 0; d < access->index.size(); ++d)
      if (const IndexTerm* term = access->index[d].plain())
        infer_iter(*term, access->tensor, declared->second[d]);
  }
}

void Resolver::infer_iter(const IndexTerm& term, const std::string& tensor, const Extent& extent) {
  const auto [known, fresh] = iters_.insert({term.iter, {extent.value, extent.at, tensor}});
  if (fresh || known->second.source.empty() || known->second.value == extent.value) return;
  fail(extent.at, base::cat("found extent ", extent.value, " for the iterator '", term.iter,
                            "', expected ", known->second.value, " as in '", known->second.source,
                            "', or an entry for '", term.iter, "'"));
}

void Resolver::require_iters() {
  for (const IndexTerm& iter : s_.iters)
    if (!iters_.count(iter.iter))
      fail(text_.place_of(iter.offset),
           "found no extent for the iterator '" + iter.iter +
               "', expected it in extents, or those of a tensor that it indexes alone");
}

void Resolver::check_output() {
  const auto declared = tensors_.find(s_.out.tensor);
  if (declared == tensors_.end()) return;
  for (size_t d = 0; d < s_.outputs; ++d) {
    const Extent& extent = declared->second[d];
    const std::string& iter = s_.iters[d].iter;
    if (extent.value != iters_.at(iter).value)
      fail(extent.at,
           base::cat("found output extent ", extent.value, ", expected ", iters_.at(iter).value,
                     ", the extent of its iterator '", iter, "'"));
  }
}

// ---- the IR ----

ir::AffineIndex Resolver::affine(const IndexExpr& index) const {
  ir::AffineIndex out;
  out.constant = index.constant;
  for (const IndexTerm& term : index.terms)
    out.terms.push_back({position(term.iter), term.coefficient});
  std::sort(out.terms.begin(), out.terms.end());
  return out;
}

ir::Access Resolver::access(int tensor) const {
  ir::Access out;
  out.tensor = tensor;
  for (const IndexExpr& index : accesses_[tensor]->index) out.index.push_back(affine(index));
  return out;
}

ir::Tensor Resolver::make_tensor(int tensor) {
  static constexpr ir::Role kRoles[] = {ir::Role::output, ir::Role::input, ir::Role::constant};
  const AccessExpr& access = *accesses_[tensor];
  const auto declared = tensors_.find(access.tensor);
  ir::Tensor out;
  out.name = access.tensor;
  out.role = kRoles[tensor];
  for (size_t d = 0; d < access.index.size(); ++d) {
    out.dims.push_back(tensor == 0 ? s_.iters[d].iter : base::cat("d", d));
    const int64_t largest = largest_index(access.index[d]);
    out.extents.push_back(declared != tensors_.end() ? declared->second[d].value : largest + 1);
  }
  return out;
}

// Reports an index that no tensor could serve, and returns 0 for it.
int64_t Resolver::largest_index(const IndexExpr& index) {
  // Every term is a product of numbers below 2^31; their sum needs more than 64 bits.
  long double largest = index.constant;
  long double reach = std::abs(index.constant);
  for (const IndexTerm& term : index.terms) {
    const int64_t span = term.coefficient * (iters_.at(term.iter).value - 1);
    largest += std::max<int64_t>(span, 0);
    reach += std::abs(span);
  }
  const base::SourceLocation at = text_.place_of(index.offset);
  if (reach >= kMaxValue)
    fail(at, base::cat("found an index beyond ", kMaxValue, ", expected smaller extents"));
  else if (largest < 0)
    fail(at, base::cat("found an index that is at most ", static_cast<int64_t>(largest),
                       ", expected one that reaches 0"));
  else
    return static_cast<int64_t>(largest);
  return 0;
}

void Resolver::check_size(const ComputeExpr& expr) {
  constexpr int64_t kLimit = std::numeric_limits<int64_t>::max();
  int64_t work = 2;  // a multiply and an add per point
  for (const ir::Iter& iter : expr.contraction.iters)
    if (__builtin_mul_overflow(work, iter.extent, &work))
      return fail(text_.at,
                  base::cat("found more than ", kLimit, " operations, expected smaller extents"));
  for (size_t t = 0; t < expr.tensors.size(); ++t) {
    int64_t bytes = ir::size_of(ir::DType::f64);
    for (int64_t extent : expr.tensors[t].extents)
      if (__builtin_mul_overflow(bytes, extent, &bytes))
        return fail(text_.place_of(accesses_[t]->offset),
                    base::cat("found the tensor '", expr.tensors[t].name, "' with more than ",
                              kLimit, " bytes, expected smaller extents"));
  }
}

std::string Resolver::spell(const ir::Access& access) const {
  std::vector<std::string> indices;
  for (const ir::AffineIndex& index : access.index) {
    std::string out;
    for (const auto& [iter, c] : index.terms) {
      out += c < 0 ? "-" : out.empty() ? "" : "+";
      if (std::abs(c) != 1) out += base::cat(std::abs(c), "*");
      out += s_.iters[iter].iter;
    }
    if (out.empty() || index.constant != 0)
      out += base::cat(index.constant >= 0 && !out.empty() ? "+" : "", index.constant);
    indices.push_back(out);
  }
  return accesses_[access.tensor]->tensor + "[" + base::join(indices, ",") + "]";
}

}  // namespace

std::optional<ComputeExpr> resolve_compute(const Statement& statement, const Node& text,
                                           const Node* extents, base::Diagnostics& errors) {
  return Resolver(statement, text, errors).run(extents);
}

}  // namespace swgen::frontend
