// SPDX-License-Identifier: Apache-2.0
// How long instructions take, alone and together, and what register communication does.
#include <gtest/gtest.h>

#include <memory>

#include "runtime/sim/mesh.h"

namespace swgen::sim {
namespace {

/// Cycles of the instructions on all cores and of the halt behind them, which needs P1.
std::int64_t cycles_of(const std::string& instructions) {
  const Assembly a = assemble("t.S", "f:\n" + instructions + "\nhalt\n");
  return std::make_unique<Mesh>(a)->run("f");
}

std::string repeated(int times, const std::string& text) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Pipes, AChainTakesTheLatency) {
  // The last one's successor waits for its operand.
  EXPECT_EQ(cycles_of(repeated(10, "vmad $1,$2,$3,$3\n") + "vaddd $3,$3,$4\n"), 10 * 7 + 1);
  EXPECT_EQ(cycles_of(repeated(10, "addl $1,1,$1\n")), 10);
  EXPECT_EQ(cycles_of(repeated(10, "mull $1,$1,$1\n") + "mov $1,$2\n"), 10 * 5 + 1);
  EXPECT_EQ(cycles_of("vldd $1,0($31)\nvaddd $1,$1,$2\n"), 4 + 1);
  EXPECT_EQ(cycles_of("ldl $1,0($31)\naddl $1,1,$2\n"), 4 + 1);
}

TEST(Pipes, IndependentInstructionsFollowEachOther) {
  EXPECT_EQ(cycles_of("vmad $1,$2,$3,$3\nvmad $1,$2,$4,$4\nvmad $1,$2,$5,$5\nvmad $1,$2,$6,$6\n"), 4);
}

TEST(Pipes, TwoIssueTogetherWhenTheySuitDifferentPipes) {
  EXPECT_EQ(cycles_of(repeated(8, "vmad $1,$2,$31,$31\nvldd $31,0($31)\n")), 8 + 1);
  EXPECT_EQ(cycles_of(repeated(8, "vldd $31,0($31)\nvmad $1,$2,$31,$31\n")), 8 + 1);
  EXPECT_EQ(cycles_of(repeated(16, "vldd $31,0($31)\n")), 16 + 1);
  EXPECT_EQ(cycles_of(repeated(16, "addl $1,1,$31\n")), 8 + 1);
  EXPECT_EQ(cycles_of(repeated(8, "addl $1,1,$31\nvldd $31,0($31)\n")), 8 + 1);
  // Not when the second needs what the first gives, or writes the same; the halt joins the second mov.
  EXPECT_EQ(cycles_of("addl $1,32,$1\nvldd $31,0($1)\n"), 2 + 1);
  EXPECT_EQ(cycles_of("mov 1,$1\nmov 2,$1\n"), 2);
  // In order: what stands behind a stalled instruction waits.
  EXPECT_EQ(cycles_of("vldd $1,0($31)\nvaddd $1,$1,$2\nvldd $3,0($31)\n"), 5 + 1);
}

TEST(Pipes, SixteenMultiplyAddsAndTheirLoadsTakeSixteenCycles) {
  std::string body;
  for (int i = 0; i < 16; ++i) {
    body += " vmad $1,$2,$" + std::to_string(8 + i) + ",$" + std::to_string(8 + i) + "\n";
    body += i < 8 ? " vldd $" + std::to_string(3 + i % 4) + ",0($31)\n" : i == 9 ? " subl $7,1,$7\n" : i == 15 ? " bgt $7,loop\n" : "";
  }
  const auto loop = [&](int times) { return cycles_of(" ldi $7," + std::to_string(times) + "($31)\nloop:\n" + body); };
  EXPECT_EQ(loop(1000) - loop(500), 500 * 16);
}

TEST(Pipes, CountersAddUp) {
  const Assembly a = assemble("t.S", "f:\n vldd $1,0($31)\n vaddd $1,$1,$2\n nop\n halt\n");
  auto mesh = std::make_unique<Mesh>(a);
  mesh->run("f");
  const Counters& c = mesh->counters(2, 3);
  EXPECT_EQ(c.instructions, 4);
  EXPECT_EQ(c.p0 + c.p1, c.instructions);
  EXPECT_EQ(c.cycles, c.instructions - c.dual + c.stalled_operands + c.stalled_get + c.stalled_put + c.stalled_sync);
  EXPECT_EQ(c.stalled_operands, 3);
}

/// The cores of column 0 run `sender`, all others `receiver`.
std::unique_ptr<Mesh> run_rows(const Assembly& a) {
  auto mesh = std::make_unique<Mesh>(a);
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) mesh->core(r, c).registers[1] = Register::of(c);
  return mesh;
}

TEST(Messages, ArriveElevenCyclesAfterThePut) {
  const Assembly a = assemble("t.S", "f: bne $1,take\n putr $1,8\n halt\ntake: getr $2\n halt\n");
  auto mesh = run_rows(a);
  // The branch in cycle 0, the put in 1, the get in 12, the halt in 13.
  EXPECT_EQ(mesh->run("f"), 14);
  EXPECT_EQ(mesh->counters(0, 5).stalled_get, 11);
  EXPECT_EQ(mesh->core(4, 7).read(2).integer(), 0);
}

