// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/expr.h"

#include <algorithm>
#include <vector>

#include "compiler/base/error.h"

namespace swgen::ir {
namespace {

int64_t apply(Op op, int64_t a, int64_t b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::mod: return a % b;
    case Op::min: return std::min(a, b);
    case Op::max: return std::max(a, b);
    case Op::less: return a < b;
    case Op::equal: return a == b;
    case Op::both: return a != 0 && b != 0;
    case Op::constant:
    case Op::variable: break;
  }
  throw base::InternalError("a leaf has no operation");
}

const char* symbol(Op op) {
  switch (op) {
    case Op::add: return " + ";
    case Op::mul: return " * ";
    case Op::div: return " / ";
    case Op::mod: return " % ";
    case Op::less: return " < ";
    case Op::equal: return " == ";
    case Op::both: return " && ";
    default: return nullptr;
  }
}

int precedence(Op op) {
  switch (op) {
    case Op::both: return 1;
    case Op::equal: return 2;
    case Op::less: return 3;
    case Op::add: return 4;
    case Op::mul:
    case Op::div:
    case Op::mod: return 5;
    default: return 6;
  }
}

void flatten(const Expr& e, std::vector<Expr>& terms) {
  if (e.op() == Op::add) {
    flatten(e.left(), terms);
    flatten(e.right(), terms);
  } else {
    terms.push_back(e);
  }
}

/// Terms that add first, then those that subtract: "1 - y", not "y * -1 + 1".
std::string sum_to_c(const Expr& sum) {
  std::vector<Expr> terms;
  flatten(sum, terms);
  std::string plus, minus;
  for (const Expr& t : terms) {
    const bool scaled = t.op() == Op::mul && t.right().is_constant();
    const bool negative = t.is_constant() ? t.value() < 0 : scaled && t.right().value() < 0;
    const Expr shown = !negative         ? t
                       : t.is_constant() ? Expr(-t.value())
                                         : t.left() * Expr(-t.right().value());
    const bool wrap = precedence(shown.op()) < precedence(Op::add);
    const std::string text = wrap ? "(" + shown.to_c() + ")" : shown.to_c();
    if (negative)
      minus += " - " + text;
    else
      plus += (plus.empty() ? "" : " + ") + text;
  }
  if (plus.empty()) return "0" + minus;
  return plus + minus;
}

}  // namespace

Expr::Expr(int64_t value) {
  auto node = std::make_shared<Node>();
  node->value = value;
  node_ = std::move(node);
}

Expr Expr::variable(const std::string& name) {
  auto node = std::make_shared<Node>();
  node->op = Op::variable;
  node->name = name;
  Expr e;
  e.node_ = std::move(node);
  return e;
}

Expr Expr::from(const Linear& form) {
  Expr sum(form.constant);
  bool first = true;
  for (const auto& [var, c] : form.terms) {
    const Expr term = variable(var) * Expr(c);
    sum = first ? term : sum + term;
    first = false;
  }
  return form.terms.empty() ? sum : sum + Expr(form.constant);
}

bool Expr::uses(const std::string& var) const {
  if (op() == Op::constant) return false;
  if (op() == Op::variable) return name() == var;
  return left().uses(var) || right().uses(var);
}

int64_t Expr::evaluate(const std::map<std::string, int64_t>& env) const {
  if (op() == Op::constant) return value();
  if (op() == Op::variable) {
    const auto found = env.find(name());
    if (found == env.end()) throw base::InternalError("no value for variable " + name());
    return found->second;
  }
  return apply(op(), left().evaluate(env), right().evaluate(env));
}

Expr Expr::substitute(const std::string& var, const Expr& by) const {
  if (!uses(var)) return *this;
  if (op() == Op::variable) return by;
  return binary(op(), left().substitute(var, by), right().substitute(var, by));
}

std::string Expr::to_c() const {
  switch (op()) {
    case Op::constant: return std::to_string(value());
    case Op::variable: return name();
    case Op::min: return "swgen_min(" + left().to_c() + ", " + right().to_c() + ")";
    case Op::max: return "swgen_max(" + left().to_c() + ", " + right().to_c() + ")";
    default: break;
  }
  if (op() == Op::add) return sum_to_c(*this);
  const auto wrap = [&](const Expr& e, bool strict) {
    const std::string text = e.to_c();
    const int mine = precedence(op()), other = precedence(e.op());
    return other < mine || (strict && other == mine) ? "(" + text + ")" : text;
  };
  const bool associative = op() == Op::add || op() == Op::mul || op() == Op::both;
  return wrap(left(), false) + symbol(op()) + wrap(right(), !associative);
}

Expr binary(Op op, const Expr& a, const Expr& b) {
  if (a.is_constant() && b.is_constant()) return Expr(apply(op, a.value(), b.value()));
  auto node = std::make_shared<Expr::Node>();
  node->op = op;
  node->left = std::make_shared<const Expr>(a);
  node->right = std::make_shared<const Expr>(b);
  Expr e;
  e.node_ = std::move(node);
  return e;
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (a.is_constant() && !b.is_constant()) return b + a;
  if (a.op() == Op::add && a.right().is_constant() && b.is_constant())
    return a.left() + Expr(a.right().value() + b.value());
  return binary(Op::add, a, b);
}

Expr operator-(const Expr& a, const Expr& b) { return a + b * Expr(-1); }

Expr operator*(const Expr& a, const Expr& b) {
  if (a.is(0) || b.is(0)) return Expr(0);
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is_constant() && !b.is_constant()) return b * a;
  return binary(Op::mul, a, b);
}

Expr div(const Expr& a, const Expr& b) { return b.is(1) ? a : binary(Op::div, a, b); }
Expr mod(const Expr& a, const Expr& b) { return b.is(1) ? Expr(0) : binary(Op::mod, a, b); }
Expr min(const Expr& a, const Expr& b) { return binary(Op::min, a, b); }
Expr max(const Expr& a, const Expr& b) { return binary(Op::max, a, b); }
Expr less(const Expr& a, const Expr& b) { return binary(Op::less, a, b); }
Expr equal(const Expr& a, const Expr& b) { return binary(Op::equal, a, b); }

Expr both(const Expr& a, const Expr& b) {
  if (a.is_constant()) return a.value() != 0 ? b : Expr(0);
  if (b.is_constant()) return b.value() != 0 ? a : Expr(0);
  return binary(Op::both, a, b);
}

}  // namespace swgen::ir
