// SPDX-License-Identifier: Apache-2.0
// Assembly text of a computing core -> instructions. Reads what sw5as reads of kernels: instructions of
// isa.h, labels, comments (#, //, /* */), and directives, which say nothing about time and are skipped.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "isa.h"

namespace swgen::sim {

/// What is wrong, with its place: "file:line: error: found ..., expected ...".
class SimError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Assembly {
  std::string file;
  std::vector<Instruction> instructions;
  std::map<std::string, int> labels;  // position of the instruction that follows

  /// "file:line".
  std::string place(int position) const;
};

/// Throws SimError that lists every line that is wrong: an unknown instruction or directive, wrong operands, a label that
/// is missing or stands twice.
Assembly assemble(const std::string& file, const std::string& text);

}  // namespace swgen::sim
