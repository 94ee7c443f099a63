// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/schedule/schedule.h"

namespace swgen::schedule {
namespace {

int rank_of(const std::string& name) {
  const auto& kinds = step_kinds();
  for (size_t i = 0; i < kinds.size(); ++i)
    if (name == kinds[i].name) return static_cast<int>(i);
  return -1;
}

[[noreturn]] void refuse(size_t column, const std::string& what) {
  throw base::UserError(base::cat("schedule:", column + 1, ": ", what));
}

Step parse_step(const std::string& word, size_t column) {
  const size_t open = word.find('(');
  if (open == std::string::npos || word.back() != ')')
    refuse(column, "found '" + word + "', expected name(arg,...)");
  Step step;
  step.name = word.substr(0, open);
  const size_t dot = step.name.find('.');
  if (dot != std::string::npos) {
    step.stage = step.name.substr(0, dot);
    step.name = step.name.substr(dot + 1);
  }
  const int rank = rank_of(step.name);
  if (rank < 0) {
    std::vector<std::string> names;
    for (const StepKind& kind : step_kinds()) names.push_back(kind.name);
    refuse(column, "found step '" + step.name + "', expected one of " + base::join(names, ", "));
  }
  step.args = base::split(word.substr(open + 1, word.size() - open - 2), ',');
  const StepKind& kind = step_kinds()[rank];
  const int count = static_cast<int>(step.args.size());
  if (count < kind.least || count > kind.most ||
      std::count(step.args.begin(), step.args.end(), "") > 0)
    refuse(column, base::cat("found '", word, "', expected ", kind.name, '(', kind.args, ')'));
  return step;
}

}  // namespace

const std::vector<StepKind>& step_kinds() {
  static const std::vector<StepKind> kinds = {
      {"algo", "name", 1, 1, "which of the operator's seeds is computed"},
      {"layout", "tensor,layout", 2, 2, "memory layout of a tensor whose layout is free"},
      {"split", "part,outer,inner,factor", 4, 4, "part = outer * factor + inner"},
      {"reorder", "part,...", 1, 64, "all loops, outer to inner"},
      {"tensorize", "part,M|N|K", 2, 2, "moves a part into the GEMM primitive, outer to inner"},
      {"stage", "tensor,at,layout,copies", 4, 4, "copies the tile used below loop `at` (or root)"},
      {"vectorize", "M|N|K", 1, 1, "dimension of the primitive that sits in the vector lanes"},
      {"parallel", "part,...", 1, 8, "neighbouring loops shared by the threads; what stands above, each does"},
  };
  return kinds;
}

std::string Schedule::algorithm(const std::string& otherwise) const {
  for (const Step& step : steps)
    if (step.name == "algo") return step.args[0];
  return otherwise;
}

Schedule canonical(const Schedule& schedule) {
  Schedule sorted = schedule;
  std::stable_sort(sorted.steps.begin(), sorted.steps.end(), [](const Step& a, const Step& b) {
    return std::make_tuple(a.name != "algo", a.stage, rank_of(a.name)) <
           std::make_tuple(b.name != "algo", b.stage, rank_of(b.name));
  });
  return sorted;
}

std::string to_text(const Schedule& schedule) {
  std::vector<std::string> words;
  for (const Step& step : canonical(schedule).steps)
    words.push_back((step.stage.empty() ? "" : step.stage + ".") + step.name + '(' +
                    base::join(step.args, ",") + ')');
  return base::join(words, " ");
}

Schedule parse(const std::string& text) {
  Schedule schedule;
  if (text.empty()) return schedule;
  size_t column = 0;
  for (const std::string& word : base::split(text, ' ')) {
    if (word.empty()) refuse(column, "found a blank, expected steps separated by one space");
    const Step step = parse_step(word, column);
    for (const Step& other : schedule.steps)
      if (other.stage == step.stage && other.name == step.name && (step.name == "algo" || step.name == "reorder" || step.name == "vectorize"))
        refuse(column, "found '" + step.name + "' again, expected it once");
    schedule.steps.push_back(step);
    column += word.size() + 1;
  }
  return schedule;
}

}  // namespace swgen::schedule
