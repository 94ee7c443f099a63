// SPDX-License-Identifier: Apache-2.0
// The instructions of a computing core (CPE) of SW26010 that compute kernels use: what they do, which
// pipe takes them, and after how many cycles their result can be used.
//
// Pipes and latencies: J. Fang, PhD thesis, Tsinghua University 2019, Table 3.2 and 3.1.4; loads of the
// scratchpad as in Fang et al., IPDPS 2017, VI-B (four cycles).
#pragma once

#include <cstdint>
#include <string>

namespace swgen::sim {

enum class Pipe { p0, p1, either };

/// How the operands are written, d = result, s = source, i = a register or a number.
enum class Format {
  none,      // nop
  ssd,       // addl s,i,d
  sssd,      // vmad s,s,s,d
  ssid,      // vinsw s,s,i,d
  sid,       // vextw s,i,d
  sd,        // mov i,d
  memory_d,  // vldd d,number(s)
  memory_s,  // vstd s,number(s)
  d,         // getr d
  di,        // rcsr d,number
  s,         // synr s
  si,        // putr s,i
  branch,    // bne s,label
  jump,      // br d,label
  ret,       // ret d,(s),number
};

enum class Op {
  nop, halt,
  // Integers, in the lowest 64 bits; w: 32 bits, sign extended.
  addl, subl, addw, subw, s4addl, s8addl, s4subl, s8subl, mull, mulw, cmpeq, cmplt, cmple, cmpult, cmpule, sll, srl, sra,
  band, bor, bxor, mov, ldi, ldih,
  // Floating point: one value or four; s rounds to float.
  fadd, fsub, fmul, fmad, fmsd, fnmad, fnmsd,
  vinsw, vextw, vinsf, vextf, vshff,
  // Scratchpad.
  ldw, ldl, stw, stl, vldd, vstd, vlds, vsts, ldde, ldse,
  // Register communication; the load-and-send forms also keep the value.
  getr, getc, putr, putc, vldr, vldc, ldder, lddec,
  synr, sync, rcsr,
  br, beq, bne, blt, ble, bgt, bge, ret,
};

struct Opcode {
  const char* name;
  Op op;
  Format format;
  Pipe pipe;
  int latency;          // cycles until the result can be a source
  int lanes = 1;        // floating point: 1 or 4
  bool single = false;  // floating point: the result is rounded to float
};

/// nullptr when there is no such instruction.
const Opcode* find_opcode(const std::string& name);

inline constexpr int kRegisters = 32;
inline constexpr int kZero = 31;  // reads zero, ignores writes

struct Instruction {
  const Opcode* opcode = nullptr;
  int dest = kZero;
  int source[3] = {kZero, kZero, kZero};
  bool immediate = false;  // the last source of Format::ssd, ssid, sid, sd, si is `number`
  std::int64_t number = 0;
  int target = -1;         // of branches and jumps: position of an instruction
  int line = 0;            // in the assembly text
};

}  // namespace swgen::sim
