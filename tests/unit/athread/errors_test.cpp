// SPDX-License-Identifier: Apache-2.0
// Every mistake of slave code and its message. %P stands for an address.
#include <regex>
#include <vector>

#include "fixture.h"

extern "C" {
void SLAVE_FUN(dma_mistake)(CaseArgs*);
void SLAVE_FUN(ldm_mistake)(CaseArgs*);
void SLAVE_FUN(stack_mistake)(CaseArgs*);
void SLAVE_FUN(mesh_mistake)(CaseArgs*);
void SLAVE_FUN(early_access)(CaseArgs*);
void SLAVE_FUN(four_pending)(CaseArgs*);
}

namespace {

class Errors : public AthreadTest {
 protected:
  static std::string without_addresses(const std::string& text) {
    return std::regex_replace(text, std::regex("at 0x[0-9a-f]{8,}|address 0x[0-9a-f]{8,}|word 0x[0-9a-f]{8,}"), "%P");
  }
  std::string dma(int number) {
    args.case_number = number;
    athread_spawn(dma_mistake, &args);
    return without_addresses(join_message());
  }
  std::string ldm(int number, int value = 0) {
    args.case_number = number;
    args.value = value;
    athread_spawn(ldm_mistake, &args);
    return without_addresses(join_message());
  }
  std::string mesh(int number) {
    args.case_number = number;
    athread_spawn(mesh_mistake, &args);
    return without_addresses(join_message());
  }

