// SPDX-License-Identifier: Apache-2.0
#include "core_group.h"

#include <algorithm>
#include <numeric>

namespace swgen::sim {

CoreGroup::CoreGroup(const GroupCosts& costs, std::vector<Span>* spans) : engine_(costs.dma), costs_(costs), spans_(spans) {
  clock_.fill(costs_.spawn);
}

void CoreGroup::span(Span::Track track, int row, const char* what, std::int64_t begin, std::int64_t end) {
  if (spans_ != nullptr && end > begin) spans_->push_back({track, row, what, {}, begin, end});
}

std::int64_t CoreGroup::now() const { return *std::max_element(clock_.begin(), clock_.end()); }

CoreGroup::Reply CoreGroup::transfer(const std::array<DmaRequest, kCores>& requests, const char* what) {
  // The channel serves in the order of arrival; of cores that ask in one cycle, the lower number first.
  std::array<int, kCores> order{};
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return clock_[static_cast<std::size_t>(a)] < clock_[static_cast<std::size_t>(b)]; });
  Reply reply;
  std::int64_t begin = -1, end = 0;
  for (const int core : order) {
    const auto c = static_cast<std::size_t>(core);
    if (requests[c].bytes() == 0) continue;
    const DmaEngine::Answer answer = engine_.issue(core, requests[c], clock_[c]);
    clock_[c] = answer.accepted + costs_.issue;
    reply.done[c] = answer.done;
    if (begin < 0) begin = answer.begin;
    end = std::max(end, answer.done);
  }
  span(Span::Track::channel, 0, what, begin, end);
  return reply;
}

void CoreGroup::wait(const Reply& reply) {
  counters_.waiting += std::max<std::int64_t>(0, reply.done[0] - clock_[0]);
  for (std::size_t c = 0; c < kCores; ++c) {
    if (c % 8 == 0) span(Span::Track::cores, static_cast<int>(c / 8), "wait", clock_[c], reply.done[c]);
    clock_[c] = std::max(clock_[c], reply.done[c]);
  }
}

void CoreGroup::compute(const std::array<std::int64_t, kCores>& cycles, const char* what) {
  for (std::size_t c = 0; c < kCores; ++c) {
    if (c % 8 == 0) span(Span::Track::cores, static_cast<int>(c / 8), what, clock_[c], clock_[c] + cycles[c]);
    clock_[c] += cycles[c];
  }
  counters_.compute += cycles[0];
}

void CoreGroup::compute(std::int64_t cycles, const char* what) {
  std::array<std::int64_t, kCores> all{};
  all.fill(cycles);
  compute(all, what);
}

std::int64_t CoreGroup::together() {
  const std::int64_t start = now();
  counters_.waiting += start - clock_[0];
  clock_.fill(start);
  return start;
}

void CoreGroup::compute_together(std::int64_t cycles, const char* what) {
  together();
  ++counters_.primitive_calls;
  compute(cycles, what);
}

void CoreGroup::synchronize() {
  together();
  compute(costs_.sync, "sync");
}

std::int64_t CoreGroup::finish() {
  together();
  counters_.gets = engine_.gets();
  counters_.puts = engine_.puts();
  return counters_.cycles = clock_[0] + costs_.join;
}

}  // namespace swgen::sim
