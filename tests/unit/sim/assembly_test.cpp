// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/sim/assembly.h"

namespace swgen::sim {
namespace {

TEST(Assembly, ReadsInstructionsLabelsAndComments) {
  const Assembly a = assemble("k.S",
                              "\t.set noreorder\n\t.section .bss, \"wa\", \"nobits\"\n\t.ent\tgemm#\ngemm:\t# 0x0\n$ng..gemm: .in:\n"
                              "\tldih\t$gp,0($27)  !gpdisp!1\n\tvmad $1,$7,$11,$11 // sum\n\n\tvinsw $31,$29,7,$29\n"
                              "\tldl $0, -32($sp)\n\taddl $6, 8 ,$6\n\tbne\t$6,.in\n\tret $31,($26),1\n");
  ASSERT_EQ(a.instructions.size(), 7u);
  EXPECT_EQ(a.labels.at("gemm"), 0);
  EXPECT_EQ(a.labels.at("$ng..gemm"), 0);
  const Instruction& fma = a.instructions[1];
  EXPECT_STREQ(fma.opcode->name, "vmad");
  EXPECT_EQ(fma.source[0], 1);
  EXPECT_EQ(fma.source[2], 11);
  EXPECT_EQ(fma.dest, 11);
  EXPECT_EQ(a.place(1), "k.S:7");
  const Instruction& load = a.instructions[3];
  EXPECT_EQ(load.source[0], 30);
  EXPECT_EQ(load.number, -32);
  EXPECT_TRUE(a.instructions[4].immediate);
  EXPECT_EQ(a.instructions[4].number, 8);
  EXPECT_EQ(a.instructions[5].target, 0);
}

std::string errors_of(const std::string& text) {
  try {
    assemble("b.S", text);
  } catch (const SimError& e) {
    return e.what();
  }
  return "";
}

TEST(Assembly, SaysWhatIsWrongAndWhere) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"vdance $1", "b.S:1: error: found the instruction 'vdance', expected one of the simulator's"},
           {"\n vmad $1,$2", "b.S:2: error: found nothing, expected a register"},
           {"addl $1,$2,$3,$4", "b.S:1: error: found 4 operands of addl, expected 3"},
           {"addl $1,$32,$3", "b.S:1: error: found '$32', expected a register or a number"},
           {"addl 1,$2,$3", "b.S:1: error: found '1', expected a register $0 to $31"},
           {"ldl $1,40000($2)", "b.S:1: error: found '40000($2)', expected an address such as 32($16), within 16 bits"},
           {"ldl $1,$2", "b.S:1: error: found '$2', expected an address such as 32($16), within 16 bits"},
           {"beq $1,away", "b.S:1: error: found no label 'away'"},
           {"x: nop\nx: nop", "b.S:2: error: found the label 'x' again, expected it once"},
           {".quad 3", "b.S:1: error: found the directive '.quad', expected one that holds no data"},
           {"1x: nop", "b.S:1: error: found '1x', expected a label before ':'"}})
    EXPECT_EQ(errors_of(text), message);
}

TEST(Assembly, ShowsAllErrorsAtOnce) {
  EXPECT_EQ(errors_of("foo\nbar\n"), "b.S:1: error: found the instruction 'foo', expected one of the simulator's\n"
                                     "b.S:2: error: found the instruction 'bar', expected one of the simulator's");
}

}  // namespace
}  // namespace swgen::sim
