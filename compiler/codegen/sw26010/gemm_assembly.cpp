// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/gemm_assembly.h"

#include <functional>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/sw26010/gemm_operations.h"

namespace swgen::codegen::sw26010 {
namespace {

using base::cat;

/// Words of the stack frame, in bytes from the stack pointer.
enum Word { kVectors = 0, kValues = 8, kC = 16, kLong = 24, kShort = 32, kSaved = 40, kFrameBytes = 128 };

/// Words of kValueRow and kVectorRow above the address step in their lowest 64 bits.
enum ValueRowLane { kSteps = 2, kVectorsOfTile = 3, kValuesOfTile = 4, kLongLeft = 5, kShortLeft = 6 };
/// k that the core only takes, before, between and after its sends.
enum VectorRowLane { kFirstRun = 2, kSecondRun = 3, kThirdRun = 4 };

constexpr Role kTake = {false, false};

/// Which operand a core sends first decides on its way through a tile.
struct Way {
  const char* name;
  std::vector<Role> sends;
};

class GemmWriter {
 public:
  GemmWriter(const std::string& name, GemmVariant variant) : text_(name), variant_(variant), directions_(variant.lanes_n) {}

  std::string write() {
    text_.begin();
    enter();
    const Way ways[] = {{"vectors_first", {{true, false}, {false, true}}},
                        {"values_first", {{false, true}, {true, false}}},
                        {"both_at_once", {{true, true}}}};
    // $22: the step in which the core sends vectors, $23: values.
    text_.raw("cmplt $22,$23,$0");
    text_.raw("cmplt $23,$22,$1");
    text_.branch("bne $0", ways[0].name);
    text_.branch("bne $1", ways[1].name);
    text_.branch("br $31", ways[2].name);
    for (const Way& way : ways) tiles(way);
    text_.label("leave");
    text_.restore(kFrameBytes, kSaved);
    text_.end();
    return text_.text();
  }

 private:
  /// Saves what the caller needs and the arguments; $19 to $21 are m, n and k of a core.
  void enter() {
    const bool n = variant_.lanes_n;
    text_.save(kFrameBytes, kSaved);
    // Vectors go along the rows, from the column of the step, when lanes run along m; values the other way.
    text_.raw(cat("rcsr $22,", n ? 1 : 2));
    text_.raw(cat("rcsr $23,", n ? 2 : 1));
    text_.line(store_word(n ? 17 : 16, kVectors));
    text_.line(store_word(n ? 16 : 17, kValues));
    text_.line(store_word(18, kC));
    text_.line(store_word(n ? 20 : 19, kLong));
    text_.line(store_word(n ? 19 : 20, kShort));
    text_.raw(cat("sll ", reg(n ? 20 : 19), ",3,", reg(kVectorRow)));
    text_.raw(cat("sll ", reg(n ? 19 : 20), ",3,", reg(kValueRow)));
    text_.line(pack(21, kValueRow, kSteps));
  }

  /// Where a run of takes may be empty, the next send follows at once.
  void run_or_skip(int lane, const std::string& skip) {
    text_.line(unpack(kVectorRow, lane, kLeft));
    text_.branch(cat("beq ", reg(kLeft)), skip);
  }

  void tiles(const Way& way) {
    const std::string n = way.name;
    const bool both = way.sends.size() == 1, vectors = way.sends[0].send_vectors;
    const auto at = [&](const std::string& place) { return n + "_" + place; };
    text_.label(n);
    // Runs of takes: the steps before the first send, between the sends, after the last.
    const int first = vectors ? 22 : 23, last = both || !vectors ? 22 : 23;
    text_.raw(cat("mull ", reg(first), ",$21,$0"));
    text_.raw(cat("subl ", reg(last), ",", reg(first), ",$1"));
    text_.raw("subl $1,1,$1");
    text_.raw("mull $1,$21,$1");
    text_.raw(cat("subl $31,", reg(last), ",$2"));
    text_.raw("addl $2,7,$2");
    text_.raw("mull $2,$21,$2");
    text_.line(pack(0, kVectorRow, kFirstRun));
    text_.line(pack(1, kVectorRow, kSecondRun));
    text_.line(pack(2, kVectorRow, kThirdRun));
    text_.scheduled({load_word(kTileAt, kC), load_word(0, kShort), load_word(1, kValues), pack(0, kValueRow, kShortLeft), pack(1, kValueRow, kValuesOfTile)});
    text_.label(at("row"));
    text_.scheduled({load_word(0, kLong), load_word(1, kVectors), pack(0, kValueRow, kLongLeft), pack(1, kValueRow, kVectorsOfTile)});
    text_.label(at("tile"));

    run_or_skip(kFirstRun, at("head"));
    head(kTake, kFirstRun);
    loop(kTake, at("first"));
    change(kTake, way.sends[0], kSteps);
    text_.branch("br $31", at("send"));
    text_.label(at("head"));
    head(way.sends[0], kSteps);
    text_.label(at("send"));
    loop(way.sends[0], at("send_1"));
    if (!both) {
      run_or_skip(kSecondRun, at("turn"));
      change(way.sends[0], kTake, kSecondRun);
      loop(kTake, at("second"));
      change(kTake, way.sends[1], kSteps);
      text_.branch("br $31", at("send_again"));
      text_.label(at("turn"));
      change(way.sends[0], way.sends[1], kSteps);
      text_.label(at("send_again"));
      loop(way.sends[1], at("send_2"));
    }
    run_or_skip(kThirdRun, at("tail"));
    change(way.sends.back(), kTake, kThirdRun);
    loop(kTake, at("third"));
    tail(kTake);
    text_.branch("br $31", at("stored"));
    text_.label(at("tail"));
    tail(way.sends.back());
    text_.label(at("stored"));
    text_.branch("bgt $4", at("tile"));
    // The tile's rows begin anew, four further: three, since the tiles walked along one.
    std::vector<Operation> turn;
    for (int i = 0; i < 3; ++i) turn.push_back(add(kTileAt, kVectorRow, kTileAt));
    for (const Operation& o : {unpack(kValueRow, kValuesOfTile, 0), add_number(0, 32, 0), pack(0, kValueRow, kValuesOfTile), unpack(kValueRow, kShortLeft, 1),
                               add_number(1, -4, 1), pack(1, kValueRow, kShortLeft)})
      turn.push_back(o);
    text_.scheduled(turn);
    text_.branch("bgt $1", at("row"));
    text_.branch("br $31", "leave");
  }

