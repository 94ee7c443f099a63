// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compiler/frontend/machine_reader.h"

namespace swgen::frontend {
namespace {

target::Target cached() {
  target::Target t;
  t.cache_bytes = {1, 2, 3};
  t.cache_gbps = {4, 3, 2, 1};
  return t;
}

/// The errors of a machine file for a target with caches, or "" where there is none.
std::string errors_of(const std::string& text) {
  base::Diagnostics errors;
  read_machine("m.yaml", text, cached(), errors);
  return errors.text();
}

TEST(MachineFile, ReplacesTheNumbersThatItNames) {
  base::Diagnostics errors;
  const target::Target t =
      read_machine("m.yaml", "clock_ghz: 2.5\ncache_bytes: [49152, 1048576, 33554432]\npeak_gflops: 80\n", cached(), errors);
  EXPECT_EQ(errors.text(), "");
  EXPECT_EQ(t.clock_ghz, 2.5);
  EXPECT_EQ(t.peak_gflops, 80);
  EXPECT_EQ(t.cache_bytes, (std::vector<int64_t>{49152, 1048576, 33554432}));
  EXPECT_EQ(t.cache_gbps, cached().cache_gbps);
  EXPECT_EQ(t.given, (std::vector<std::string>{"clock_ghz", "cache_bytes", "peak_gflops"}));
}

TEST(MachineFile, ScratchpadsHaveTheirOwnNumbers) {
  target::Target t;
  t.has_scratch = true;
  base::Diagnostics errors;
  EXPECT_EQ(read_machine("m.yaml", "scratch_bytes: 131072\n", t, errors).scratch_bytes, 131072);
  EXPECT_FALSE(errors.any());
  read_machine("m.yaml", "cache_bytes: [1]\n", t, errors);
  EXPECT_TRUE(errors.any());
}

TEST(MachineFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errors_of("clock_ghz: fast\n").substr(0, 93),
            "m.yaml:1:12: error: found 'fast', expected a decimal number above 0, without exponent\n  clock");
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"clock_ghz: 0\n", "1:12: error: found '0', expected a decimal number above 0, without exponent"},
           {"clock_ghz: -2\n", "1:12: error: found '-2', expected a decimal number above 0, without exponent"},
           {"clock_ghz: \"3\"\n", "1:12: error: found a quoted string \"3\", expected a decimal number above 0, without exponent"},
           {"cache_bytes: 7\n", "1:14: error: found '7', expected a list of 3 numbers"},
           {"cache_gbps: [1, 2]\n", "1:13: error: found a list of 2, expected a list of 4 numbers"},
           {"cache_bytes: [1, 0, 3]\n", "1:18: error: found '0', expected a whole number >= 1"},
           {"clock: 3\n", "1:1: error: found the unknown key 'clock', expected one of clock_ghz, peak_gflops, "
                          "peak_gflops_f64, memory_gbps, cache_bytes, cache_gbps"},
           {"- 1\n", "1:1: error: found a list, expected a mapping of a machine's numbers"},
           {"", "error: found nothing, expected a mapping of a machine's numbers"}})
    EXPECT_NE(errors_of(text).find(message), std::string::npos) << errors_of(text) << "\nexpected: " << message;
}

TEST(MachineFile, AnErrorChangesNothing) {
  base::Diagnostics errors;
  const target::Target t = read_machine("m.yaml", "clock_ghz: 2.5\npeak_gflops: none\n", cached(), errors);
  EXPECT_EQ(t.clock_ghz, 0);
  EXPECT_TRUE(t.given.empty());
}

TEST(MachineFile, AMissingFileIsNamed) {
  base::Diagnostics errors;
  read_machine_file("no/such.yaml", cached(), errors);
  EXPECT_EQ(errors.text(), "no/such.yaml: error: found no readable file, expected a machine file\n");
}

}  // namespace
}  // namespace swgen::frontend
