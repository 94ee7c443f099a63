// SPDX-License-Identifier: Apache-2.0
#include "dma.h"

#include <algorithm>

namespace swgen::sim {
namespace {

constexpr std::size_t kWaiting = 3;  // requests that a core's buffer holds
constexpr std::int64_t kHundred = 100;

std::int64_t remainder(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

}  // namespace

const DmaEngine::Shape& DmaEngine::shape_of(const DmaRequest& r) {
  const std::int64_t start = remainder(r.address, kLineBytes), step = remainder(r.pitch, kLineBytes);
  const auto [found, fresh] = shapes_.try_emplace({start, r.block, r.count > 1 ? step : 0, r.count});
  Shape& shape = found->second;
  if (fresh)
    for (std::int64_t i = 0, at = start; i < r.count; ++i, at = (at + step) % kLineBytes) {
      shape.lines += (at + r.block - 1) / kLineBytes + 1;
      shape.aligned &= at == 0;
    }
  return shape;
}

std::int64_t DmaEngine::lines_of(const DmaRequest& request) { return shape_of(request).lines; }

std::int64_t DmaEngine::cost_of(const DmaRequest& r, std::int64_t now) {
  const Shape& shape = shape_of(r);
  std::int64_t cost = shape.lines * (r.put               ? costs_.put_line
                                     : r.count == 1      ? costs_.get_line_contiguous
                                     : shape.aligned     ? costs_.get_line_aligned
                                                         : costs_.get_line_unaligned);
  if (r.put && 2 * r.block < kLineBytes) cost += r.count * costs_.put_narrow_block;
  for (auto& queue : pending_)
    while (!queue.empty() && queue.front() <= now) queue.pop_front();
  const auto same = static_cast<std::int64_t>(pending_[r.put ? 1 : 0].size()), other = static_cast<std::int64_t>(pending_[r.put ? 0 : 1].size());
  const std::int64_t turn = r.count * (costs_.turn_block + costs_.turn_bytes * std::min(r.block, kLineBytes) / kLineBytes) + shape.lines * costs_.turn_line;
  return cost + turn * other / (same + other + 1);
}

DmaEngine::Answer DmaEngine::issue(int core, const DmaRequest& r, std::int64_t now) {
  auto& own = waiting_[static_cast<std::size_t>(core)];
  while (!own.empty() && own.front() <= now) own.pop_front();
  Answer answer;
  answer.accepted = own.size() < kWaiting ? now : own[own.size() - kWaiting];
  const std::int64_t cost = cost_of(r, answer.accepted), begin = std::max(free_, answer.accepted * kHundred);
  free_ = begin + cost;
  answer.begin = begin / kHundred;
  answer.done = (free_ + (r.put ? costs_.put_start : costs_.get_start) + kHundred - 1) / kHundred;
  own.push_back(answer.begin);
  pending_[r.put ? 1 : 0].push_back(answer.done);
  DmaCounters& c = counters_[r.put ? 1 : 0];
  ++c.requests;
  c.bytes += r.bytes();
  c.lines += shape_of(r).lines;
  c.busy += cost;
  return answer;
}

}  // namespace swgen::sim
