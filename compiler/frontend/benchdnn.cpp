// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/benchdnn.h"

#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/frontend/scalars.h"

namespace swgen::frontend {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Number {
  int64_t value = 0;
  size_t offset = 0;  // of its key (convolution) or first digit (matrix product)
};

using Numbers = std::map<std::string, Number>;

// One spatial dimension. Missing values are filled in by solve().
struct Axis {
  char letter;  // h or w
  int64_t input = 1, output = 1, kernel = 1, stride = 1, dilation = 0, begin = 0, end = 0;
};

class Parser {
 public:
  Parser(const Node& node, base::Diagnostics& errors)
      : node_(node), text_(node.text), errors_(errors) {}

  std::optional<BenchdnnProblem> run() {
    const bool matrix = !text_.empty() && is_digit(text_[0]);
    const bool good = matrix ? parse_matmul() : parse_conv();
    return good ? std::optional(problem_) : std::nullopt;
  }

 private:
  bool parse_conv();
  bool parse_conv_keys();
  bool parse_conv_key();
  bool check_conv_keys();
  bool has_axis(char letter) const;
  std::optional<Axis> solve(char letter);
  void store_axes(const Axis& h, const Axis& w);

  bool parse_matmul();
  std::optional<std::vector<Number>> parse_extents();
  bool check_matmul(const std::vector<Number>& a, const std::vector<Number>& b);
  bool parse_name();

