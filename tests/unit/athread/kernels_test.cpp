// SPDX-License-Identifier: Apache-2.0
// Slave functions that are right: results, counters and hooks.
#include <array>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "fixture.h"

extern "C" {
void SLAVE_FUN(vector_add)(VectorArgs*);
void SLAVE_FUN(mesh_gemm)(GemmArgs*);
void SLAVE_FUN(strided)(CaseArgs*);
void SLAVE_FUN(broadcast)(CaseArgs*);
void SLAVE_FUN(row_mode)(CaseArgs*);
void SLAVE_FUN(rank_mode)(CaseArgs*);
void SLAVE_FUN(thread_locals)(CaseArgs*);
void SLAVE_FUN(messages)(CaseArgs*);
void SLAVE_FUN(memory_vectors)(CaseArgs*);
void SLAVE_FUN(clock_values)(CaseArgs*);
}

namespace {

using swgen::athread::Counters;
using swgen::athread::counters;
using Kernels = AthreadTest;

struct AlignedFree {
  void operator()(void* p) const { std::free(p); }
};
std::unique_ptr<double[], AlignedFree> lines(std::size_t count) {
  return std::unique_ptr<double[], AlignedFree>(static_cast<double*>(std::aligned_alloc(128, count * sizeof(double))));
}

TEST_F(Kernels, VectorAddWithDoubleBuffering) {
  constexpr int kCount = 64 * kVectorChunks * kVectorChunk;
  const auto a = lines(kCount), b = lines(kCount), c = lines(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = i, b[i] = 0.5 * i, c[i] = 0;
  VectorArgs args{a.get(), b.get(), c.get()};
  athread_spawn(vector_add, &args);
  athread_join();
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(c[i], 1.5 * i) << "at " << i;

  const Counters n = counters();
  EXPECT_EQ(n.spawns, 1U);
  EXPECT_EQ(n.dma_requests, 64U * kVectorChunks * 3);
  EXPECT_EQ(n.dma_bytes_get, 2U * kCount * 8);
  EXPECT_EQ(n.dma_bytes_put, 1U * kCount * 8);
  EXPECT_EQ(n.dma_lines, 3U * kCount * 8 / 128);
  EXPECT_EQ(n.dma_stalls, 64U);  // chunk 0 and 1 are requested together: the fourth waits
  EXPECT_EQ(n.gst, 0U);
  // Variables in order of first use: got (8, padded to 32), a, b, c, put.
  EXPECT_EQ(swgen::athread::ldm_peak_bytes(63), 32U + 5U * kVectorChunk * 8 + 4);
}

TEST_F(Kernels, MeshGemmMatchesNaive) {
  constexpr int kN = 8 * kGemmTile;
  const auto a = lines(kN * kN), b = lines(kN * kN), c = lines(kN * kN);
  for (int i = 0; i < kN * kN; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2, c[i] = 0;
  GemmArgs args{a.get(), b.get(), c.get()};
  athread_spawn(mesh_gemm, &args);
  athread_join();
  for (int m = 0; m < kN; ++m) {
    for (int n = 0; n < kN; ++n) {
      double sum = 0;
      for (int k = 0; k < kN; ++k) sum += a[k * kN + m] * b[k * kN + n];
      ASSERT_EQ(c[n * kN + m], sum) << "at " << m << ", " << n;  // small integers: exact
    }
  }
  const Counters n = counters();
  EXPECT_EQ(n.rlc_messages, 64U * kGemmTile * (kGemmTile / 4 + kGemmTile));
  EXPECT_EQ(n.syncs, 64U * 8);
  EXPECT_EQ(n.dma_lines, 3U * kN * kN * 8 / 128);
  EXPECT_EQ(n.ldm_unfreed, 0U);
  EXPECT_GE(swgen::athread::ldm_peak_bytes(0), 3U * kGemmTile * kGemmTile * 8);
}

TEST_F(Kernels, StridedGetAndPutSkipGaps) {
  std::vector<int> source(32), target(16, -1);
  for (int i = 0; i < 32; ++i) source[static_cast<std::size_t>(i)] = i;
  CaseArgs args{source.data(), target.data(), 0, 0};
  athread_spawn(strided, &args);
  athread_join();
  const std::vector<int> expected{0, 1, -1, 5, 6, -1, 10, 11, -1, 15, 16, -1, -1, -1, -1, -1};
  EXPECT_EQ(target, expected);
  EXPECT_EQ(counters().dma_bytes_get, 32U);
  EXPECT_EQ(counters().dma_bytes_put, 32U);
}

TEST_F(Kernels, BroadcastReachesMaskedRows) {
  std::vector<int> source{10, 20, 30, 40}, target(256, 0);
  CaseArgs args{source.data(), target.data(), 0, 0};
  athread_spawn(broadcast, &args);
  athread_join();
  for (int id = 0; id < 64; ++id) {
    const bool receives = id / 8 == 1 || id / 8 == 3;
    for (int i = 0; i < 4; ++i) EXPECT_EQ(target[4 * id + i], (receives ? 10 * (i + 1) : -1) + id) << id << ", " << i;
  }
}

TEST_F(Kernels, RowModeDealsPiecesToColumns) {
  std::vector<int> source(256), target(256, 0);
  for (int i = 0; i < 256; ++i) source[static_cast<std::size_t>(i)] = i;
  CaseArgs args{source.data(), target.data(), 0, 0};
  athread_spawn(row_mode, &args);
  athread_join();
  for (int id = 0; id < 64; ++id) {
    const int base = id / 8 * 32 + id % 8 * 2;
    for (int i = 0; i < 4; ++i) EXPECT_EQ(target[4 * id + i], base + i % 2 + i / 2 * 16) << id << ", " << i;
  }
}

TEST_F(Kernels, RankModeIsComplete) {
  std::vector<int> source(256), target(256, 0);
  for (int i = 0; i < 256; ++i) source[static_cast<std::size_t>(i)] = 3 * i;
  CaseArgs args{source.data(), target.data(), 0, 0};
  athread_spawn(rank_mode, &args);
  athread_join();
  EXPECT_EQ(target, source);
}

TEST_F(Kernels, ThreadLocalsArePerCpeAndOutliveASpawn) {
  std::vector<int> target(64, 0);
  CaseArgs args{nullptr, target.data(), 0, 0};
  for (int run = 1; run <= 2; ++run) {
    athread_spawn(thread_locals, &args);
    athread_join();
    for (int id = 0; id < 64; ++id) EXPECT_EQ(target[static_cast<std::size_t>(id)], 7 + run * id);
  }
  EXPECT_EQ(counters().gst, 128U);
  EXPECT_EQ(counters().gld, 128U);  // args->target
  athread_halt();
  athread_init();
  athread_spawn(thread_locals, &args);
  athread_join();
  EXPECT_EQ(target[63], 7 + 63);
}

TEST_F(Kernels, RegisterMessagesKeepOrderAndTypes) {
  std::vector<int> target(64, 0);
  CaseArgs args{nullptr, target.data(), 0, 0};
  athread_spawn(messages, &args);
  athread_join();
  for (int id = 0; id < 64; ++id) {
    const int left = id / 8 * 8 + (id + 7) % 8;
    EXPECT_EQ(target[static_cast<std::size_t>(id)], left * 100 + 2 * 10 + 1) << id;
  }
}

TEST_F(Kernels, MemoryLoadsAreCountedOnce) {
  alignas(32) int source[20] = {};
  alignas(32) int target[8] = {};
  auto* floats = reinterpret_cast<float*>(source);
  for (int i = 0; i < 8; ++i) floats[i] = static_cast<float>(i);
  for (int i = 16; i < 20; ++i) source[i] = i;
  CaseArgs args{source, target, 0, 0};
  athread_create(0, memory_vectors, &args);
  athread_wait(0);
  EXPECT_EQ(counters().gld, 9U);
  EXPECT_EQ(counters().gst, 1U);
  EXPECT_EQ(reinterpret_cast<double*>(target)[3], 3 + 7 + 16 + 17 + 18 + 19);
}

TEST_F(Kernels, EachHostThreadHasItsOwnGroup) {
  std::array<std::vector<int>, 2> targets{std::vector<int>(64), std::vector<int>(64)};
  const auto work = [&targets](std::size_t index) {
    CaseArgs args{nullptr, targets[index].data(), 0, 0};
    athread_init();
    for (std::size_t run = 0; run < 20 * (index + 1); ++run) {
      athread_spawn(thread_locals, &args);
      athread_join();
    }
    athread_halt();
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(targets[0][2], 7 + 20 * 2);
  EXPECT_EQ(targets[1][2], 7 + 40 * 2);
  EXPECT_EQ(counters().spawns, 0U);
}

TEST_F(Kernels, RunsAreDeterministic) {
  std::vector<int> source{1, 2, 3, 4}, target(256, 0);
  CaseArgs args{source.data(), target.data(), 0, 0};
  athread_spawn(broadcast, &args);
  athread_join();
  const Counters first = counters();
  swgen::athread::reset_counters();
  athread_spawn(broadcast, &args);
  athread_join();
  EXPECT_EQ(counters(), first);
}

class Recorder : public swgen::athread::Observer {
 public:
  void on_spawn(std::uint64_t cpes) override { spawned = cpes; }
  void on_join() override { ++joins; }
  void on_dma(const swgen::athread::DmaEvent& event) override { events.push_back(event); }
  void on_dma_reply(int cpe) override { replies.push_back(cpe); }
  void on_rlc_put(int, swgen::athread::RlcDirection direction, int dst) override {
    broadcasts += direction == swgen::athread::RlcDirection::kColumn && dst == 8 ? 1 : 0;
  }
  void on_rlc_get(int, swgen::athread::RlcDirection) override { ++gets; }
  std::int64_t cycles(int cpe) override { return 1000 + cpe; }
  void on_sync(int, std::uint64_t members) override { row_zero_syncs += members == 0xff ? 1 : 0; }

  std::uint64_t spawned = 0;
  int joins = 0, broadcasts = 0, gets = 0, row_zero_syncs = 0;
  std::vector<swgen::athread::DmaEvent> events;
  std::vector<int> replies;
};

TEST_F(Kernels, ObserverSeesEveryCall) {
  Recorder recorder;
  swgen::athread::set_observer(&recorder);
  std::vector<int> source(256, 1), target(256, 0);
  CaseArgs args{source.data(), target.data(), 0, 0};
  athread_spawn(strided, &args);
  athread_join();
  ASSERT_EQ(recorder.events.size(), 2U);
  EXPECT_EQ(recorder.events[0].cpe, 5);
  EXPECT_TRUE(recorder.events[0].is_get);
  EXPECT_EQ(recorder.events[0].memory, source.data());
  EXPECT_EQ(recorder.events[0].size, 32U);
  EXPECT_EQ(recorder.events[0].block, 8U);
  EXPECT_EQ(recorder.events[0].gap, 12U);
  EXPECT_FALSE(recorder.events[1].is_get);
  EXPECT_EQ(recorder.replies, (std::vector<int>{5, 5}));
  athread_spawn(row_mode, &args);
  athread_join();
  athread_spawn(messages, &args);
  athread_join();
  EXPECT_EQ(recorder.spawned, ~0ULL);
  EXPECT_EQ(recorder.joins, 3);
  athread_spawn(clock_values, &args);
  athread_join();
  EXPECT_EQ(target[0], 1000);
  EXPECT_EQ(target[63], 1063);
  EXPECT_EQ(recorder.row_zero_syncs, 16);
  EXPECT_EQ(recorder.broadcasts, 8);
  EXPECT_EQ(recorder.gets, 64 + 56);
  swgen::athread::set_observer(nullptr);
}

TEST_F(Kernels, SubsetsOfCpes) {
  std::vector<int> target(64, 0);
  CaseArgs args{nullptr, target.data(), 0, 0};
  athread_spawn_group(0x6UL, thread_locals, &args);
  EXPECT_EQ(athread_idle(), ~0x6UL);
  athread_join_group(0x6UL);
  athread_create(40, thread_locals, &args);
  athread_wait(40);
  athread_end(40);
  athread_set_num_threads(1);
  athread_spawn(thread_locals, &args);
  athread_join();
  EXPECT_EQ(athread_get_num_threads(), 1);
  EXPECT_EQ(athread_get_max_threads(), 64);
  for (int id = 0; id < 64; ++id) {
    EXPECT_EQ(target[static_cast<std::size_t>(id)], id <= 2 || id == 40 ? 7 + id : 0) << id;
  }
}

}  // namespace
