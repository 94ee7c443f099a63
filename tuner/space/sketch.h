// SPDX-License-Identifier: Apache-2.0
// Collects the steps of one candidate in any order and gives them in a schedule's order.
#pragma once

#include <string>
#include <vector>

#include "tuner/space/space.h"

namespace swgen::tuner {

class Sketch {
 public:
  /// `stage`: prefix of the steps, "" in seeds of one stage.
  explicit Sketch(std::string stage) : stage_(std::move(stage)) {}

  void split(const std::string& part, const std::string& outer, const std::string& inner, int64_t factor);
  void tensorize(const std::string& part, const char* dim);
  /// Appends a loop; outer before inner.
  void loop(const std::string& part) { loops_.push_back(part); }
  void stage(const std::string& tensor, const std::string& at, const std::string& layout, int copies);
  void parallel(const std::vector<std::string>& parts);
  void vectorize(const char* dim);

  const std::vector<std::string>& loops() const { return loops_; }
  /// The candidate for the algorithm of `seed`, with `layouts` before the collected steps.
  Candidate candidate(const ir::Seed& seed, const std::vector<schedule::Step>& layouts, std::vector<int64_t> choices) const;

 private:
  std::string stage_;
  std::vector<schedule::Step> splits_, tensorize_, stages_, vectorize_, parallel_;
  std::vector<std::string> loops_, tiles_;
};

}  // namespace swgen::tuner
