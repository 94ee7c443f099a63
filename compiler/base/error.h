// SPDX-License-Identifier: Apache-2.0
// The two errors that travel as exceptions: a bug of ours, and a user's input that is refused.
#pragma once

#include <stdexcept>
#include <string>

namespace swgen::base {

/// A broken invariant of swgen itself (exit code 70).
class InternalError : public std::logic_error {
 public:
  explicit InternalError(const std::string& what) : std::logic_error("internal error: " + what) {}
};

/// Input or usage that is refused (exit code 2). The text says what was found and expected.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A schedule that a seed or target does not admit. Travels inside the compiler only: compile() turns
/// it into a value, so that a tuner can count reasons.
class Infeasible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool condition, const char* what) {
  if (!condition) throw InternalError(what);
}

}  // namespace swgen::base