  std::optional<int64_t> parse_number(const std::string& after, int64_t minimum);
  bool fail(size_t offset, const std::string& message) {
    errors_.error(node_.place_of(offset), message);
    return false;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string here() const {
    return at_ < text_.size() ? base::cat("'", shorten(text_.substr(at_, 8)), "'") : "the end";
  }
  int64_t value_or(const std::string& key, int64_t otherwise) const {
    const auto found = found_.find(key);
    return found == found_.end() ? otherwise : found->second.value;
  }
  size_t offset_of(const std::string& key) const {
    const auto found = found_.find(key);
    return found == found_.end() ? 0 : found->second.offset;
  }
  void store(const std::string& param, std::vector<int64_t> values, size_t offset) {
    problem_.params[param] = std::move(values);
    problem_.location[param] = node_.place_of(offset);
  }

  const Node& node_;
  const std::string& text_;
  base::Diagnostics& errors_;
  size_t at_ = 0;
  Numbers found_;
  BenchdnnProblem problem_;
};

std::optional<int64_t> Parser::parse_number(const std::string& after, int64_t minimum) {
  const size_t start = at_;
  while (is_digit(peek())) ++at_;
  const std::string digits = text_.substr(start, at_ - start);
  if (!digits.empty() && digits.size() <= 10) {
    const int64_t value = std::stoll(digits);
    if (value >= minimum && value <= kMaxValue) return value;
  }
  std::string found = shorten(digits);
  if (digits.empty()) found = here();
  fail(start, base::cat("found ", found, " after '", after, "', expected a whole number from ",
                        minimum, " to ", kMaxValue));
  return std::nullopt;
}

// The rest of the string: n"any name". benchdnn reads it up to the end, and so do we.
bool Parser::parse_name() {
  if (peek() != 'n') return fail(at_, "found " + here() + ", expected n\"name\" or the end");
  at_ = text_.size();
  return true;
}

// ---- convolution ----

bool Parser::parse_conv() {
  if (!parse_conv_keys() || !check_conv_keys()) return false;
  problem_.op = "conv2d";
  store("batch", {value_or("mb", 2)}, offset_of("mb"));
  store("groups", {value_or("g", 1)}, offset_of("g"));
  store("in_channels", {value_or("ic", 0)}, offset_of("ic"));
  store("out_channels", {value_or("oc", 0)}, offset_of("oc"));
  const bool has_h = has_axis('h');
  const bool has_w = has_axis('w');
  const std::optional<Axis> h = has_h ? solve('h') : Axis{'h'};
  const std::optional<Axis> w = has_w ? solve('w') : h;
  if (!h || !w) return false;
  store_axes(*h, *w);
  return true;
}

bool Parser::parse_conv_keys() {
  while (at_ < text_.size()) {
    if (peek() == '_') {
      ++at_;
    } else if (peek() == 'n') {
      return parse_name();
    } else if (!parse_conv_key()) {
      return false;
    }
  }
  return true;
}

bool Parser::parse_conv_key() {
  static const std::map<std::string, int64_t> kMinimum = {
      {"g", 1},  {"mb", 1}, {"ic", 1}, {"oc", 1}, {"ih", 1}, {"iw", 1}, {"oh", 1}, {"ow", 1},
      {"kh", 1}, {"kw", 1}, {"sh", 1}, {"sw", 1}, {"ph", 0}, {"pw", 0}, {"dh", 0}, {"dw", 0}};
  static const std::string kThreeDimensional[] = {"id", "od", "kd", "sd", "pd", "dd"};
  const size_t start = at_;
  for (const std::string& key : kThreeDimensional)
    if (text_.compare(at_, key.size(), key) == 0)
      return fail(start, "found '" + key +
                             "' of a three-dimensional convolution, expected a two-dimensional "
                             "one");
  for (const auto& [key, minimum] : kMinimum) {
    if (text_.compare(at_, key.size(), key) != 0) continue;
    at_ += key.size();
    const auto value = parse_number(key, minimum);
    if (!value) return false;
    if (!found_.insert({key, {*value, start}}).second)
      return fail(start, "found '" + key + "' again, expected it once");
    return true;
  }
  return fail(start, "found " + here() +
                         ", expected a key (g, mb, ic, ih, iw, oc, oh, ow, kh, kw, sh, sw, ph, "
                         "pw, dh, dw) or n\"name\"");
}

bool Parser::has_axis(char letter) const {
  for (const char* kind : {"i", "o", "k", "s", "p", "d"})
    if (found_.count(std::string(kind) + letter)) return true;
  return false;
}

bool Parser::check_conv_keys() {
  std::vector<std::string> missing;
  for (const char* key : {"ic", "oc"})
    if (!found_.count(key)) missing.push_back(key);
  const bool any = has_axis('h') || has_axis('w');
  for (char letter : {'h', 'w'}) {
    if (!has_axis(letter) && (any || letter == 'w')) continue;
    for (const char* kind : {"i", "k"})
      if (!found_.count(std::string(kind) + letter)) missing.push_back(std::string(kind) + letter);
  }
  if (missing.empty()) return true;
  return fail(0, "found no " + base::join(missing, ", no ") +
                     ", expected a convolution like mb1ic64ih56oc64oh56kh3ph1");
}

// Fills in what the string leaves open; see benchdnn.h for the rules.
std::optional<Axis> Parser::solve(char letter) {
  const auto key = [&](char kind) { return std::string{kind, letter}; };
  Axis x{letter};
  x.input = value_or(key('i'), 1);
  x.kernel = value_or(key('k'), 1);
  x.stride = value_or(key('s'), 1);
  x.dilation = value_or(key('d'), 0);
  const int64_t window = (x.kernel - 1) * (x.dilation + 1) + 1;
  const bool has_output = found_.count(key('o')) > 0;
  x.output = value_or(key('o'), 0);
  const int64_t used = (x.output - 1) * x.stride + window;  // input elements with padding
  const int64_t centred = has_output ? std::max<int64_t>(0, (used - x.input) / 2) : 0;
  x.begin = value_or(key('p'), centred);
  if (!has_output) {
    x.end = x.begin;
    if (x.input + 2 * x.begin >= window) return x;
    fail(offset_of(key('k')),
         base::cat("found a window of ", window, " over an input of ", x.input + 2 * x.begin,
                   " with padding, expected a window that fits"));
    return std::nullopt;
  }
  x.end = used - x.input - x.begin;
  if (x.end > kMaxValue) {
    fail(offset_of(key('o')),
         base::cat("found an end padding of ", x.end, ", expected one <= ", kMaxValue));
    return std::nullopt;
  }
  if (x.end >= 0) return x;
  x.end = 0;
  const int64_t full = (x.input + x.begin - window) / x.stride + 1;
  if (full == x.output) return x;
  fail(offset_of(key('o')), base::cat("found ", key('o'), x.output, ", expected at least ", full,
                                      ", which the input gives without padding at its end"));
  return std::nullopt;
}

void Parser::store_axes(const Axis& h, const Axis& w) {
  const auto offset = [&](char kind) {
    const std::string of_h{kind, 'h'};
    return found_.count(of_h) ? offset_of(of_h) : offset_of({kind, 'w'});
  };
  store("input", {h.input, w.input}, offset('i'));
  store("kernel", {h.kernel, w.kernel}, offset('k'));
  store("stride", {h.stride, w.stride}, offset('s'));
  store("dilation", {h.dilation + 1, w.dilation + 1}, offset('d'));
  store("padding", {h.begin, h.end, w.begin, w.end}, offset('p'));
}

// ---- matrix product ----

bool Parser::parse_matmul() {
  const auto a = parse_extents();
  if (!a) return false;
  if (peek() != ':') return fail(at_, "found " + here() + ", expected ':' and the second matrix");
  ++at_;
  const auto b = parse_extents();
  if (!b) return false;
  if (peek() == '_') ++at_;
  if (at_ < text_.size() && !parse_name()) return false;
  if (!check_matmul(*a, *b)) return false;
  problem_.op = "matmul";
  const size_t rank = a->size();
  const Number& m = (*a)[rank - 2];
  const Number& k = (*a)[rank - 1];
  const Number& n = (*b)[rank - 1];
  store("batch", {rank == 3 ? (*a)[0].value : 1}, 0);
  store("m", {m.value}, m.offset);
  store("k", {k.value}, k.offset);
  store("n", {n.value}, n.offset);
  store("transpose_a", {0}, 0);
  store("transpose_b", {0}, 0);
  return true;
}

std::optional<std::vector<Number>> Parser::parse_extents() {
  std::vector<Number> extents;
  const size_t start = at_;
  do {
    if (!extents.empty()) ++at_;
    const size_t offset = at_;
    const std::string after = at_ == 0 ? "benchdnn" : text_.substr(at_ - 1, 1);
    const auto value = parse_number(after, 1);
    if (!value) return std::nullopt;
    extents.push_back({*value, offset});
  } while (peek() == 'x');
  if (extents.size() == 2 || extents.size() == 3) return extents;
  fail(start, base::cat("found ", extents.size(), " extents, expected MxK:KxN or BxMxK:BxKxN"));
  return std::nullopt;
}

bool Parser::check_matmul(const std::vector<Number>& a, const std::vector<Number>& b) {
  if (a.size() != b.size())
    return fail(b[0].offset, base::cat("found ", b.size(), " extents, expected ", a.size(),
                                       " as in the first matrix"));
  const size_t rank = a.size();
  bool good = true;
  if (rank == 3 && a[0].value != b[0].value)
    good = fail(b[0].offset, base::cat("found batch ", b[0].value, ", expected ", a[0].value,
                                       " as in the first matrix"));
  const Number& k = b[rank - 2];
  if (k.value != a[rank - 1].value)
    good = fail(k.offset, base::cat("found K = ", k.value, ", expected ", a[rank - 1].value,
                                    " as in the first matrix"));
  return good;
}

}  // namespace

std::optional<BenchdnnProblem> parse_benchdnn(const Node& text, base::Diagnostics& errors) {
  return Parser(text, errors).run();
}

}  // namespace swgen::frontend