  Operation count(int lane, bool steps) const { return unpack(steps ? kValueRow : kVectorRow, lane, kLeft); }

  /// The tile of C comes into registers, and the first operands.
  void head(Role role, int lane) {
    std::vector<Operation> ops = {unpack(kValueRow, kVectorsOfTile, kVectorAt), unpack(kValueRow, kValuesOfTile, kValueAt)};
    for (int b = 0; b < 4; ++b) {  // the counter's register points to the tile's rows as long as it is free
      if (b > 0 && !variant_.overwrite) ops.push_back(add(b == 1 ? kTileAt : kLeft, kVectorRow, kLeft));
      for (int v = 0; v < 4; ++v)
        ops.push_back(variant_.overwrite ? Operation{cat("vmuld $31,$31,", reg(tile_register(b, v))), Pipe::p0, 7, {}, {tile_register(b, v)}}
                                         : load_vector(tile_register(b, v), b == 0 ? kTileAt : kLeft, 32 * v));
    }
    ops.push_back(count(lane, !(role == kTake)));
    for (const Operation& o : pipeline(role).prologue()) ops.push_back(o);
    text_.scheduled(ops);
  }

  void loop(Role role, const std::string& label) {
    const Loop& l = pipeline(role);
    text_.branch(cat("ble ", reg(kLeft)), label + "_end");
    text_.label(label + "_k");
    text_.comment(cat(role.send_vectors ? "sends" : "takes", " vectors along the ", directions_.vectors == 'r' ? "row" : "column", ", ",
                      role.send_values ? "sends" : "takes", " values along the ", directions_.values == 'r' ? "row" : "column", ": ", l.interval,
                      " cycles for 16 multiply-adds"));
    for (const Loop::Placed& p : l.body) text_.line(p.operation);
    text_.branch(cat("bgt ", reg(kLeft)), label + "_k");
    text_.label(label + "_end");
  }

  /// The last products of one role and the first operands of the next, together.
  void change(Role from, Role to, int lane) {
    std::vector<Operation> ops = pipeline(from).epilogue();
    ops.push_back(count(lane, !(to == kTake)));
    for (const Operation& o : pipeline(to).prologue()) ops.push_back(o);
    text_.scheduled(ops);
  }

  void tail(Role role) {
    std::vector<Operation> ops = pipeline(role).epilogue();
    ops.push_back(add(kTileAt, kVectorRow, kVectorAt));
    ops.push_back(add(kVectorAt, kVectorRow, kValueAt));
    ops.push_back(add(kValueAt, kVectorRow, kLeft));
    for (int b = 0; b < 4; ++b)
      for (int v = 0; v < 4; ++v)
        ops.push_back(store_vector(tile_register(b, v), b == 0 ? kTileAt : b == 1 ? kVectorAt : b == 2 ? kValueAt : kLeft, 32 * v));
    ops.push_back(add_number(kTileAt, 128, kTileAt));
    for (const Operation& o : {unpack(kValueRow, kVectorsOfTile, kVector), add_number(kVector, 128, kVector), pack(kVector, kValueRow, kVectorsOfTile),
                               unpack(kValueRow, kLongLeft, kValue), add_number(kValue, -16, kValue), pack(kValue, kValueRow, kLongLeft)})
      ops.push_back(o);
    text_.scheduled(ops);
  }

  /// One iteration is ahead, so that the prologue counts it and k may be 1.
  const Loop& pipeline(Role role) {
    Loop& l = loops_[role.send_vectors ? 1 : 0][role.send_values ? 1 : 0];
    if (l.stages > 0) return l;
    l = schedule_loop(one_k(role, directions_));
    base::require(l.stages == 2, "the loop over k overlaps two iterations");
    for (const Loop::Placed& p : l.body)
      base::require(p.operation.writes != std::vector<int>{kLeft} || (p.stage == 0 && p.cycle + 2 <= l.interval), "the loop counts before it branches");
    return l;
  }

  AssemblyText text_;
  GemmVariant variant_;
  Directions directions_;
  Loop loops_[2][2];
};

}  // namespace

std::string gemm_assembly(const std::string& name, GemmVariant variant) { return GemmWriter(name, variant).write(); }

}  // namespace swgen::codegen::sw26010
