// SPDX-License-Identifier: Apache-2.0
// A peer process that answers lines. It ends with its object.
#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace swgen::bench {

/// A peer that ended, kept silent or answered with an error.
struct PeerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Child {
 public:
  /// Starts argv[0], a path, without the environment variables that steer the libraries
  /// (README.md).
  explicit Child(const std::vector<std::string>& argv);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The next line, without its end. Throws PeerError.
  std::string read_line();
  /// Sends a line and reads the answer. Throws PeerError, also on an answer `error ...`.
  std::string ask(const std::string& line);
  pid_t pid() const { return pid_; }

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;
  std::string buffer_;
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace swgen::bench
