// SPDX-License-Identifier: Apache-2.0
// Contractions of the user's own (`compute:`), against the plain loops that each text stands for.
#include <gtest/gtest.h>

#include <functional>

#include "compiler/target/targets.h"
#include "tests/numeric/harness.h"

namespace swgen::numeric {
namespace {

/// A dense row-major operand; outside of its extents it is zero.
class Plain {
 public:
  Plain(std::vector<int64_t> extents, int position) : extents_(std::move(extents)) {
    int64_t count = 1;
    for (int64_t e : extents_) count *= e;
    values_ = operand<double>(count, position);
  }
  double at(const std::vector<int64_t>& index) const {
    int64_t flat = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] < 0 || index[d] >= extents_[d]) return 0;
      flat = flat * extents_[d] + index[d];
    }
    return values_[static_cast<size_t>(flat)];
  }

 private:
  std::vector<int64_t> extents_;
  std::vector<double> values_;
};

/// Calls f for every point of a box, the last index fastest.
void each(const std::vector<int64_t>& extents,
          const std::function<void(const std::vector<int64_t>&)>& f) {
  std::vector<int64_t> index(extents.size(), 0);
  for (;;) {
    f(index);
    size_t d = extents.size();
    while (d-- > 0 && ++index[d] == extents[d]) index[d] = 0;
    if (d == static_cast<size_t>(-1)) return;
  }
}

using Point = std::vector<int64_t>;
using Term = std::function<double(const Point& out, const Point& sum)>;

std::vector<double> contract(const Point& outputs, const Point& sums, const Term& term,
                             bool relu = false) {
  std::vector<double> result;
  each(outputs, [&](const Point& o) {
    double value = 0;
    each(sums, [&](const Point& s) { value += term(o, s); });
    result.push_back(relu && value < 0 ? 0 : value);
  });
  return result;
}

std::vector<double> expected(const std::string& name) {
  if (name == "batched") {
    const Plain x({3, 17, 9}, 0), w({3, 9, 20}, 1);
    return contract({3, 17, 20}, {9}, [&](const Point& o, const Point& s) {
      return x.at({o[0], o[1], s[0]}) * w.at({o[0], s[0], o[2]});
    });
  }
  if (name == "window_1d") {
    const Plain x({2, 5, 26}, 0), w({17, 5, 3}, 1);
    return contract({2, 17, 13}, {5, 3}, [&](const Point& o, const Point& s) {
      return x.at({o[0], s[0], o[2] * 2 + s[1] - 1}) * w.at({o[1], s[0], s[1]});
    });
  }
  if (name == "outer_product") {
    const Plain x({33}, 0), w({50}, 1);
    return contract(
        {33, 50}, {1}, [&](const Point& o, const Point&) { return x.at({o[0]}) * w.at({o[1]}); },
        true);
  }
  if (name == "window_3d") {
    const Plain x({1, 3, 4, 9, 8}, 0), w({16, 3, 2, 3, 3}, 1);
    return contract({1, 16, 3, 4, 6}, {3, 2, 3, 3}, [&](const Point& o, const Point& s) {
      return x.at({o[0], s[0], o[2] + s[1], o[3] * 2 + s[2], o[4] + s[3]}) *
             w.at({o[1], s[0], s[1], s[2], s[3]});
    });
  }
  if (name == "dilated_padded") {
    const Plain x({4, 21}, 0), w({8, 4, 3}, 1);
    return contract({8, 21}, {4, 3}, [&](const Point& o, const Point& s) {
      return x.at({s[0], o[1] + s[1] * 3 - 3}) * w.at({o[0], s[0], s[1]});
    });
  }
  if (name == "transposed_sum") {
    const Plain x({6, 19, 7}, 0), w({7, 24, 6}, 1);
    return contract({19, 24}, {6, 7}, [&](const Point& o, const Point& s) {
      return x.at({s[0], o[0], s[1]}) * w.at({s[1], o[1], s[0]});
    });
  }
  throw std::runtime_error("no loops for " + name);
}

class Compute : public testing::TestWithParam<std::string> {};

TEST_P(Compute, EqualsItsLoops) {
  const target::Target target = target::find_target(GetParam());
  if (!target::x86_level_runs_here(target.level))
    GTEST_SKIP() << "this processor lacks " << target.level;
  Refusals refusals;
  int runs = 0;
  for (const frontend::Workload& workload : read_shapes("compute.yaml")) {
    const std::vector<double> wanted = expected(workload.name);
    for (const Candidate& candidate : candidates(workload, target, 6, 1, refusals)) {
      const Outcome outcome = run(workload, candidate, target, 2 + runs++ % 2);
      const std::string what = workload.name + " schedule \"" + candidate.schedule + '"';
      ASSERT_EQ(outcome.failure, "") << what;
      EXPECT_EQ(difference(outcome.output, wanted), "") << what;
    }
  }
  EXPECT_LE(refusals.count() * 3, refusals.drawn) << testing::PrintToString(refusals.reasons);
  EXPECT_GE(runs, 18);
}

INSTANTIATE_TEST_SUITE_P(X86, Compute, testing::ValuesIn(x86_targets()),
                         [](const auto& info) { return info.param.substr(4); });

}  // namespace
}  // namespace swgen::numeric
