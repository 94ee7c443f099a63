// SPDX-License-Identifier: Apache-2.0
// The GEMM primitive as published kernels have it (Fang et al., IPDPS 2017, VI; J. Fang, PhD thesis, Tsinghua
// University 2019, 4.1): for each of eight steps, all tiles; for each tile: addresses, 16 vectors of C, the loop over k,
// 16 stores. Nothing of one tile overlaps with the next.
#include <utility>

#include "compiler/base/text.h"
#include "compiler/codegen/sw26010/gemm_assembly.h"
#include "compiler/codegen/sw26010/gemm_operations.h"

namespace swgen::codegen::sw26010 {
namespace {

using base::cat;

enum Word { kVectors = 0, kValues = 8, kC = 16, kLong = 24, kShort = 32, kRow = 40, kColumn = 48, kStep = 56, kSaved = 64, kFrameBytes = 160 };

/// Words of kValueRow above the address step: k, the place of the tile, in elements, and the address of its panel's vectors.
enum Lane { kSteps = 2, kLongAt = 3, kShortAt = 4, kLongEnd = 5, kShortEnd = 6, kVectorsOfPanel = 7 };

constexpr int kPublishedInterval = 17;

class PublishedWriter {
 public:
  PublishedWriter(const std::string& name, bool lanes_n, PublishedBody body) : text_(name), lanes_n_(lanes_n), directions_(lanes_n), body_(body) {}

  std::string write() {
    text_.begin();
    enter();
    text_.label("step");
    text_.line(load_word(0, kStep));
    text_.line(load_word(1, directions_.vectors == 'r' ? kColumn : kRow));
    text_.line(load_word(2, directions_.vectors == 'r' ? kRow : kColumn));
    text_.raw("cmpeq $1,$0,$1");
    text_.raw("cmpeq $2,$0,$2");
    text_.branch("beq $1", "take_vectors");
    text_.branch("beq $2", "send_take");
    text_.branch("br $31", "send_send");
    text_.label("take_vectors");
    text_.branch("beq $2", "take_take");
    text_.branch("br $31", "take_send");
    for (const bool send_vectors : {false, true})
      for (const bool send_values : {false, true}) tiles({send_vectors, send_values});
    text_.label("next");
    text_.line(load_word(0, kStep));
    text_.line(add_number(0, 1, 0));
    text_.line(store_word(0, kStep));
    text_.raw("cmplt $0,8,$0");
    text_.branch("bne $0", "step");
    text_.restore(kFrameBytes, kSaved);
    text_.end();
    return text_.text();
  }

 private:
  void enter() {
    text_.save(kFrameBytes, kSaved);
    text_.raw("rcsr $22,1");
    text_.raw("rcsr $23,2");
    for (const auto& [from, word] : {std::pair{lanes_n_ ? 17 : 16, kVectors}, {lanes_n_ ? 16 : 17, kValues}, {18, kC}, {lanes_n_ ? 20 : 19, kLong},
                                     {lanes_n_ ? 19 : 20, kShort}, {22, kRow}, {23, kColumn}, {31, kStep}})
      text_.line(store_word(from, word));
    text_.raw(cat("sll ", reg(lanes_n_ ? 20 : 19), ",3,", reg(kVectorRow)));
    text_.raw(cat("sll ", reg(lanes_n_ ? 19 : 20), ",3,", reg(kValueRow)));
    text_.line(pack(21, kValueRow, kSteps));
    text_.line(pack(lanes_n_ ? 20 : 19, kValueRow, kLongEnd));
    text_.line(pack(lanes_n_ ? 19 : 20, kValueRow, kShortEnd));
  }

