// SPDX-License-Identifier: Apache-2.0
// Cycles of an assembly function on the mesh, by its arguments; each combination is run once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assembly.h"

namespace swgen::sim {

class Primitive {
 public:
  /// `text` defines the function `name`; see assemble().
  Primitive(const std::string& name, const std::string& text) : name_(name), program_(assemble(name + ".S", text)) {}

  /// Of a call with `arguments` in $16 and following, the same on all 64 cores. Time does not depend on what scratchpads
  /// hold, so pointers may stand for the same place.
  std::int64_t cycles(const std::vector<std::int64_t>& arguments);

 private:
  std::string name_;
  Assembly program_;
  std::map<std::vector<std::int64_t>, std::int64_t> known_;
};

}  // namespace swgen::sim
