// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/convert_assembly.h"

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/sw26010/gemm_operations.h"

namespace swgen::codegen::sw26010 {
namespace {

using base::cat;

constexpr int kFrom = 16, kTo = 17, kLeftOver = 18, kRun = 19;
constexpr int kFromRow = 22, kToRow = 25;  // three more pointers each
constexpr int kLoadLatency = 4, kShuffle = 1;

class ConvertWriter {
 public:
  ConvertWriter(const std::string& name, Conversion c) : text_(name), c_(c) {}

  std::string write() {
    text_.begin();
    c_.turned ? turned() : rows();
    text_.end();
    return text_.text();
  }

 private:
  int from_bytes() const { return static_cast<int>(ir::size_of(c_.from)); }
  int to_bytes() const { return static_cast<int>(ir::size_of(c_.to)); }
  Operation load(int d, int base, int offset) const {
    return {cat(c_.from == ir::DType::f32 ? "vlds " : "vldd ", reg(d), ",", offset, "(", reg(base), ")"), Pipe::p1, kLoadLatency, {base}, {d}};
  }
  Operation store(int s, int base, int offset) const {
    return {cat(c_.to == ir::DType::f32 ? "vsts " : "vstd ", reg(s), ",", offset, "(", reg(base), ")"), Pipe::p1, 1, {s, base}, {}};
  }
  static Operation shuffle(int a, int b, int control, int d) {
    return {cat("vshff ", reg(a), ",", reg(b), ",", control, ",", reg(d)), Pipe::p0, kShuffle, {a, b}, {d}};
  }

  /// Runs a loop on the count in `left`, which its operations lower.
  void loop(const std::vector<Operation>& ops, int left, const std::string& label) {
    const Loop l = schedule_loop(ops);
    base::require(l.stages <= 2, "a loop of a conversion overlaps at most two rounds, as there may be one only");
    for (const Loop::Placed& p : l.body) base::require(p.operation.writes != std::vector<int>{left} || p.stage == 0, "the loop counts its first round at once");
    text_.lines(l.prologue());
    text_.branch(cat("ble ", reg(left)), label + "_last");
    text_.label(label);
    for (const Loop::Placed& p : l.body) text_.line(p.operation);
    text_.branch(cat("bgt ", reg(left)), label);
    text_.label(label + "_last");
    text_.lines(l.epilogue());
  }

  static int shift(int bytes) { return bytes == 8 ? 3 : 2; }

  /// Four vectors a round where the length has them, then one a round.
  void rows() {
    text_.raw("cmpeq $20,$19,$0");
    text_.raw("cmpeq $21,$19,$1");
    text_.raw("and $0,$1,$0");
    text_.branch("beq $0", "row");
    text_.raw(cat("mull $18,$19,$19"));
    text_.raw("mov 1,$18");
    text_.label("row");
    text_.raw(cat("mov ", reg(kFrom), ",$22"));
    text_.raw(cat("mov ", reg(kTo), ",$23"));
    text_.raw(cat("srl ", reg(kRun), ",4,$24"));
    text_.raw(cat("and ", reg(kRun), ",15,$25"));
    text_.branch("ble $24", "single");
    loop(vectors(4, 24), 24, "four");
    text_.label("single");
    text_.branch("ble $25", "next");
    loop(vectors(1, 25), 25, "one");
    text_.label("next");
    text_.raw(cat("sll $20,", shift(from_bytes()), ",$22"));
    text_.raw(cat("sll $21,", shift(to_bytes()), ",$23"));
    text_.line(add(kFrom, 22, kFrom));
    text_.line(add(kTo, 23, kTo));
    text_.line(add_number(kLeftOver, -1, kLeftOver));
    text_.branch(cat("bgt ", reg(kLeftOver)), "row");
  }

  std::vector<Operation> vectors(int count, int left) const {
    std::vector<Operation> ops;
    for (int i = 0; i < count; ++i) ops.push_back(load(i, 22, 4 * i * from_bytes()));
    for (int i = 0; i < count; ++i) ops.push_back(store(i, 23, 4 * i * to_bytes()));
    ops.push_back(add_number(22, 4 * count * from_bytes(), 22));
    ops.push_back(add_number(23, 4 * count * to_bytes(), 23));
    ops.push_back(add_number(left, count == 1 ? -4 : -1, left));
    return ops;
  }

  /// Four rows at a time, four of a run in each of them.
  void turned() {
    text_.raw(cat("sll ", reg(kRun), ",", shift(from_bytes()), ",$20"));       // bytes of a row of `from`
    text_.raw(cat("sll ", reg(kLeftOver), ",", shift(to_bytes()), ",$21"));    // of `to`
    text_.raw("sll $21,2,$28");                                               // of four of them
    text_.label("rows");
    text_.raw(cat("mov ", reg(kRun), ",$29"));
    text_.raw(cat("mov ", reg(kTo), ",$0"));
    for (int i = 0; i < 3; ++i) {
      text_.raw(cat("addl ", reg(i == 0 ? kFrom : kFromRow + i - 1), ",$20,", reg(kFromRow + i)));
      text_.raw(cat("addl ", reg(i == 0 ? kTo : kToRow + i - 1), ",$21,", reg(kToRow + i)));
    }
    std::vector<Operation> ops;
    const auto from = [&](int i) { return i == 0 ? kFrom : kFromRow + i - 1; };
    const auto to = [&](int i) { return i == 0 ? 0 : kToRow + i - 1; };
    for (int i = 0; i < 4; ++i) ops.push_back(load(1 + i, from(i), 0));
    ops.push_back(shuffle(2, 1, 0x44, 5));
    ops.push_back(shuffle(2, 1, 0xEE, 6));
    ops.push_back(shuffle(4, 3, 0x44, 7));
    ops.push_back(shuffle(4, 3, 0xEE, 8));
    for (int i = 0; i < 4; ++i) {
      ops.push_back(shuffle(i < 2 ? 7 : 8, i < 2 ? 5 : 6, i % 2 == 0 ? 0x88 : 0xDD, 9 + i));
      ops.push_back(store(9 + i, to(i), 0));
    }
    for (int i = 0; i < 4; ++i) {
      ops.push_back(add_number(from(i), 4 * from_bytes(), from(i)));
      ops.push_back(add(to(i), 28, to(i)));
    }
    ops.push_back(add_number(29, -4, 29));
    loop(ops, 29, "columns");
    text_.raw(cat("mov ", reg(kFromRow + 2), ",", reg(kFrom)));  // at the end of the fourth row the fifth begins
    text_.line(add_number(kTo, 4 * to_bytes(), kTo));
    text_.line(add_number(kLeftOver, -4, kLeftOver));
    text_.branch(cat("bgt ", reg(kLeftOver)), "rows");
  }

  AssemblyText text_;
  Conversion c_;
};

}  // namespace

std::string convert_assembly(const std::string& name, Conversion conversion) { return ConvertWriter(name, conversion).write(); }

}  // namespace swgen::codegen::sw26010
