// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/gemm_assembly.h"

#include <sstream>
#include <vector>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/sw26010/pipeliner.h"

namespace swgen::codegen::sw26010 {
namespace {

using base::cat;

// Latencies: J. Fang, PhD thesis, Tsinghua University 2019, Table 3.2; loads as Fang et al., IPDPS 2017, VI-B.
constexpr int kFma = 7, kLoad = 4;

// Registers. The four vectors and the four values of a step, the tile of C, and what walks along.
constexpr int kVector = 0, kValue = 4, kTile = 8, kVectorAt = 24, kValueAt = 25, kVectorRow = 26, kValueRow = 27, kLeft = 28, kTileAt = 29;
constexpr int kStack = 30;

// What must keep its order besides registers.
constexpr int kAcross = 32, kAlong = 33, kFrame = 40;

/// Words of the stack frame, in bytes from the stack pointer.
enum Word { kReturn = 0, kGlobal = 8, kVectors = 16, kValues = 24, kC = 32, kLong = 40, kShort = 48, kRow = 56, kColumn = 64, kStep = 72,
            kSaved = 80, kFrameBytes = 160 };

/// 32-bit words of the upper lanes of kValueRow, whose lowest is an address step: P0 packs and unpacks them while P1 is busy.
enum Lane { kSteps = 2, kVectorsOfTile = 3, kValuesOfTile = 4, kLongLeft = 5, kShortLeft = 6 };

std::string r(int reg) { return cat("$", reg); }

Operation fma(int a, int b, int c) { return {cat("vmad ", r(a), ",", r(b), ",", r(c), ",", r(c)), Pipe::p0, kFma, {a, b, c}, {c}}; }
Operation add(int a, int b, int d) { return {cat("addl ", r(a), ",", r(b), ",", r(d)), Pipe::either, 1, {a, b}, {d}}; }
Operation add_number(int a, int n, int d) { return {cat(n < 0 ? "subl " : "addl ", r(a), ",", n < 0 ? -n : n, ",", r(d)), Pipe::either, 1, {a}, {d}}; }
Operation load_vector(int d, int base, int offset) { return {cat("vldd ", r(d), ",", offset, "(", r(base), ")"), Pipe::p1, kLoad, {base}, {d}}; }
Operation store_vector(int s, int base, int offset) { return {cat("vstd ", r(s), ",", offset, "(", r(base), ")"), Pipe::p1, 1, {s, base}, {}}; }
Operation load_word(int d, int word) { return {cat("ldl ", r(d), ",", word, "(", r(kStack), ")"), Pipe::p1, kLoad, {kFrame + word}, {d}}; }
Operation store_word(int s, int word) { return {cat("stl ", r(s), ",", word, "(", r(kStack), ")"), Pipe::p1, 1, {s}, {kFrame + word}}; }

Operation unpack(int d, Lane lane) { return {cat("vextw ", r(kValueRow), ",", int{lane}, ",", r(d)), Pipe::p0, 1, {kValueRow}, {d}}; }
Operation pack(int s, Lane lane) { return {cat("vinsw ", r(s), ",", r(kValueRow), ",", int{lane}, ",", r(kValueRow)), Pipe::p0, 1, {s, kValueRow}, {kValueRow}}; }

class GemmWriter {
 public:
  GemmWriter(std::string name, bool lanes_n) : name_(std::move(name)), lanes_n_(lanes_n) {}

  std::string write() {
    out_ << "# SPDX-License-Identifier: Apache-2.0\n"
         << "# C += A * B on the mesh of 8x8 cores, lanes along " << (lanes_n_ ? "n" : "m") << ": 4 vectors times 4 values.\n"
         << "\t.set noreorder\n\t.set noat\n\t.section .text1,\"ax\",\"progbits\"\n\t.align 4\n\t.globl " << name_ << "\n\t.ent " << name_ << "\n"
         << name_ << ":\n";
    enter();
    label("step");
    line(load_word(0, kStep));
    line(load_word(1, across() == 'r' ? kColumn : kRow));  // vectors go along the rows when lanes run along m
    line(load_word(2, across() == 'r' ? kRow : kColumn));
    out_ << "\tcmpeq $1,$0,$1\n\tcmpeq $2,$0,$2\n";
    branch("beq $1", "take_vectors");
    branch("beq $2", "send_take");
    branch("br $31", "send_send");
    label("take_vectors");
    branch("beq $2", "take_take");
    branch("br $31", "take_send");
    for (const bool send_vectors : {false, true})
      for (const bool send_values : {false, true}) role(send_vectors, send_values);
    label("next");
    line(load_word(0, kStep));
    line(add_number(0, 1, 0));
    line(store_word(0, kStep));
    out_ << "\tcmplt $0,8,$0\n";
    branch("bne $0", "step");
    line(load_word(26, kReturn));
    line(load_word(29, kGlobal));
    for (int saved = 9; saved <= 15; ++saved) line(load_word(saved, kSaved + 8 * (saved - 9)));
    line(add_number(kStack, kFrameBytes, kStack));
    out_ << "\tret $31,($26),1\n\t.end " << name_ << "\n";
    return out_.str();
  }

