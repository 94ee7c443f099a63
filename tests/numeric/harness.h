// SPDX-License-Identifier: Apache-2.0
// Runs emitted kernels in a worker, on guard pages and poisoned outputs, and gives back what they
// computed. The references live with the tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/compile.h"

namespace swgen::numeric {

/// The levels of x86, best first.
std::vector<std::string> x86_targets();

/// Workloads of a file beside the tests; an unreadable file is a std::runtime_error with its errors.
std::vector<frontend::Workload> read_shapes(const std::string& file);

/// A schedule that compiles, and its sources.
struct Candidate {
  std::string schedule;
  codegen::SourceBundle bundle;
};

/// Why drawn schedules were passed over.
struct Refusals {
  int drawn = 0;
  std::map<std::string, int> reasons;

  int count() const;
};

/// The plain nest of every algorithm, which must compile (else std::runtime_error), the model's
/// first choice and `random` more of its space, one of them of the last algorithm. `seed` fixes the
/// draw. Schedules that are infeasible are counted and drawn again, up to 20 times each.
std::vector<Candidate> candidates(const frontend::Workload& workload, const target::Target& target,
                                  int random, unsigned seed, Refusals& refusals);

/// The integer data that a worker puts into the argument at `position`, `count` elements.
template <typename T>
std::vector<T> operand(int64_t count, int position);

/// Output of one run in plain layout, or the verdict and its reason.
struct Outcome {
  std::string failure;
  std::vector<double> output;
};
/// One thread and `threads` threads; the output is the latter's.
Outcome run(const frontend::Workload& workload, const Candidate& candidate,
            const target::Target& target, int threads);

/// Empty when equal, else the first difference.
std::string difference(const std::vector<double>& found, const std::vector<double>& expected);

}  // namespace swgen::numeric
