// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/gemm_operations.h"

#include "compiler/base/text.h"

namespace swgen::codegen::sw26010 {

using base::cat;

namespace {

// Latencies: J. Fang, PhD thesis, Tsinghua University 2019, Table 3.2; loads as Fang et al., IPDPS 2017, VI-B.
constexpr int kFma = 7, kLoad = 4;

Operation vector(bool send, char direction, int i) {
  if (!send) return {cat("get", direction, " ", reg(kVector + i)), Pipe::p1, 1, {}, {kVector + i, kAcross}};
  return {cat("vld", direction, " ", reg(kVector + i), ",", 32 * i, "(", reg(kVectorAt), ")"), Pipe::p1, kLoad, {kVectorAt}, {kVector + i, kAcross}};
}

Operation value(bool send, char direction, int i) {
  if (!send) return {cat("get", direction, " ", reg(kValue + i)), Pipe::p1, 1, {}, {kValue + i, kAlong}};
  return {cat("ldde", direction, " ", reg(kValue + i), ",", 8 * i, "(", reg(kValueAt), ")"), Pipe::p1, kLoad, {kValueAt}, {kValue + i, kAlong}};
}

void append(std::vector<Operation>& to, const std::vector<Operation>& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

std::string reg(int number) { return cat("$", number); }

Operation fma(int a, int b, int c) { return {cat("vmad ", reg(a), ",", reg(b), ",", reg(c), ",", reg(c)), Pipe::p0, kFma, {a, b, c}, {c}}; }
Operation add(int a, int b, int d) { return {cat("addl ", reg(a), ",", reg(b), ",", reg(d)), Pipe::either, 1, {a, b}, {d}}; }
Operation add_number(int a, int n, int d) {
  return {cat(n < 0 ? "subl " : "addl ", reg(a), ",", n < 0 ? -n : n, ",", reg(d)), Pipe::either, 1, {a}, {d}};
}
Operation load_vector(int d, int base, int offset) { return {cat("vldd ", reg(d), ",", offset, "(", reg(base), ")"), Pipe::p1, kLoad, {base}, {d}}; }
Operation store_vector(int s, int base, int offset) { return {cat("vstd ", reg(s), ",", offset, "(", reg(base), ")"), Pipe::p1, 1, {s, base}, {}}; }
Operation load_word(int d, int word) { return {cat("ldl ", reg(d), ",", word, "(", reg(kStack), ")"), Pipe::p1, kLoad, {kFrame + word}, {d}}; }
Operation store_word(int s, int word) { return {cat("stl ", reg(s), ",", word, "(", reg(kStack), ")"), Pipe::p1, 1, {s}, {kFrame + word}}; }
Operation unpack(int from, int lane, int d) { return {cat("vextw ", reg(from), ",", lane, ",", reg(d)), Pipe::p0, 1, {from}, {d}}; }
Operation pack(int s, int into, int lane) {
  return {cat("vinsw ", reg(s), ",", reg(into), ",", lane, ",", reg(into)), Pipe::p0, 1, {s, into}, {into}};
}

std::vector<Operation> loads_of_k(Role role, Directions d) {
  std::vector<Operation> ops;
  for (int i = 0; i < 4; ++i) {
    ops.push_back(vector(role.send_vectors, d.vectors, i));
    ops.push_back(value(role.send_values, d.values, i));
  }
  return ops;
}

std::vector<Operation> products_of_k() {
  std::vector<Operation> ops;
  for (int sum = 0; sum < 7; ++sum)  // in the order in which the operands come
    for (int v = 0; v < 4; ++v)
      if (const int b = sum - v; b >= 0 && b < 4) ops.push_back(fma(kVector + v, kValue + b, tile_register(b, v)));
  return ops;
}

std::vector<Operation> steps_of_k(Role role) {
  std::vector<Operation> ops;
  if (role.send_vectors) ops.push_back(add(kVectorAt, kVectorRow, kVectorAt));
  if (role.send_values) ops.push_back(add(kValueAt, kValueRow, kValueAt));
  ops.push_back(add_number(kLeft, -1, kLeft));
  return ops;
}

std::vector<Operation> one_k(Role role, Directions d) {
  std::vector<Operation> ops = loads_of_k(role, d);
  append(ops, products_of_k());
  append(ops, steps_of_k(role));
  return ops;
}

void AssemblyText::begin() {
  out_ << "\t.set noreorder\n\t.set noat\n\t.section .text1,\"ax\",\"progbits\"\n\t.align 4\n\t.globl " << name_ << "\n\t.ent " << name_ << "\n"
       << name_ << ":\n";
}

namespace {

constexpr int kKept[] = {26, 29, 9, 10, 11, 12, 13, 14, 15};

}  // namespace

void AssemblyText::save(int frame_bytes, int saved) {
  line(add_number(kStack, -frame_bytes, kStack));
  for (const int r : kKept) {
    line(store_word(r, saved));
    saved += 8;
  }
}

void AssemblyText::restore(int frame_bytes, int saved) {
  for (const int r : kKept) {
    line(load_word(r, saved));
    saved += 8;
  }
  line(add_number(kStack, frame_bytes, kStack));
}

void AssemblyText::end() { out_ << "\tret $31,($26),1\n\t.end " << name_ << "\n"; }

}  // namespace swgen::codegen::sw26010