TEST(Messages, KeepTheirOrderAndWaitForRoom) {
  std::string puts, gets;
  for (int i = 1; i <= 12; ++i) {
    puts += " mov " + std::to_string(i) + ",$3\n putr $3,8\n";
    gets += " getr $" + std::to_string(i + 3) + "\n";
  }
  const std::string late = " ldi $2,100($31)\nwait: subl $2,1,$2\n bgt $2,wait\n";
  const Assembly a = assemble("t.S", "f: bne $1,take\n" + puts + " halt\ntake:\n" + late + gets + " halt\n");
  auto mesh = run_rows(a);
  mesh->run("f");
  for (int i = 1; i <= 12; ++i) EXPECT_EQ(mesh->core(6, 3).read(i + 3).integer(), i);
  // Four in the receive buffers, four in the send buffer; the ninth waits for the first get.
  EXPECT_GT(mesh->counters(6, 0).stalled_put, 150);
}

TEST(Messages, GoToOneCoreOrToAllOthersOfTheRowOrColumn) {
  const Assembly row = assemble("t.S", "f: bne $1,other\n mov 5,$3\n putr $3,6\n halt\nother: cmpeq $1,6,$4\n beq $4,end\n getr $2\nend: halt\n");
  auto one = run_rows(row);
  one->run("f");
  EXPECT_EQ(one->core(2, 6).read(2).integer(), 5);
  const Assembly loads = assemble("t.S", "f: bne $1,take\n vldr $2,64($31)\n halt\ntake: getr $2\n halt\n");
  auto all = run_rows(loads);
  const double value = 2.5;
  for (int r = 0; r < kSide; ++r) std::copy_n(reinterpret_cast<const std::byte*>(&value), 8, all->core(r, 0).scratch.data() + 64 + 8);
  all->run("f");
  for (int c = 0; c < kSide; ++c) EXPECT_EQ(all->core(3, c).read(2).lane(1), 2.5) << c;
}

TEST(Messages, ASynchronizationWaitsForTheLast) {
  // Core (r,c) comes after 20 c cycles or so; all of a row leave together.
  const Assembly a = assemble("t.S", "f: s4addl $1,$1,$2\n s4addl $2,1,$2\nwait: subl $2,1,$2\n bgt $2,wait\n ldi $3,255($31)\n synr $3\n halt\n");
  auto mesh = run_rows(a);
  mesh->run("f");
  for (int c = 0; c < kSide; ++c) EXPECT_EQ(mesh->counters(1, c).cycles, mesh->counters(1, 7).cycles) << c;
  EXPECT_EQ(mesh->counters(1, 7).stalled_sync, 13);
}

TEST(Mesh, TheSameProgramTakesTheSameCycles) {
  const Assembly a = assemble("t.S", "f: bne $1,take\n vldr $2,64($31)\n putc $2,8\n getc $3\n getc $3\n getc $3\n getc $3\n getc $3\n getc $3\n getc $3\n halt\ntake: getr $2\n halt\n");
  EXPECT_EQ(run_rows(a)->run("f"), run_rows(a)->run("f"));
}

TEST(Mesh, BadUseIsNamedWithItsPlace) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"f: getr $3\n halt", "t.S:1: error: core (0,0): 'getr' waits for a message that nobody sends"},
           {"f: putr $3,8\n halt", "t.S: error: found a message along the row that core (0,0) never took, expected a get for every put"},
           {"f: putr $31,9\n halt", "t.S:1: error: core (0,0): found the destination 9, expected 0 to 7 but not 0, or 8 for all others"},
           {"f: putr $31,0\n halt", "t.S:1: error: core (0,0): found the destination 0, expected 0 to 7 but not 0, or 8 for all others"},
           {"f: ldi $1,16($31)\n vldd $2,0($1)\n halt", "t.S:2: error: core (0,0): found the address 16, expected a multiple of 32"},
           {"f: ldih $1,1($31)\n ldl $2,0($1)\n halt",
            "t.S:2: error: core (0,0): found the address 65536, expected one of the scratchpad, 0 to 65528"},
           {"f: bne $1,end\n ldi $3,3($31)\n synr $3\nend: halt",
            "t.S:4: error: core (0,0): 'halt' waits for cores that never come to its synchronization"},
           {"f: ldi $3,6($31)\n synr $3\n halt", "t.S:2: error: core (0,0): found the mask 6, expected one with the core's own bit, 1"},
           {"f: rcsr $1,4\n halt", "t.S:1: error: core (0,0): found another control register, expected 0 (core), 1 (row) or 2 (column)"},
           {"f: br $31,f", "t.S: error: found no end after 5000 cycles"},
           {"f: nop", "t.S:1: error: core (0,0): found the end of the text, expected ret"},
           {"g: halt", "t.S: error: found no label 'f' to begin at"}}) {
    try {
      const Assembly a = assemble("t.S", text);
      run_rows(a)->run("f", 5000);
      ADD_FAILURE() << text;
    } catch (const SimError& e) {
      EXPECT_EQ(e.what(), message);
    }
  }
}

}  // namespace
}  // namespace swgen::sim