 private:
  /// The direction in which vectors travel, r or c, as in the names of instructions.
  char across() const { return lanes_n_ ? 'c' : 'r'; }
  char along() const { return lanes_n_ ? 'r' : 'c'; }

  void line(const Operation& o) { out_ << "\t" << spaced(o.text) << "\n"; }
  void lines(const std::vector<Operation>& ops) {
    for (const Operation& o : ops) line(o);
  }
  static std::string spaced(std::string text) { return text.replace(text.find(' '), 1, "\t"); }
  void label(const std::string& l) { out_ << ".L" << name_ << "_" << l << ":\n"; }
  void branch(const std::string& what, const std::string& to) { out_ << "\t" << spaced(what) << ",.L" << name_ << "_" << to << "\n"; }

  /// Saves what the caller needs and the arguments; $19 to $21 are m8, n8, k8.
  void enter() {
    line(add_number(kStack, -kFrameBytes, kStack));
    line(store_word(26, kReturn));
    line(store_word(29, kGlobal));
    for (int saved = 9; saved <= 15; ++saved) line(store_word(saved, kSaved + 8 * (saved - 9)));
    out_ << "\trcsr\t$22,1\n\trcsr\t$23,2\n";
    line(store_word(lanes_n_ ? 17 : 16, kVectors));
    line(store_word(lanes_n_ ? 16 : 17, kValues));
    line(store_word(18, kC));
    line(store_word(lanes_n_ ? 20 : 19, kLong));
    line(store_word(lanes_n_ ? 19 : 20, kShort));
    line(store_word(22, kRow));
    line(store_word(23, kColumn));
    line(store_word(31, kStep));
    out_ << "\tsll\t" << r(lanes_n_ ? 20 : 19) << ",3," << r(kVectorRow) << "\n\tsll\t" << r(lanes_n_ ? 19 : 20) << ",3," << r(kValueRow) << "\n";
    line(pack(21, kSteps));
  }

  /// One k: the loads or gets of 4 vectors and 4 values in turn, 16 multiply-adds, the pointers' steps.
  std::vector<Operation> iteration(bool send_vectors, bool send_values) const {
    std::vector<Operation> ops;
    for (int i = 0; i < 4; ++i) {
      ops.push_back(vector(send_vectors, i));
      ops.push_back(value(send_values, i));
    }
    for (int sum = 0; sum < 7; ++sum)
      for (int v = 0; v < 4; ++v)
        if (const int b = sum - v; b >= 0 && b < 4) ops.push_back(fma(kVector + v, kValue + b, tile(b, v)));
    if (send_vectors) ops.push_back(add(kVectorAt, kVectorRow, kVectorAt));
    if (send_values) ops.push_back(add(kValueAt, kValueRow, kValueAt));
    ops.push_back(add_number(kLeft, -1, kLeft));
    return ops;
  }

  static int tile(int value, int vector) { return kTile + 4 * value + vector; }

  Operation vector(bool send, int i) const {
    if (!send) return {cat("get", across(), " ", r(kVector + i)), Pipe::p1, 1, {kAcross}, {kVector + i, kAcross}};
    return {cat("vld", across(), " ", r(kVector + i), ",", 32 * i, "(", r(kVectorAt), ")"), Pipe::p1, kLoad, {kVectorAt, kAcross}, {kVector + i}};
  }
  Operation value(bool send, int i) const {
    if (!send) return {cat("get", along(), " ", r(kValue + i)), Pipe::p1, 1, {kAlong}, {kValue + i, kAlong}};
    return {cat("ldde", along(), " ", r(kValue + i), ",", 8 * i, "(", r(kValueAt), ")"), Pipe::p1, kLoad, {kValueAt, kAlong}, {kValue + i}};
  }