  void tiles(Role role) {
    const std::string n = role.name();
    text_.label(n);
    text_.line(pack(31, kValueRow, kLongAt));
    text_.label(n + "_panel");
    text_.line(pack(31, kValueRow, kShortAt));
    text_.line(unpack(kValueRow, kLongAt, 0));
    text_.line(load_word(1, kVectors));
    text_.raw("s8addl $0,$1,$1");
    text_.line(pack(1, kValueRow, kVectorsOfPanel));
    text_.label(n + "_tile");
    addresses();
    for (int b = 0; b < 4; ++b) {
      if (b > 0) text_.line(add(b == 1 ? kTileAt : kLeft, kVectorRow, kLeft));
      for (int v = 0; v < 4; ++v) text_.line(load_vector(tile_register(b, v), b == 0 ? kTileAt : kLeft, 32 * v));
    }
    text_.line(unpack(kValueRow, kSteps, kLeft));
    if (body_ == PublishedBody::pipelined)
      pipelined(role);
    else
      compiled(role);
    text_.line(add(kTileAt, kVectorRow, kVectorAt));
    text_.line(add(kVectorAt, kVectorRow, kValueAt));
    text_.line(add(kValueAt, kVectorRow, kLeft));
    for (int b = 0; b < 4; ++b)
      for (int v = 0; v < 4; ++v) text_.line(store_vector(tile_register(b, v), b == 0 ? kTileAt : b == 1 ? kVectorAt : b == 2 ? kValueAt : kLeft, 32 * v));
    advance(kShortAt, kShortEnd, 4, n + "_tile");
    advance(kLongAt, kLongEnd, 16, n + "_panel");
    text_.branch("br $31", "next");
  }

  /// Of the tile and its operands, from its place: the published kernels keep indices, not pointers, in vector registers.
  void addresses() {
    text_.line(unpack(kValueRow, kLongAt, 0));
    text_.line(unpack(kValueRow, kShortAt, 1));
    text_.line(load_word(4, kValues));
    text_.line(unpack(kValueRow, kVectorsOfPanel, kVectorAt));
    text_.raw(cat("s8addl $1,$4,", reg(kValueAt)));
    text_.line(load_word(5, kLong));
    text_.line(load_word(2, kC));
    text_.raw("mull $1,$5,$6");
    text_.raw("addl $6,$0,$6");
    text_.raw(cat("s8addl $6,$2,", reg(kTileAt)));
  }

  /// The operands of the next k are loaded while the products of this one run; the last products stand alone.
  void pipelined(Role role) {
    std::vector<Operation> ops = products_of_k();
    for (const Operation& o : loads_of_k(role, directions_)) ops.push_back(o);
    for (const Operation& o : steps_of_k(role)) ops.push_back(o);
    const Loop loop = schedule_loop(ops, kPublishedInterval);
    text_.lines(loads_of_k(role, directions_));
    text_.lines(steps_of_k(role));
    text_.branch(cat("ble ", reg(kLeft)), role.name() + "_last");
    text_.lines(loop.prologue());
    text_.branch(cat("ble ", reg(kLeft)), role.name() + "_drain");
    text_.label(role.name() + "_k");
    for (const Loop::Placed& p : loop.body) text_.line(p.operation);
    text_.branch(cat("bgt ", reg(kLeft)), role.name() + "_k");
    text_.label(role.name() + "_drain");
    text_.lines(loop.epilogue());
    text_.label(role.name() + "_last");
    text_.lines(products_of_k());
  }

  void compiled(Role role) {
    text_.label(role.name() + "_k");
    text_.lines(loads_of_k(role, directions_));
    text_.lines(products_of_k());
    text_.lines(steps_of_k(role));
    text_.branch(cat("bgt ", reg(kLeft)), role.name() + "_k");
  }

  void advance(int lane, int end, int by, const std::string& again) {
    text_.line(unpack(kValueRow, lane, 0));
    text_.line(unpack(kValueRow, end, 1));
    text_.line(add_number(0, by, 0));
    text_.line(pack(0, kValueRow, lane));
    text_.raw("cmplt $0,$1,$1");
    text_.branch("bne $1", again);
  }

  AssemblyText text_;
  bool lanes_n_;
  Directions directions_;
  PublishedBody body_;
};

}  // namespace

std::string published_gemm_assembly(const std::string& name, bool lanes_n, PublishedBody body) { return PublishedWriter(name, lanes_n, body).write(); }

}  // namespace swgen::codegen::sw26010
