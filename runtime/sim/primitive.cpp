// SPDX-License-Identifier: Apache-2.0
#include "primitive.h"

#include <memory>

#include "mesh.h"

namespace swgen::sim {
namespace {

constexpr int kFirstArgument = 16, kStackPointer = 30;
constexpr std::int64_t kStack = 1024;  // bytes at the start of the scratchpad

}  // namespace

std::int64_t Primitive::cycles(const std::vector<std::int64_t>& arguments) {
  const auto [found, fresh] = known_.try_emplace(arguments, 0);
  if (!fresh) return found->second;
  const auto mesh = std::make_unique<Mesh>(program_);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      auto& registers = mesh->core(row, column).registers;
      for (std::size_t i = 0; i < arguments.size(); ++i) registers[kFirstArgument + i] = Register::of(arguments[i]);
      registers[kStackPointer] = Register::of(kStack);
    }
  return found->second = mesh->run(name_);
}

}  // namespace swgen::sim