  void role(bool send_vectors, bool send_values) {
    const std::string n = cat(send_vectors ? "send" : "take", "_", send_values ? "send" : "take");
    const Loop loop = schedule_loop(iteration(send_vectors, send_values));
    // One iteration is ahead, so that the prologue counts it and k may be 1.
    base::require(loop.stages == 2, "the loop over k overlaps two iterations");
    for (const Loop::Placed& p : loop.body)
      base::require(p.operation.writes != std::vector<int>{kLeft} || (p.stage == 0 && p.cycle + 2 <= loop.interval), "the loop counts before it branches");
    label(n);
    out_ << "# " << (send_vectors ? "sends" : "takes") << " vectors along the " << (across() == 'r' ? "row" : "column") << ", "
         << (send_values ? "sends" : "takes") << " values along the " << (along() == 'r' ? "row" : "column") << "\n";
    lines(schedule_straight({load_word(kTileAt, kC), load_word(0, kShort), load_word(1, kValues), pack(0, kShortLeft),
                             pack(1, kValuesOfTile)}).operations);
    label(n + "_short");
    lines(schedule_straight({load_word(0, kLong), load_word(1, kVectors), pack(0, kLongLeft), pack(1, kVectorsOfTile)}).operations);
    label(n + "_tile");
    std::vector<Operation> head = {unpack(kVectorAt, kVectorsOfTile), unpack(kValueAt, kValuesOfTile)};
    for (int b = 0; b < 4; ++b) {  // the counter's register points to the tile's rows as long as it is free
      if (b > 0) head.push_back(add(b == 1 ? kTileAt : kLeft, kVectorRow, kLeft));
      for (int v = 0; v < 4; ++v) head.push_back(load_vector(tile(b, v), b == 0 ? kTileAt : kLeft, 32 * v));
    }
    head.push_back(unpack(kLeft, kSteps));
    for (const Operation& o : loop.prologue()) head.push_back(o);
    lines(schedule_straight(head).operations);
    branch(cat("ble ", r(kLeft)), n + "_last");
    label(n + "_k");
    out_ << "# " << loop.interval << " cycles for 16 multiply-adds\n";
    for (const Loop::Placed& p : loop.body) line(p.operation);
    branch(cat("bgt ", r(kLeft)), n + "_k");
    label(n + "_last");
    std::vector<Operation> tail = loop.epilogue();
    tail.push_back(add(kTileAt, kVectorRow, kVectorAt));
    tail.push_back(add(kVectorAt, kVectorRow, kValueAt));
    tail.push_back(add(kValueAt, kVectorRow, kLeft));
    for (int b = 0; b < 4; ++b)
      for (int v = 0; v < 4; ++v) tail.push_back(store_vector(tile(b, v), b == 0 ? kTileAt : b == 1 ? kVectorAt : b == 2 ? kValueAt : kLeft, 32 * v));
    tail.push_back(add_number(kTileAt, 128, kTileAt));
    tail.push_back(unpack(kVector, kVectorsOfTile));
    tail.push_back(add_number(kVector, 128, kVector));
    tail.push_back(pack(kVector, kVectorsOfTile));
    tail.push_back(unpack(kValue, kLongLeft));
    tail.push_back(add_number(kValue, -16, kValue));
    tail.push_back(pack(kValue, kLongLeft));
    lines(schedule_straight(tail).operations);
    branch(cat("bgt ", r(kValue)), n + "_tile");
    // The tile's rows begin anew, four further: three, since the tiles walked along one.
    std::vector<Operation> turn;
    for (int i = 0; i < 3; ++i) turn.push_back(add(kTileAt, kVectorRow, kTileAt));
    for (const Operation& o : {unpack(0, kValuesOfTile), add_number(0, 32, 0), pack(0, kValuesOfTile), unpack(1, kShortLeft),
                               add_number(1, -4, 1), pack(1, kShortLeft)})
      turn.push_back(o);
    lines(schedule_straight(turn).operations);
    branch("bgt $1", n + "_short");
    branch("br $31", "next");
  }

  std::string name_;
  bool lanes_n_;
  std::ostringstream out_;
};

}  // namespace

std::string gemm_assembly(const std::string& name, bool lanes_n) { return GemmWriter(name, lanes_n).write(); }

}  // namespace swgen::codegen::sw26010
