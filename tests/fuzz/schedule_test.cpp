// SPDX-License-Identifier: Apache-2.0
// Schedule texts: printing and parsing are inverse, and a damaged text is refused or compiled, with
// an error of the user's or a reason, never with a bug of ours.
#include <gtest/gtest.h>

#include <random>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/compile.h"
#include "tests/fuzz/spaces.h"

namespace swgen::fuzz {
namespace {

using schedule::Schedule;

TEST(ScheduleText, ParseIsTheInverseOfPrint) {
  int checked = 0;
  for (const std::string& name : kTargets) {
    const target::Target target = target::find_target(name);
    for (const frontend::Workload& workload : workloads())
      for (const Schedule& s : draw(workload, target, 10, 7)) {
        const std::string text = schedule::to_text(s);
        const Schedule read = schedule::parse(text);
        ASSERT_EQ(schedule::to_text(read), text);
        // What was built in another order than the canonical one is equal once it is printed.
        ASSERT_TRUE(schedule::parse(schedule::to_text(read)) == read) << text;
        ++checked;
      }
  }
  EXPECT_GE(checked, 900);
}

/// Steps of every kind with random names and numbers, in random order.
TEST(ScheduleText, PrintsStepsInCanonicalOrder) {
  std::mt19937 random(11);
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[random() % from.size()];
  };
  for (int i = 0; i < 500; ++i) {
    Schedule s;
    for (int step = 0; step < 6; ++step) {
      const schedule::StepKind& kind =
          schedule::step_kinds()[random() % schedule::step_kinds().size()];
      std::vector<std::string> args(kind.least + random() % 2 * (kind.most > kind.least));
      for (std::string& arg : args) arg = pick({"a", "xo", "N", "12", "nChw16c", "root", "0"});
      const std::string stage = pick({"", "gemm", "im2col"});
      const std::string name = kind.name;
      const bool once = name == "algo" || name == "reorder" || name == "vectorize";
      const bool again = once && std::any_of(s.steps.begin(), s.steps.end(),
                                             [&](const schedule::Step& other) { return other.stage == stage && other.name == name; });
      if (!again) s.steps.push_back({stage, name, args});
    }
    const std::string text = schedule::to_text(s);
    EXPECT_EQ(schedule::to_text(schedule::parse(text)), text);
    EXPECT_EQ(schedule::parse(text).steps.size(), s.steps.size()) << text;
  }
}

/// One small damage: a character, a word, an argument.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (unsigned i = 0, n = 1 + random_() % 3; i < n; ++i) text = once(text);
    return text;
  }

 private:
  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }

  std::string once(std::string text) {
    std::vector<std::string> words = base::split(text, ' ');
    switch (random_() % 7) {
      case 0:
        text.erase(below(text.size()), 1);
        return text;
      case 1:
        text.insert(below(text.size() + 1), 1, kCharacters[below(sizeof kCharacters - 1)]);
        return text;
      case 2:
        words.erase(words.begin() + below(words.size()));
        break;
      case 3:
        words.insert(words.begin() + below(words.size()), words[below(words.size())]);
        break;
      case 4:
        std::swap(words[below(words.size())], words[below(words.size())]);
        break;
      case 5:
        exchange_argument(words);
        break;
      default:
        replace_number(words);
        break;
    }
    return base::join(words, " ");
  }

  /// An argument takes the place of another one, perhaps of another step.
  void exchange_argument(std::vector<std::string>& words) {
    std::string &to = words[below(words.size())], from = words[below(words.size())];
    if (to.empty() || from.empty() || to.back() != ')' || from.back() != ')') return;
    const auto [to_open, to_args] = take_apart(to);
    const auto [from_open, from_args] = take_apart(from);
    std::vector<std::string> args = to_args;
    args[below(args.size())] = from_args[below(from_args.size())];
    to = to_open + "(" + base::join(args, ",") + ")";
  }

  static std::pair<std::string, std::vector<std::string>> take_apart(const std::string& word) {
    const size_t open = std::min(word.find('('), word.size() - 1);
    return {word.substr(0, open), base::split(word.substr(open + 1, word.size() - open - 2), ',')};
  }

  void replace_number(std::vector<std::string>& words) {
    std::string& word = words[below(words.size())];
    const size_t digit = word.find_last_of("0123456789");
    if (digit == std::string::npos) return;
    const size_t begin = word.find_last_not_of("0123456789", digit) + 1;
    static const std::vector<std::string> numbers = {"0",  "1",    "2",         "3",  "7",
                                                     "64", "1000", "999999999", "-1", ""};
    word.replace(begin, digit + 1 - begin, numbers[below(numbers.size())]);
  }

  static constexpr char kCharacters[] = "(),. aXW0123456789-_\t\x7f";
  std::mt19937 random_;
};

TEST(ScheduleText, DamagedTextsAreRefusedOrCompiled) {
  int refused = 0, infeasible = 0, compiled = 0;
  const std::vector<frontend::Workload> shapes = workloads();
  Mutator mutator(5);
  for (int i = 0; i < 400; ++i) {
    const frontend::Workload& workload = shapes[i % shapes.size()];
    const target::Target target =
        target::find_target(kTargets[i / shapes.size() % kTargets.size()]);
    const auto drawn = draw(workload, target, 1, 100 + i);
    const std::string text = mutator.mutate(drawn.empty() ? "algo(direct) split(m,mo,mt,4)"
                                                          : schedule::to_text(drawn[0]));
    SCOPED_TRACE(workload.name + " on " + target.name + " schedule \"" + text + '"');
    try {
      const Compiled result = compile(workload, schedule::parse(text), target);
      ++(result.bundle ? compiled : infeasible);
      EXPECT_NE(result.bundle.has_value(), !result.infeasible.empty());
    } catch (const base::UserError& e) {
      ++refused;
      EXPECT_EQ(std::string(e.what()).rfind("schedule:", 0), 0u) << e.what();
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
  // All three ways out are taken.
  EXPECT_GE(refused, 30);
  EXPECT_GE(infeasible, 30);
  EXPECT_GE(compiled, 30);
  RecordProperty("refused", refused);
  RecordProperty("infeasible", infeasible);
  RecordProperty("compiled", compiled);
}

}  // namespace
}  // namespace swgen::fuzz
