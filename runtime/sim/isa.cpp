// SPDX-License-Identifier: Apache-2.0
#include "isa.h"

#include <map>
#include <vector>

namespace swgen::sim {
namespace {

constexpr int kInteger = 1, kMultiply = 5, kFloat = 7, kLoad = 4, kMove = 1, kSync = 14, kRegister = 1;

const std::vector<Opcode>& table() {
  using F = Format;
  static const std::vector<Opcode> opcodes = {
      {"nop", Op::nop, F::none, Pipe::either, 1},
      {"halt", Op::halt, F::none, Pipe::p1, 1},
      {"addl", Op::addl, F::ssd, Pipe::either, kInteger},
      {"subl", Op::subl, F::ssd, Pipe::either, kInteger},
      {"addw", Op::addw, F::ssd, Pipe::either, kInteger},
      {"subw", Op::subw, F::ssd, Pipe::either, kInteger},
      {"s4addl", Op::s4addl, F::ssd, Pipe::either, kInteger},
      {"s8addl", Op::s8addl, F::ssd, Pipe::either, kInteger},
      {"s4subl", Op::s4subl, F::ssd, Pipe::either, kInteger},
      {"s8subl", Op::s8subl, F::ssd, Pipe::either, kInteger},
      {"mull", Op::mull, F::ssd, Pipe::p0, kMultiply},
      {"mulw", Op::mulw, F::ssd, Pipe::p0, kMultiply},
      {"cmpeq", Op::cmpeq, F::ssd, Pipe::either, kInteger},
      {"cmplt", Op::cmplt, F::ssd, Pipe::either, kInteger},
      {"cmple", Op::cmple, F::ssd, Pipe::either, kInteger},
      {"cmpult", Op::cmpult, F::ssd, Pipe::either, kInteger},
      {"cmpule", Op::cmpule, F::ssd, Pipe::either, kInteger},
      {"sll", Op::sll, F::ssd, Pipe::either, kInteger},
      {"srl", Op::srl, F::ssd, Pipe::either, kInteger},
      {"sra", Op::sra, F::ssd, Pipe::either, kInteger},
      {"and", Op::band, F::ssd, Pipe::either, kInteger},
      {"bis", Op::bor, F::ssd, Pipe::either, kInteger},
      {"xor", Op::bxor, F::ssd, Pipe::either, kInteger},
      {"mov", Op::mov, F::sd, Pipe::either, kInteger},
      {"ldi", Op::ldi, F::memory_d, Pipe::either, kInteger},
      {"ldih", Op::ldih, F::memory_d, Pipe::either, kInteger},
      {"faddd", Op::fadd, F::ssd, Pipe::p0, kFloat},
      {"fsubd", Op::fsub, F::ssd, Pipe::p0, kFloat},
      {"fmuld", Op::fmul, F::ssd, Pipe::p0, kFloat},
      {"fmad", Op::fmad, F::sssd, Pipe::p0, kFloat},
      {"vaddd", Op::fadd, F::ssd, Pipe::p0, kFloat, 4},
      {"vsubd", Op::fsub, F::ssd, Pipe::p0, kFloat, 4},
      {"vmuld", Op::fmul, F::ssd, Pipe::p0, kFloat, 4},
      {"vmad", Op::fmad, F::sssd, Pipe::p0, kFloat, 4},
      {"vmsd", Op::fmsd, F::sssd, Pipe::p0, kFloat, 4},
      {"vnmad", Op::fnmad, F::sssd, Pipe::p0, kFloat, 4},
      {"vnmsd", Op::fnmsd, F::sssd, Pipe::p0, kFloat, 4},
      {"vadds", Op::fadd, F::ssd, Pipe::p0, kFloat, 4, true},
      {"vsubs", Op::fsub, F::ssd, Pipe::p0, kFloat, 4, true},
      {"vmuls", Op::fmul, F::ssd, Pipe::p0, kFloat, 4, true},
      {"vmas", Op::fmad, F::sssd, Pipe::p0, kFloat, 4, true},
      {"vinsw", Op::vinsw, F::ssid, Pipe::p0, kMove},
      {"vextw", Op::vextw, F::sid, Pipe::p0, kMove},
      {"vinsf", Op::vinsf, F::ssid, Pipe::p0, kMove},
      {"vextf", Op::vextf, F::sid, Pipe::p0, kMove},
      {"vshff", Op::vshff, F::ssid, Pipe::p0, kMove},
      {"ldw", Op::ldw, F::memory_d, Pipe::p1, kLoad},
      {"ldl", Op::ldl, F::memory_d, Pipe::p1, kLoad},
      {"stw", Op::stw, F::memory_s, Pipe::p1, 1},
      {"stl", Op::stl, F::memory_s, Pipe::p1, 1},
      {"vldd", Op::vldd, F::memory_d, Pipe::p1, kLoad},
      {"vstd", Op::vstd, F::memory_s, Pipe::p1, 1},
      {"vlds", Op::vlds, F::memory_d, Pipe::p1, kLoad},
      {"vsts", Op::vsts, F::memory_s, Pipe::p1, 1},
      {"ldde", Op::ldde, F::memory_d, Pipe::p1, kLoad},
      {"ldse", Op::ldse, F::memory_d, Pipe::p1, kLoad},
      {"getr", Op::getr, F::d, Pipe::p1, 1},
      {"getc", Op::getc, F::d, Pipe::p1, 1},
      {"putr", Op::putr, F::si, Pipe::p1, 1},
      {"putc", Op::putc, F::si, Pipe::p1, 1},
      {"vldr", Op::vldr, F::memory_d, Pipe::p1, kLoad},
      {"vldc", Op::vldc, F::memory_d, Pipe::p1, kLoad},
      {"ldder", Op::ldder, F::memory_d, Pipe::p1, kLoad},
      {"lddec", Op::lddec, F::memory_d, Pipe::p1, kLoad},
      {"synr", Op::synr, F::s, Pipe::either, kSync},
      {"sync", Op::sync, F::s, Pipe::either, kSync},
      {"rcsr", Op::rcsr, F::di, Pipe::p1, kRegister},
      {"br", Op::br, F::jump, Pipe::p1, 1},
      {"beq", Op::beq, F::branch, Pipe::p1, 1},
      {"bne", Op::bne, F::branch, Pipe::p1, 1},
      {"blt", Op::blt, F::branch, Pipe::p1, 1},
      {"ble", Op::ble, F::branch, Pipe::p1, 1},
      {"bgt", Op::bgt, F::branch, Pipe::p1, 1},
      {"bge", Op::bge, F::branch, Pipe::p1, 1},
      {"ret", Op::ret, F::ret, Pipe::p1, 1},
  };
  return opcodes;
}

}  // namespace

const Opcode* find_opcode(const std::string& name) {
  static const std::map<std::string, const Opcode*> by_name = [] {
    std::map<std::string, const Opcode*> all;
    for (const Opcode& o : table()) all.emplace(o.name, &o);
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace swgen::sim
