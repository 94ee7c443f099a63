// SPDX-License-Identifier: Apache-2.0
#include "dma.h"

#include <algorithm>

namespace swgen::sim {
namespace {

constexpr std::size_t kWaiting = 3;  // requests that a core's buffer holds
constexpr std::int64_t kHundred = 100, kServed = 4;

std::int64_t remainder(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

}  // namespace

const DmaEngine::Shape& DmaEngine::shape_of(const DmaRequest& r) {
  const std::int64_t start = remainder(r.address, kLineBytes);
  const auto [found, fresh] = shapes_.try_emplace({start, r.block, r.count > 1 ? r.pitch : 0, r.count});
  Shape& shape = found->second;
  if (!fresh) return shape;
  std::int64_t open = -1;  // a line that the block before has left partly written: if this one goes on in it, they are combined
  for (std::int64_t i = 0; i < r.count; ++i) {
    const std::int64_t from = start + i * r.pitch, end = from + r.block, first = from / kLineBytes, last = (end - 1) / kLineBytes;
    const bool combined = first == open, head = from % kLineBytes != 0, tail = end % kLineBytes != 0;
    shape.aligned &= !head;
    shape.lines += last - first + 1;
    if (combined) --shape.partial;
    if (first == last)
      shape.partial += (head || tail) ? 1 : 0;
    else
      shape.partial += (head && !combined ? 1 : 0) + (tail ? 1 : 0);
    open = tail ? last : -1;
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
  if (r.put && r.count > 1) cost += shape.partial * costs_.put_line;
  if (r.put && r.count == 1 && 2 * r.block < kLineBytes) cost += costs_.put_narrow;
  // About four requests are served at a time (thesis, 3.1.2): this one and up to three before it.
  std::int64_t others = 0;
  for (const auto& [put, done] : last_) others += put != r.put && done > now ? 1 : 0;
  const std::int64_t turn = r.count * (costs_.turn_block + costs_.turn_bytes * std::min(r.block, kLineBytes) / kLineBytes) + std::max(r.count, r.bytes() / kLineBytes) * costs_.turn_line;
  return cost + turn * others / kServed;
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
  last_.emplace_back(r.put, answer.done);
  if (last_.size() == kServed) last_.pop_front();
  DmaCounters& c = counters_[r.put ? 1 : 0];
  ++c.requests;
  c.bytes += r.bytes();
  c.lines += shape_of(r).lines;
  c.busy += cost;
  return answer;
}

}  // namespace swgen::sim
