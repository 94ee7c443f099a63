// SPDX-License-Identifier: Apache-2.0
// simd.h on the host: values lane by lane.
#include "simd.h"

#include <gtest/gtest.h>

#include <cmath>

#include "swgen_athread.h"

namespace {

#define EXPECT_LANES(v, a, b, c, d) \
  EXPECT_EQ((v)[0], a);             \
  EXPECT_EQ((v)[1], b);             \
  EXPECT_EQ((v)[2], c);             \
  EXPECT_EQ((v)[3], d)

TEST(Simd, LoadsAndStores) {
  alignas(32) double memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  alignas(16) float narrow[4] = {1, 2, 3, 4};
  doublev4 v, w;
  floatv4 f;
  simd_load(v, memory);
  EXPECT_LANES(v, 1, 2, 3, 4);
  simd_loadu(w, memory + 3);
  EXPECT_LANES(w, 4, 5, 6, 7);
  simd_loade(w, memory + 7);
  EXPECT_LANES(w, 8, 8, 8, 8);
  simd_load(f, narrow);
  EXPECT_LANES(simd_widen(f), 1.0, 2.0, 3.0, 4.0);
  simd_store(v + w, memory);
  EXPECT_EQ(memory[3], 12);
  simd_storeu(v, memory + 1);
  EXPECT_EQ(memory[1], 1);
  EXPECT_LANES(simd_narrow(v), 1.0F, 2.0F, 3.0F, 4.0F);
}

TEST(Simd, Arithmetic) {
  const doublev4 a = simd_set_doublev4(1, 2, 3, 4), b = simd_splat_doublev4(2), c = simd_splat_doublev4(10);
  EXPECT_LANES(simd_vmad(a, b, c), 12, 14, 16, 18);
  EXPECT_LANES(simd_vmsd(a, b, c), -8, -6, -4, -2);
  EXPECT_LANES(simd_vnmad(a, b, c), 8, 6, 4, 2);
  EXPECT_LANES(simd_vnmsd(a, b, c), -12, -14, -16, -18);
  EXPECT_LANES(simd_vsqrtd(a * a), 1, 2, 3, 4);
  EXPECT_LANES(simd_vseleq(a - b, b, c), 10, 2, 10, 10);
  EXPECT_LANES(simd_vsellt(a - b, b, c), 2, 10, 10, 10);
  EXPECT_LANES(simd_vselle(a - b, b, c), 2, 2, 10, 10);
  EXPECT_LANES(simd_vfcmplt(a, simd_splat_doublev4(3)), 2, 2, 0, 0);
  EXPECT_LANES(simd_vcpys(-b, a), -1, -2, -3, -4);
  EXPECT_LANES(simd_vcpysn(-b, -a), 1, 2, 3, 4);
  EXPECT_TRUE(std::signbit(simd_splat_doublev4(-0.0)[2]));
}

TEST(Simd, ShuffleTransposesAndBroadcasts) {
  doublev4 in[4], out[4];
  for (int i = 0; i < 4; ++i) in[i] = simd_set_doublev4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
  EXPECT_LANES(simd_vshff(in[1], in[0], 0xE4), 0, 1, 6, 7);
  EXPECT_LANES(simd_vshff(in[0], in[0], 0xAA), 2, 2, 2, 2);
  const doublev4 low01 = simd_vshff(in[1], in[0], 0x44), high01 = simd_vshff(in[1], in[0], 0xEE);
  const doublev4 low23 = simd_vshff(in[3], in[2], 0x44), high23 = simd_vshff(in[3], in[2], 0xEE);
  out[0] = simd_vshff(low23, low01, 0x88);
  out[1] = simd_vshff(low23, low01, 0xDD);
  out[2] = simd_vshff(high23, high01, 0x88);
  out[3] = simd_vshff(high23, high01, 0xDD);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LANES(out[i], i, 4 + i, 8 + i, 12 + i);
  }
}

TEST(Simd, IntegersAndInsert) {
  const intv8 w = simd_set_intv8(1, -2, 3, 4, 5, 6, 7, 8);
  EXPECT_LANES(simd_vsllw(w, 2), 4, -8, 12, 16);
  EXPECT_EQ(simd_vsrlw(w, 1)[1], 0x7fffffff);
  EXPECT_EQ(simd_vsraw(w, 1)[1], -1);
  EXPECT_EQ(simd_vextw7(simd_vinsw7(99, w)), 99);
  EXPECT_EQ(simd_vbicw(w, simd_splat_intv8(1))[2], 2);
  EXPECT_LANES(simd_vinsf2(5.0, simd_splat_doublev4(1)), 1, 1, 5, 1);
}

TEST(SlaveFlags, NameTheHooksThatTheChecksNeed) {
  const std::string flags = swgen::athread::kSlaveFlags;
  EXPECT_NE(flags.find("-femulated-tls"), std::string::npos);
  EXPECT_NE(flags.find("-fsanitize-coverage=func,trace-pc,trace-loads,trace-stores"), std::string::npos);
}

}  // namespace
