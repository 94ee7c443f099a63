// SPDX-License-Identifier: Apache-2.0
// The instructions of which GEMM primitives of the mesh are made, and what they keep in which register.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "compiler/codegen/sw26010/pipeliner.h"

namespace swgen::codegen::sw26010 {

// Registers: the four vectors and the four values of a k, the tile of C, and what walks along.
inline constexpr int kVector = 0, kValue = 4, kTile = 8, kVectorAt = 24, kValueAt = 25, kVectorRow = 26, kValueRow = 27, kLeft = 28, kTileAt = 29;
inline constexpr int kStack = 30;

// What must keep its order besides registers.
inline constexpr int kAcross = 32, kAlong = 33, kFrame = 40;

std::string reg(int number);

Operation fma(int a, int b, int c);
Operation add(int a, int b, int d);
Operation add_number(int a, int number, int d);
Operation load_vector(int d, int base, int offset);
Operation store_vector(int s, int base, int offset);
/// A word of the stack frame, `word` bytes above the stack pointer.
Operation load_word(int d, int word);
Operation store_word(int s, int word);
/// A 32-bit word of a register that holds several: P0 unpacks and packs while P1 is busy.
Operation unpack(int from, int lane, int d);
Operation pack(int s, int into, int lane);

inline int tile_register(int value, int vector) { return kTile + 4 * value + vector; }

/// What a core does in a step of the mesh: send its own operand, or take that of another core.
struct Role {
  bool send_vectors = false, send_values = false;
  std::string name() const { return std::string(send_vectors ? "send" : "take") + "_" + (send_values ? "send" : "take"); }
  bool operator==(const Role&) const = default;
};

/// Directions in the names of instructions, r (along the row) or c, by which dimension has the lanes.
struct Directions {
  char vectors = 'r', values = 'c';
  explicit Directions(bool lanes_n) : vectors(lanes_n ? 'c' : 'r'), values(lanes_n ? 'r' : 'c') {}
};

/// One k of a tile: 4 vectors and 4 values in turn, 16 multiply-adds, the pointers' steps, the count.
std::vector<Operation> loads_of_k(Role role, Directions d);
std::vector<Operation> products_of_k();
std::vector<Operation> steps_of_k(Role role);
std::vector<Operation> one_k(Role role, Directions d);

/// Assembly text of one function.
class AssemblyText {
 public:
  explicit AssemblyText(std::string name) : name_(std::move(name)) {}
  void comment(const std::string& text) { out_ << "/* " << text << " */\n"; }
  void raw(const std::string& text) { out_ << "\t" << spaced(text) << "\n"; }
  void line(const Operation& o) { raw(o.text); }
  void lines(const std::vector<Operation>& ops) {
    for (const Operation& o : ops) line(o);
  }
  /// In an order that issues in few cycles.
  void scheduled(const std::vector<Operation>& ops) { lines(schedule_straight(ops).operations); }
  void label(const std::string& l) { out_ << local(l) << ":\n"; }
  void branch(const std::string& what, const std::string& to) { raw(what + "," + local(to)); }
  void begin();
  void end();
  /// Makes the stack frame and saves, in words from `saved` on, what the function must leave to its caller: $26, $29, $9 to $15; and back.
  void save(int frame_bytes, int saved);
  void restore(int frame_bytes, int saved);
  std::string text() const { return out_.str(); }
  const std::string& name() const { return name_; }

 private:
  std::string local(const std::string& l) const { return ".L" + name_ + "_" + l; }
  static std::string spaced(std::string text) {
    const size_t gap = text.find(' ');
    return gap == std::string::npos ? text : text.replace(gap, 1, "\t");
  }
  std::string name_;
  std::ostringstream out_;
};

}  // namespace swgen::codegen::sw26010
