// SPDX-License-Identifier: Apache-2.0
#include "tuner/space/sketch.h"

namespace swgen::tuner {

void Sketch::split(const std::string& part, const std::string& outer, const std::string& inner, int64_t factor) {
  splits_.push_back({stage_, "split", {part, outer, inner, std::to_string(factor)}});
}

void Sketch::tensorize(const std::string& part, const char* dim) {
  tensorize_.push_back({stage_, "tensorize", {part, dim}});
  tiles_.push_back(part);
}

void Sketch::stage(const std::string& tensor, const std::string& at, const std::string& layout, int copies) {
  stages_.push_back({stage_, "stage", {tensor, at, layout, std::to_string(copies)}});
}

void Sketch::parallel(const std::vector<std::string>& parts) { parallel_.push_back({stage_, "parallel", parts}); }

void Sketch::vectorize(const char* dim) { vectorize_.push_back({stage_, "vectorize", {dim}}); }

Candidate Sketch::candidate(const ir::Seed& seed, const std::vector<schedule::Step>& layouts,
                            std::vector<int64_t> choices) const {
  std::vector<std::string> order = loops_;
  order.insert(order.end(), tiles_.begin(), tiles_.end());
  Candidate out;
  out.choices = std::move(choices);
  std::vector<schedule::Step>& steps = out.schedule.steps;
  steps.push_back({"", "algo", {seed.algorithm}});
  steps.insert(steps.end(), layouts.begin(), layouts.end());
  steps.insert(steps.end(), splits_.begin(), splits_.end());
  steps.push_back({stage_, "reorder", order});
  for (const auto* list : {&tensorize_, &stages_, &vectorize_, &parallel_}) steps.insert(steps.end(), list->begin(), list->end());
  return out;
}

}  // namespace swgen::tuner
