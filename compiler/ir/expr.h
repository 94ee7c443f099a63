// SPDX-License-Identifier: Apache-2.0
// Immutable integer expressions: loop bounds, valid extents, conditions. Built folded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "compiler/ir/linear.h"

namespace swgen::ir {

/// `div` truncates; swgen only divides values that are >= 0. Comparisons give 0 or 1.
enum class Op { constant, variable, add, mul, div, mod, min, max, less, equal, both };

class Expr {
 public:
  Expr() : Expr(int64_t{0}) {}
  Expr(int64_t value);  // NOLINT: numbers are expressions
  Expr(int value) : Expr(static_cast<int64_t>(value)) {}  // NOLINT
  static Expr variable(const std::string& name);
  static Expr from(const Linear& form);

  Op op() const { return node_->op; }
  bool is_constant() const { return op() == Op::constant; }
  bool is(int64_t v) const { return is_constant() && value() == v; }
  int64_t value() const { return node_->value; }
  const std::string& name() const { return node_->name; }
  const Expr& left() const { return *node_->left; }
  const Expr& right() const { return *node_->right; }
  bool uses(const std::string& var) const;

  /// Value with every variable taken from `env`; a missing variable is an internal error.
  int64_t evaluate(const std::map<std::string, int64_t>& env) const;
  /// The same expression with variable `var` replaced.
  Expr substitute(const std::string& var, const Expr& by) const;

  /// C spelling; min and max print as swgen_min/swgen_max, which templates define.
  std::string to_c() const;

  friend Expr binary(Op op, const Expr& a, const Expr& b);

 private:
  struct Node {
    Op op = Op::constant;
    int64_t value = 0;
    std::string name;
    std::shared_ptr<const Expr> left, right;
  };
  std::shared_ptr<const Node> node_;
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr div(const Expr& a, const Expr& b);
Expr mod(const Expr& a, const Expr& b);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr less(const Expr& a, const Expr& b);
Expr equal(const Expr& a, const Expr& b);
Expr both(const Expr& a, const Expr& b);

}  // namespace swgen::ir
