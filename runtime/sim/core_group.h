// SPDX-License-Identifier: Apache-2.0
// The time of one core group: clocks of 64 cores that compute, transfer and wait, and one DMA engine.
// It moves no data: whoever runs a program tells it what the cores do, in the order in which they do it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dma.h"

namespace swgen::sim {

struct GroupCosts {
  DmaCosts dma;
  std::int64_t spawn = 0, join = 0;  // cycles
  std::int64_t issue = 0;            // of a core, to set up a request and hand it over
  std::int64_t sync = 14;            // J. Fang, PhD thesis, Tsinghua University 2019, Table 3.2
};

/// What happened, for a timeline.
struct Span {
  enum class Track { cores, channel } track = Track::cores;
  int row = 0;             // of the mesh (cores)
  const char* what = "";   // "gemm", "wait", "get", ...
  std::string detail;
  std::int64_t begin = 0, end = 0;  // cycles
};

struct GroupCounters {
  std::int64_t cycles = 0;   // from spawn to join
  std::int64_t compute = 0;  // of core 0
  std::int64_t waiting = 0;  // of core 0: for transfers
  std::int64_t primitive_calls = 0;
  DmaCounters gets, puts;
};

class CoreGroup {
 public:
  explicit CoreGroup(const GroupCosts& costs, std::vector<Span>* spans = nullptr);

  /// Completion times of one transfer, by core.
  struct Reply {
    std::array<std::int64_t, kCores> done{};
  };

  /// Each core asks for its request; one of no bytes asks for nothing.
  Reply transfer(const std::array<DmaRequest, kCores>& requests, const char* what);
  void wait(const Reply& reply);

  /// Each core works for `cycles`, all for the same or each for its own.
  void compute(std::int64_t cycles, const char* what);
  void compute(const std::array<std::int64_t, kCores>& cycles, const char* what);
  /// The cores work together for `cycles` from when the last of them is there.
  void compute_together(std::int64_t cycles, const char* what);
  void synchronize();

  /// Joins the cores; the cycles from spawn to join.
  std::int64_t finish();

  std::int64_t now() const;  // of the core that is furthest
  const GroupCounters& counters() const { return counters_; }

 private:
  void span(Span::Track track, int row, const char* what, std::int64_t begin, std::int64_t end);
  std::int64_t together();

  DmaEngine engine_;
  GroupCosts costs_;
  std::vector<Span>* spans_;
  std::array<std::int64_t, kCores> clock_{};
  GroupCounters counters_;
};

}  // namespace swgen::sim
