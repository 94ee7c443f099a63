// SPDX-License-Identifier: Apache-2.0
// The DMA engine of a core group: requests of 64 cores share one channel of 128-byte lines.
//
// Mechanism (J. Fang, PhD thesis, Tsinghua University 2019, 3.1.2): issue is asynchronous; a core's buffer
// holds three requests that are not sent out yet, and its pipeline waits only when that is full; a
// line that is used in part costs a whole one.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace swgen::sim {

inline constexpr int kCores = 64;
inline constexpr std::int64_t kLineBytes = 128;

/// In hundredths of a cycle, so that sums are the same on every machine.
struct DmaCosts {
  std::int64_t get_start = 0, put_start = 0;  // until the first line is there
  std::int64_t get_line_contiguous = 0;       // one run per request
  std::int64_t get_line_aligned = 0;          // blocks that begin on lines
  std::int64_t get_line_unaligned = 0;
  std::int64_t put_line = 0;
  std::int64_t put_narrow = 0;  // on top, for a run below half a line; a partial line of a strided put costs twice: read, change, write
  /// Turning the channel between reading and writing, where it serves requests of both kinds at a time: per block, per
  /// line's worth of a block's bytes up to one, and per line.
  std::int64_t turn_block = 0, turn_bytes = 0, turn_line = 0;
};

/// Blocks of `block` bytes whose beginnings lie `pitch` bytes apart in memory.
struct DmaRequest {
  bool put = false;
  std::int64_t address = 0, block = 0, pitch = 0, count = 1;
  std::int64_t bytes() const { return block * count; }
};

struct DmaCounters {
  std::int64_t requests = 0, bytes = 0, lines = 0, busy = 0;  // busy: hundredths of a cycle
};

class DmaEngine {
 public:
  explicit DmaEngine(const DmaCosts& costs) : costs_(costs) {}

  struct Answer {
    std::int64_t accepted = 0;  // the cycle from which the core goes on
    std::int64_t begin = 0;     // the channel begins to work on it
    std::int64_t done = 0;      // its reply is there
  };

  /// A core asks at cycle `now`. Calls come in the order of time, as far as cores depend on each other.
  Answer issue(int core, const DmaRequest& request, std::int64_t now);

  const DmaCounters& gets() const { return counters_[0]; }
  const DmaCounters& puts() const { return counters_[1]; }

  /// Lines that the request touches.
  std::int64_t lines_of(const DmaRequest& request);

 private:
  struct Shape {
    std::int64_t lines = 0, partial = 0;  // lines touched, and those that a put must read first
    bool aligned = true;
  };
  const Shape& shape_of(const DmaRequest& request);
  std::int64_t cost_of(const DmaRequest& request, std::int64_t now);

  DmaCosts costs_;
  std::int64_t free_ = 0;  // hundredths: when the channel has served all it was asked for
  std::array<std::deque<std::int64_t>, kCores> waiting_;  // of a core: when its requests are sent out
  std::deque<std::pair<bool, std::int64_t>> last_;  // of the last requests: whether a put, when done
  std::array<DmaCounters, 2> counters_{};
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, Shape> shapes_;
};

}  // namespace swgen::sim
