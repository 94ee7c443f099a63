// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/count.h"

#include <stdexcept>

namespace swgen::fuzz {
namespace {

using namespace ir;

class Counter {
 public:
  explicit Counter(const Program& program) : program_(program) {}

  void body(const std::vector<Stmt>& statements) {
    for (const Stmt& s : statements) {
      if (const auto* block = s.as<Block>()) body(block->body);
      if (const auto* loop = s.as<For>()) {
        const int64_t begin = loop->begin.evaluate(env_), end = loop->end.evaluate(env_);
        for (int64_t i = begin; i < end; ++i) {
          env_[loop->var] = i;
          body(loop->body);
        }
        env_.erase(loop->var);
      }
      if (const auto* t = s.as<Transfer>()) transfer(*t);
      if (const auto* g = s.as<Gemm>()) gemm(*g);
      if (s.as<Staged>() != nullptr) throw std::runtime_error("a staging mark is left over");
    }
  }

  Counted result() const { return counted_; }

 private:
  void transfer(const Transfer& t) {
    const int buffer = t.to.buffer >= 0 ? t.to.buffer : t.from.buffer;
    if (buffer < 0) {
      counted_.gather_points += points(t.loops, 0);
      return;
    }
    ++counted_.transfers;
    counted_.transfer_bytes += program_.buffers[buffer].elements * size_of(program_.seed.dtype);
  }

  void gemm(const Gemm& g) {
    std::vector<Tile> tiles = g.m;
    tiles.insert(tiles.end(), g.n.begin(), g.n.end());
    tiles.insert(tiles.end(), g.k.begin(), g.k.end());
    guards_ = g.guards;
    counted_.multiply_adds += points(tiles, 0);
    guards_.clear();
  }

  /// Points of a nest of tiles inside of all guards; only tiles that guards or later bounds use are
  /// walked.
  int64_t points(const std::vector<Tile>& tiles, size_t at) {
    if (at == tiles.size()) {
      for (const Guard& g : guards_) {
        const int64_t value = Expr::from(g.value).evaluate(env_);
        if (value < 0 || value >= g.extent) return 0;
      }
      return 1;
    }
    const int64_t begin = tiles[at].begin.evaluate(env_), end = tiles[at].end.evaluate(env_);
    bool used = false;
    for (size_t later = at + 1; later < tiles.size(); ++later)
      used |= tiles[later].begin.uses(tiles[at].name) || tiles[later].end.uses(tiles[at].name);
    for (const Guard& g : guards_) used |= g.value.uses(tiles[at].name);
    if (end <= begin) return 0;
    if (!used) return (end - begin) * points(tiles, at + 1);
    int64_t sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      env_[tiles[at].name] = i;
      sum += points(tiles, at + 1);
    }
    env_.erase(tiles[at].name);
    return sum;
  }

  const Program& program_;
  std::map<std::string, int64_t> env_;
  std::vector<Guard> guards_;
  Counted counted_;
};

}  // namespace

Counted count(const Program& program) {
  Counter counter(program);
  for (const StageProgram& stage : program.stages) counter.body(stage.body);
  return counter.result();
}

}  // namespace swgen::fuzz
