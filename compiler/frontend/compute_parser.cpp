// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/compute_parser.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "compiler/base/text.h"
#include "compiler/frontend/scalars.h"

namespace swgen::frontend {
namespace {

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

// A product inside an index: coefficient, and its iterator if it has one.
struct Product {
  int64_t coefficient = 1;
  std::string iter;
  size_t offset = 0;
};

// Recursive descent; every function returns false after the first error, which it has reported.
//   statement = access "+=" access "*" access
//   access    = name "[" index { "," index } "]"
//   index     = [ sign ] product { sign product }
//   product   = { "-" } ( number | iterator ) { "*" ( number | iterator ) }
class Parser {
 public:
  Parser(const Node& node, base::Diagnostics& errors)
      : node_(node), text_(node.text), errors_(errors) {}

  bool statement(Statement& out);
  bool fail(size_t offset, const std::string& message) {
    errors_.error(node_.place_of(offset), message);
    return false;
  }

 private:
  bool access(AccessExpr& out);
  bool index(IndexExpr& out);
  bool product(int64_t sign, Product& out);
  bool factor(Product& out);
  bool number(Product& out);
  bool add(const Product& product, IndexExpr& out);
  bool name(std::string& out, const char* what);
  bool expect(const std::string& token, const char* after);

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string here() { return peek() == '\0' ? "the end" : base::cat("'", text_[at_], "'"); }

  const Node& node_;
  const std::string& text_;
  base::Diagnostics& errors_;
  size_t at_ = 0;
};

bool Parser::name(std::string& out, const char* what) {
  if (!is_name_start(peek())) return fail(at_, base::cat("found ", here(), ", expected ", what));
  const size_t start = at_;
  while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
  out = text_.substr(start, at_ - start);
  if (!base::is_reserved(out)) return true;
  return fail(start, "found the name '" + out + "', expected one that means nothing in emitted code");
}

bool Parser::expect(const std::string& token, const char* after) {
  const char next = peek();
  if (next == '\0' || text_.compare(at_, token.size(), token) != 0)
    return fail(at_, base::cat("found ", here(), " after ", after, ", expected '", token, "'"));
  at_ += token.size();
  return true;
}

bool Parser::statement(Statement& out) {
  if (!access(out.out) || !expect("+=", "the output")) return false;
  if (!access(out.a) || !expect("*", "the first operand") || !access(out.b)) return false;
  if (peek() == '\0') return true;
  return fail(at_, "found " + here() + " after the second operand, expected the end");
}

bool Parser::access(AccessExpr& out) {
  peek();
  out.offset = at_;
  if (!name(out.tensor, "a tensor's name") || !expect("[", "a tensor's name")) return false;
  do {
    if (!out.index.empty()) ++at_;
    IndexExpr next;
    if (!index(next)) return false;
    out.index.push_back(std::move(next));
  } while (peek() == ',');
  if (peek() != ']') return fail(at_, "found " + here() + " in an index, expected + - * , or ]");
  ++at_;
  return true;
}

bool Parser::index(IndexExpr& out) {
  peek();
  out.offset = at_;
  int64_t sign = 1;
  if (peek() == '+') ++at_;
  while (true) {
    Product next;
    if (!product(sign, next) || !add(next, out)) return false;
    const char op = peek();
    if (op != '+' && op != '-') break;
    sign = op == '-' ? -1 : 1;
    ++at_;
  }
  for (const IndexTerm& term : out.terms)
    if (term.coefficient == 0)
      return fail(term.offset, "found the iterator '" + term.iter +
                                   "' with coefficient 0, expected another coefficient");
  return true;
}

bool Parser::product(int64_t sign, Product& out) {
  out.coefficient = sign;
  while (peek() == '-') {
    out.coefficient = -out.coefficient;
    ++at_;
  }
  if (!factor(out)) return false;
  while (peek() == '*') {
    ++at_;
    if (!factor(out)) return false;
  }
  return true;
}

bool Parser::factor(Product& out) {
  const char next = peek();
  if (next == '(') return fail(at_, "found '(', expected a sum of products without parentheses");
  if (is_digit(next)) return number(out);
  const size_t start = at_;
  std::string iter;
  if (!name(iter, "an iterator or a whole number")) return false;
  if (peek() == '[')
    return fail(at_, "found '[' after '" + iter + "', expected an affine index (no tensors)");
  if (!out.iter.empty())
    return fail(start, "found the product of iterators '" + out.iter + "' and '" + iter +
                           "', expected an affine index");
  out.iter = iter;
  out.offset = start;
  return true;
}

bool Parser::number(Product& out) {
  const size_t start = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  const std::string digits = text_.substr(start, at_ - start);
  if (at_ < text_.size() && (is_name_start(text_[at_]) || text_[at_] == '.'))
    return fail(at_, "found '" + std::string(1, text_[at_]) + "' after " + shorten(digits) +
                         ", expected an operator (write 2*y)");
  const int64_t value = digits.size() <= 10 ? std::stoll(digits) : kMaxValue + 1;
  // Both factors are bounded, so that their product cannot wrap before it is looked at.
  if (value <= kMaxValue && std::abs(out.coefficient * value) <= kMaxValue) {
    out.coefficient *= value;
    return true;
  }
  return fail(start, base::cat("found ", shorten(digits),
                               " in an index, expected products <= ", kMaxValue));
}

bool Parser::add(const Product& product, IndexExpr& out) {
  const auto same = [&](const IndexTerm& t) { return t.iter == product.iter; };
  auto term = std::find_if(out.terms.begin(), out.terms.end(), same);
  if (term == out.terms.end() && !product.iter.empty()) {
    out.terms.push_back({product.iter, 0, product.offset});
    term = out.terms.end() - 1;
  }
  int64_t& sum = product.iter.empty() ? out.constant : term->coefficient;
  sum += product.coefficient;
  if (std::abs(sum) <= kMaxValue) return true;
  return fail(out.offset, base::cat("found an index with a number beyond ", kMaxValue,
                                    ", expected smaller ones"));
}

bool mentions(const std::vector<IndexTerm>& terms, const std::string& iter) {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const IndexTerm& t) { return t.iter == iter; });
}

