// SPDX-License-Identifier: Apache-2.0
// What single instructions give.
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/sim/mesh.h"

namespace swgen::sim {
namespace {

/// Core (0,0) after the instructions, begun with $1 = 7, $2 = -3 and doubles 0, 1, 2, ... from address 0.
Core after(const std::string& instructions) {
  const Assembly a = assemble("t.S", "f:\n ldi $1,7($31)\n ldi $2,-3($31)\n" + instructions + "\n ret $31,($26),1\n");
  auto mesh = std::make_unique<Mesh>(a);
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c)
      for (int i = 0; i < 64; ++i) {
        const double value = i;
        std::memcpy(mesh->core(r, c).scratch.data() + 8 * i, &value, 8);
      }
  mesh->run("f");
  return mesh->core(0, 0);
}

TEST(Core, Integers) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, std::int64_t>>{
           {"addl $1,$2,$3", 4}, {"subl $1,$2,$3", 10}, {"s4addl $1,$2,$3", 25}, {"s8addl $1,$2,$3", 53}, {"s8subl $1,$2,$3", 59},
           {"mull $1,$2,$3", -21}, {"cmplt $2,$1,$3", 1}, {"cmpult $2,$1,$3", 0}, {"cmpeq $1,7,$3", 1}, {"sll $1,4,$3", 112},
           {"sra $2,1,$3", -2}, {"srl $2,60,$3", 15}, {"and $1,3,$3", 3}, {"bis $1,8,$3", 15}, {"xor $1,5,$3", 2}, {"mov $2,$3", -3},
           {"mov 9,$3", 9}, {"ldih $3,2($1)", 131079}, {"ldi $3,5($1)", 12}, {"addl $1,1,$31\n mov $31,$3", 0}})
    EXPECT_EQ(after(text).read(3).integer(), value) << text;
  EXPECT_EQ(after("sll $1,29,$3\n addw $3,$3,$3").read(3).integer(), -1073741824 + 0);  // 7 * 2^30 in 32 bits
}

TEST(Core, LanesAreInsertedExtractedAndShuffled) {
  EXPECT_EQ(after("vinsw $1,$31,5,$4\n vextw $4,5,$3").read(3).integer(), 7);
  EXPECT_EQ(after("vinsw $2,$31,5,$4\n vextw $4,5,$3").read(3).integer(), -3);
  EXPECT_EQ(after("vinsw $2,$31,5,$4\n vextw $4,4,$3").read(3).integer(), 0);
  EXPECT_EQ(after("vldd $5,32($31)\n vextf $5,2,$3").read(3).lane(0), 6);
  EXPECT_EQ(after("vldd $5,32($31)\n vldd $6,0($31)\n vinsf $5,$6,1,$3").read(3).lane(1), 4);
  // Lanes 0 and 1 from the second operand, 2 and 3 from the first: 0b01'00'11'10.
  const Core c = after("vldd $5,32($31)\n vldd $6,0($31)\n vshff $5,$6,78,$3");
  EXPECT_EQ(c.read(3).lane(0), 2);
  EXPECT_EQ(c.read(3).lane(1), 3);
  EXPECT_EQ(c.read(3).lane(2), 4);
  EXPECT_EQ(c.read(3).lane(3), 5);
}

TEST(Core, FloatingPoint) {
  const std::string two = "vldd $5,32($31)\n vldd $6,64($31)\n ";  // 4..7 and 8..11
  EXPECT_EQ(after(two + "vmad $5,$6,$6,$3").read(3).lane(3), 7 * 11 + 11);
  EXPECT_EQ(after(two + "vmsd $5,$6,$6,$3").read(3).lane(3), 7 * 11 - 11);
  EXPECT_EQ(after(two + "vnmad $5,$6,$6,$3").read(3).lane(3), -7 * 11 + 11);
  EXPECT_EQ(after(two + "vnmsd $5,$6,$6,$3").read(3).lane(3), -7 * 11 - 11);
  EXPECT_EQ(after(two + "vsubd $5,$6,$3").read(3).lane(2), -4);
  EXPECT_EQ(after(two + "faddd $5,$6,$3").read(3).lane(0), 12);
  EXPECT_EQ(after(two + "faddd $5,$6,$3").read(3).lane(1), 0);
}

TEST(Core, LoadsAndStores) {
  EXPECT_EQ(after("ldde $3,40($31)").read(3).lane(3), 5);
  EXPECT_EQ(after("vldd $5,32($31)\n vstd $5,512($31)\n vldd $3,512($31)").read(3).lane(1), 5);
  EXPECT_EQ(after("stl $2,512($31)\n ldl $3,512($31)").read(3).integer(), -3);
  EXPECT_EQ(after("stw $2,512($31)\n ldw $3,512($31)").read(3).integer(), -3);
  // Floats are narrowed to 16 bytes and widened again.
  EXPECT_EQ(after("vldd $5,32($31)\n vsts $5,512($31)\n vlds $3,512($31)").read(3).lane(3), 7);
  EXPECT_EQ(after("vldd $5,32($31)\n vsts $5,512($31)\n ldse $3,516($31)").read(3).lane(2), 5);
}

}  // namespace
}  // namespace swgen::sim