  std::vector<int> source = std::vector<int>(64, 42);
  std::vector<int> target = std::vector<int>(64, 0);
  CaseArgs args{source.data(), target.data(), 0, 0};
  const std::string cpe3 = "CPE 3 (row 0, column 3): ";
};

TEST_F(Errors, DmaArguments) {
  EXPECT_EQ(dma(0), cpe3 + "athread_get: size is 6 bytes, expected a multiple of 4");
  EXPECT_EQ(dma(1), cpe3 + "athread_get: LDM %P is not 4-byte aligned");
  EXPECT_EQ(dma(2), cpe3 + "athread_get: size is 24 bytes, expected a multiple of the block size 16");
  EXPECT_EQ(dma(3), cpe3 + "athread_get: size is 16777216 bytes, expected 4 to 2^24 - 4");
  EXPECT_EQ(dma(4), cpe3 + "athread_get: LDM %P is not in LDM");
  EXPECT_EQ(dma(5), cpe3 + "athread_get: LDM range [0x110, 0x130) is not inside one variable or ldm_malloc block");
  EXPECT_EQ(dma(6), cpe3 + "athread_get: LDM %P lies in the LDM of CPE 4");
  EXPECT_EQ(dma(7), cpe3 + "athread_get: reply %P is not in the own LDM");
  EXPECT_EQ(dma(8), cpe3 + "athread_get: BROW_MODE is not emulated, its placement is not documented; expected PE_MODE, "
                           "BCAST_MODE, ROW_MODE or RANK_MODE");
  EXPECT_EQ(dma(14), cpe3 + "dma_set_size: value 16777216 does not fit into 24 bits");
  EXPECT_EQ(dma(15), cpe3 + "dma: the descriptor has no reply word, expected dma_set_reply before");
  EXPECT_EQ(dma(16), cpe3 + "athread_get: stride is 8 bytes, but the block size is 0");
}

TEST_F(Errors, Replies) {
  EXPECT_EQ(dma(9), cpe3 + "1 DMA request(s) pending at the end of the slave function");
  EXPECT_EQ(dma(10), cpe3 + "wrong reply count: dma_wait expected 1, found 2, and it never decreases");
  EXPECT_EQ(dma(11),
            cpe3 + "wrong reply count: dma_wait expected 2, found 1 and no transfer of this reply word is pending");
  EXPECT_EQ(dma(12), "deadlock: CPE 3 spins on its reply word at LDM offset 0x0 (found 1, no transfer of it is "
                     "pending); CPE 0-2,4-63 finished");
  EXPECT_EQ(dma(13), cpe3 + "load %P, in the destination of a get that has not been answered (8 bytes %P)");
}

TEST_F(Errors, EarlyAccessFindsPoisonAndPutsReadLate) {
  swgen::athread::set_options({.stack_bytes = 4096, .trap_early_access = false});
  athread_spawn(early_access, &args);
  EXPECT_EQ(join_message(), "");
  EXPECT_EQ(target[0], 0x7ffcdead);
  EXPECT_EQ(target[1], 42);
  EXPECT_EQ(target[2], 12);  // overwritten before the answer
}

TEST_F(Errors, FourthPendingRequestIsAStall) {
  athread_spawn(four_pending, &args);
  EXPECT_EQ(join_message(), "");
  EXPECT_EQ(target[3], 42);
  EXPECT_EQ(swgen::athread::counters().dma_stalls, 1U);
}

TEST_F(Errors, Ldm) {
  EXPECT_EQ(ldm(0), cpe3 + "LDM overflow: ldm_malloc of 65536 bytes, largest free block is 60160 bytes (256 of "
                           "thread-local variables, 4096 reserved for the stack)");
  EXPECT_EQ(ldm(1), cpe3 + "ldm_free of 512 bytes, expected the allocated size 1024");
  EXPECT_EQ(std::regex_replace(ldm(2), std::regex("0x[0-9a-f]+"), "%P"),
            cpe3 + "ldm_free of %P, which ldm_malloc has not returned");
  EXPECT_EQ(ldm(3, 131072), cpe3 + "store %P, in the LDM of CPE 4");
  EXPECT_EQ(ldm(3, -131072), cpe3 + "store %P, in the LDM of CPE 2");
  EXPECT_EQ(ldm(3, 8192), cpe3 + "store %P, outside the LDM, in the guard area of CPE 3");
  EXPECT_EQ(ldm(4), cpe3 + "vector load of 32 bytes %P, expected an alignment of 32");
  EXPECT_EQ(ldm(5, 8192), cpe3 + "memory fault %P, in the guard area of the LDM of CPE 3");
}

TEST_F(Errors, StackBudget) {
  args.value = 3;
  athread_spawn(stack_mistake, &args);
  const std::string message = join_message();
  EXPECT_TRUE(std::regex_match(
      message, std::regex("CPE 3 \\(row 0, column 3\\): stack of [0-9]+ bytes exceeds the 4096 bytes of LDM "
                          "reserved for it \\(and 2048 for x86 frames\\)")))
      << message;
  swgen::athread::set_options({.stack_bytes = 32 * 1024, .trap_early_access = true});
  athread_spawn(stack_mistake, &args);
  EXPECT_EQ(join_message(), "");
  EXPECT_GT(swgen::athread::stack_peak_bytes(3), 4U * 4096);
  EXPECT_LT(swgen::athread::stack_peak_bytes(3), 5U * 4096);
}

TEST_F(Errors, MeshDeadlocks) {
  EXPECT_EQ(mesh(0), "deadlock: CPE 0-7 waits in getr (row FIFO empty); CPE 8-63 finished");
  EXPECT_EQ(mesh(1), "deadlock: CPE 0 waits in putc to 7 (receive FIFO full); CPE 1-63 finished");
  EXPECT_EQ(mesh(2), "CPE 0 (row 0, column 0): 1 message(s) left in the row FIFO at the end of the run");
  EXPECT_EQ(mesh(3), "mismatched sync: CPE 0-16,18-63 waits in athread_syn(ARRAY_SCOPE, 0xffff); CPE 17 finished");
  EXPECT_EQ(mesh(4), "mismatched sync: CPE 1-7,9-15,17-23,25-31,33-39,41-47,49-55,57-63 waits in "
                     "athread_syn(ROW_SCOPE, 0xff); CPE 0,8,16,24,32,40,48,56 finished");
  EXPECT_EQ(mesh(5), "CPE 0 (row 0, column 0): simd_putr: destination 0 is the sender itself");
  EXPECT_EQ(mesh(6), "CPE 0 (row 0, column 0): athread_syn(ROW_SCOPE, 0xffff): expected a mask of 8 bits");
  const std::string spin = mesh(7);
  EXPECT_TRUE(std::regex_match(spin, std::regex("deadlock: CPE 0 spins on memory %P; CPE 1-63 finished"))) << spin;
  EXPECT_EQ(mesh(8), "deadlock: CPE 0-1,3-7 waits for reply count 1 at LDM offset 0x0; CPE 2,8-63 finished");
  EXPECT_EQ(mesh(9), "CPE 0 (row 0, column 0): athread_syn(ROW_SCOPE, 0xfe): the calling CPE is not in the mask");
}

TEST_F(Errors, HostCalls) {
  EXPECT_EQ(join_message(), "athread_join without a spawn");
  athread_spawn(early_access, &args);
  try {
    athread_spawn(early_access, &args);
    FAIL() << "second spawn accepted";
  } catch (const swgen::athread::EmulationError& error) {
    EXPECT_STREQ(error.what(), "spawn on CPE 0, which has been spawned and not joined");
  }
  EXPECT_EQ(without_addresses(join_message()), "CPE 0 (row 0, column 0): load %P, in the destination of a get that has "
                                               "not been answered (8 bytes %P)");
  athread_halt();
  EXPECT_EQ(join_message(), "athread_join called before athread_init");
  athread_init();
}

TEST_F(Errors, GroupIsUsableAfterAnError) {
  EXPECT_NE(mesh(2), "");
  args.case_number = -1;
  athread_spawn(mesh_mistake, &args);
  EXPECT_EQ(join_message(), "");
  EXPECT_EQ(target[63], 63);
}

TEST(ErrorsDeath, DefaultPrintsAndExits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::vector<int> target(64, 0);
  CaseArgs args{target.data(), target.data(), 2, 0};
  EXPECT_EXIT(
      {
        athread_init();
        athread_spawn(mesh_mistake, &args);
        athread_join();
      },
      testing::ExitedWithCode(86),
      "^athread: error: CPE 0 \\(row 0, column 0\\): 1 message\\(s\\) left in the row FIFO at the end of the run\n$");
}

}  // namespace
