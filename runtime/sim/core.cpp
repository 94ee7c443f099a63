// SPDX-License-Identifier: Apache-2.0
#include "core.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace swgen::sim {
namespace {

std::int64_t wide(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::int64_t word(std::uint64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

std::int64_t integers(Op op, std::uint64_t a, std::uint64_t b) {
  switch (op) {
    case Op::addl: return wide(a + b);
    case Op::subl: return wide(a - b);
    case Op::addw: return word(a + b);
    case Op::subw: return word(a - b);
    case Op::s4addl: return wide(4 * a + b);
    case Op::s8addl: return wide(8 * a + b);
    case Op::s4subl: return wide(4 * a - b);
    case Op::s8subl: return wide(8 * a - b);
    case Op::mull: return wide(a * b);
    case Op::mulw: return word(a * b);
    case Op::cmpeq: return a == b ? 1 : 0;
    case Op::cmplt: return wide(a) < wide(b) ? 1 : 0;
    case Op::cmple: return wide(a) <= wide(b) ? 1 : 0;
    case Op::cmpult: return a < b ? 1 : 0;
    case Op::cmpule: return a <= b ? 1 : 0;
    case Op::sll: return wide(a << (b & 63));
    case Op::srl: return wide(a >> (b & 63));
    case Op::sra: return wide(a) >> (b & 63);
    case Op::band: return wide(a & b);
    case Op::bor: return wide(a | b);
    case Op::bxor: return wide(a ^ b);
    default: throw std::logic_error("not an integer instruction");
  }
}

double floats(Op op, double a, double b, double c) {
  switch (op) {
    case Op::fadd: return a + b;
    case Op::fsub: return a - b;
    case Op::fmul: return a * b;
    case Op::fmad: return std::fma(a, b, c);
    case Op::fmsd: return std::fma(a, b, -c);
    case Op::fnmad: return std::fma(-a, b, c);
    case Op::fnmsd: return std::fma(-a, b, -c);
    default: throw std::logic_error("not a floating-point instruction");
  }
}

std::uint64_t bits_of(const Core& core, const Instruction& in, int position) {
  const bool last = in.immediate && position == (in.opcode->format == Format::sd ? 0 : in.opcode->format == Format::ssid ? 2 : 1);
  return last ? static_cast<std::uint64_t>(in.number) : core.read(in.source[position]).bits[0];
}

void set_word(Register& r, int position, std::uint32_t value) {
  const int shift = 32 * (position % 2);
  std::uint64_t& lane = r.bits[static_cast<size_t>(position / 2)];
  lane = (lane & ~(std::uint64_t{0xffffffff} << shift)) | (std::uint64_t{value} << shift);
}

/// Lanes 0 and 1 from b, 2 and 3 from a, by two bits each.
Register shuffle(const Register& a, const Register& b, std::uint64_t control) {
  Register out;
  for (int i = 0; i < 4; ++i)
    out.bits[static_cast<size_t>(i)] = (i < 2 ? b : a).bits[(control >> (2 * i)) & 3];
  return out;
}

/// Bytes that a load or store moves; also the alignment it needs.
std::int64_t bytes_of(Op op) {
  switch (op) {
    case Op::ldw: case Op::stw: case Op::ldse: return 4;
    case Op::ldl: case Op::stl: case Op::ldde: case Op::ldder: case Op::lddec: return 8;
    case Op::vlds: case Op::vsts: return 16;
    default: return 32;
  }
}

}  // namespace

Register compute(const Core& core, const Instruction& in) {
  const Opcode& o = *in.opcode;
  const auto source = [&](int i) -> const Register& { return core.read(in.source[i]); };
  switch (o.op) {
    case Op::mov: return in.immediate ? Register::of(in.number) : source(0);
    case Op::ldi: return Register::of(source(0).integer() + in.number);
    case Op::ldih: return Register::of(source(0).integer() + in.number * 65536);
    case Op::fadd: case Op::fsub: case Op::fmul: case Op::fmad: case Op::fmsd: case Op::fnmad: case Op::fnmsd: {
      Register out;
      for (int i = 0; i < o.lanes; ++i) {
        const double value = floats(o.op, source(0).lane(i), source(1).lane(i), source(2).lane(i));
        out.set_lane(i, o.single ? static_cast<double>(static_cast<float>(value)) : value);
      }
      return out;
    }
    case Op::vinsw: {
      Register out = source(1);
      set_word(out, static_cast<int>(bits_of(core, in, 2) & 7), static_cast<std::uint32_t>(source(0).bits[0]));
      return out;
    }
    case Op::vextw: {
      const std::uint64_t position = bits_of(core, in, 1) & 7;
      return Register::of(word(source(0).bits[position / 2] >> (32 * (position % 2))));
    }
    case Op::vinsf: {
      Register out = source(1);
      out.bits[bits_of(core, in, 2) & 3] = source(0).bits[0];
      return out;
    }
    case Op::vextf: return {{source(0).bits[bits_of(core, in, 1) & 3], 0, 0, 0}};
    case Op::vshff: return shuffle(source(0), source(1), bits_of(core, in, 2));
    default: return Register::of(integers(o.op, source(0).bits[0], bits_of(core, in, 1)));
  }
}

std::int64_t address_of(const Core& core, const Instruction& in) {
  const std::int64_t address = core.read(in.source[0]).integer() + in.number, bytes = bytes_of(in.opcode->op);
  if (address < 0 || address + bytes > kScratchBytes)
    throw std::out_of_range("found the address " + std::to_string(address) + ", expected one of the scratchpad, 0 to " +
                            std::to_string(kScratchBytes - bytes));
  if (address % bytes != 0)
    throw std::out_of_range("found the address " + std::to_string(address) + ", expected a multiple of " + std::to_string(bytes));
  return address;
}

Register load(const Core& core, const Instruction& in) {
  const std::byte* const from = core.scratch.data() + address_of(core, in);
  Register out;
  const auto value = [&]<class T>(T, int i) {
    T v;
    std::memcpy(&v, from + static_cast<size_t>(i) * sizeof v, sizeof v);
    return v;
  };
  switch (in.opcode->op) {
    case Op::ldw: return Register::of(value(std::int32_t{}, 0));
    case Op::ldl: return Register::of(value(std::int64_t{}, 0));
    case Op::ldde: case Op::ldder: case Op::lddec:
      for (int i = 0; i < 4; ++i) out.set_lane(i, value(double{}, 0));
      return out;
    case Op::ldse:
      for (int i = 0; i < 4; ++i) out.set_lane(i, static_cast<double>(value(float{}, 0)));
      return out;
    case Op::vlds:
      for (int i = 0; i < 4; ++i) out.set_lane(i, static_cast<double>(value(float{}, i)));
      return out;
    default:
      for (int i = 0; i < 4; ++i) out.set_lane(i, value(double{}, i));
      return out;
  }
}

void store(Core& core, const Instruction& in) {
  std::byte* const to = core.scratch.data() + address_of(core, in);
  const Register& value = core.read(in.source[1]);
  switch (in.opcode->op) {
    case Op::stw: std::memcpy(to, value.bits.data(), 4); break;
    case Op::stl: std::memcpy(to, value.bits.data(), 8); break;
    case Op::vsts:
      for (int i = 0; i < 4; ++i) {
        const float narrow = static_cast<float>(value.lane(i));
        std::memcpy(to + 4 * i, &narrow, 4);
      }
      break;
    default: std::memcpy(to, value.bits.data(), 32); break;
  }
}

bool taken(const Core& core, const Instruction& in) {
  const std::int64_t value = core.read(in.source[0]).integer();
  switch (in.opcode->op) {
    case Op::beq: return value == 0;
    case Op::bne: return value != 0;
    case Op::blt: return value < 0;
    case Op::ble: return value <= 0;
    case Op::bgt: return value > 0;
    case Op::bge: return value >= 0;
    default: return true;
  }
}

}  // namespace swgen::sim