// The rules that hold between the parts; all violations are reported.
class Checker {
 public:
  Checker(Statement& statement, Parser& parser) : s_(statement), parser_(parser) {}

  bool run() {
    collect_outputs();
    collect_reductions();
    for (size_t i = 0; i < s_.outputs; ++i)
      if (!mentions(right_, s_.iters[i].iter))
        fail(s_.iters[i].offset, "found the output iterator '" + s_.iters[i].iter +
                                     "' only on the left, expected it on the right too");
    check_names();
    return good_;
  }

 private:
  void fail(size_t offset, const std::string& message) { good_ = parser_.fail(offset, message); }

  void collect_outputs() {
    for (const IndexExpr& index : s_.out.index) {
      const IndexTerm* term = index.plain();
      if (term == nullptr)
        fail(index.offset,
             "found an output index that is no plain iterator, expected one "
             "iterator alone");
      else if (mentions(s_.iters, term->iter))
        fail(index.offset,
             "found the output iterator '" + term->iter + "' again, expected distinct iterators");
      else
        s_.iters.push_back(*term);
    }
    s_.outputs = s_.iters.size();
  }

  void collect_reductions() {
    for (const AccessExpr* access : {&s_.a, &s_.b}) {
      for (const IndexExpr& index : access->index) {
        right_.insert(right_.end(), index.terms.begin(), index.terms.end());
        for (const IndexTerm& term : index.terms)
          if (!mentions(s_.iters, term.iter)) s_.iters.push_back(term);
      }
    }
  }

  void check_names() {
    const AccessExpr* accesses[] = {&s_.out, &s_.a, &s_.b};
    for (int i = 0; i < 3; ++i) {
      const AccessExpr& access = *accesses[i];
      for (int j = 0; j < i; ++j) {
        if (accesses[j]->tensor != access.tensor) continue;
        fail(access.offset, "found the tensor '" + access.tensor +
                                "' again, expected three tensors with distinct names");
        break;
      }
      for (const IndexTerm& iter : s_.iters)
        if (iter.iter == access.tensor)
          fail(iter.offset, "found the iterator '" + iter.iter +
                                "' with the name of a tensor, expected distinct names");
    }
  }

  Statement& s_;
  Parser& parser_;
  std::vector<IndexTerm> right_;
  bool good_ = true;
};

}  // namespace

std::optional<Statement> parse_compute(const Node& text, base::Diagnostics& errors) {
  Statement statement;
  Parser parser(text, errors);
  if (!parser.statement(statement) || !Checker(statement, parser).run()) return std::nullopt;
  return statement;
}

}  // namespace swgen::frontend
