// SPDX-License-Identifier: Apache-2.0
// What compile() gives: sources as text, and the facts a caller of the kernel needs.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/program.h"

namespace swgen::codegen {

struct SourceFile {
  std::string path;   // relative to the package
  std::string text;
  std::string flags;  // compiler flags of this file alone
};

/// A tensor as the emitted function sees it.
struct Argument {
  std::string name;
  ir::Role role = ir::Role::input;
  std::vector<std::string> dims;
  std::vector<int64_t> extents;
  ir::TensorLayout layout;
  int64_t elements = 0;      // blocks of a blocked layout included
  bool prepacked = false;    // the function takes the packed form, of `packed_elements`
  int64_t packed_elements = 0;
};

/// The sources of one kernel.
struct SourceBundle {
  std::string symbol;   // prefix of every exported function, "swgen_..."
  ir::DType dtype = ir::DType::f32;
  std::vector<Argument> arguments;  // inputs and constants, then the output
  int64_t workspace_bytes = 0;      // per thread (x86)
  int64_t shared_bytes = 0;         // of intermediate tensors, whatever the threads
  std::vector<int64_t> grain;       // _run_box: multiples in each output dimension
  std::vector<SourceFile> files;
  /// The kernel alone as one translation unit without includes: what a tuner compiles.
  std::string candidate;
};

/// Facts that go into every emitted file.
struct Provenance {
  std::string workload_name;
  std::string workload;  // canonical text
  std::string schedule;
  std::string target;    // "x86 avx512"
  std::string summary;   // one sentence: what is computed
};

/// Text of a template with its placeholders filled.
std::string from_template(const std::string& path,
                          const std::vector<std::pair<std::string, std::string>>& values);

/// The same for a template that becomes part of a file, without the licence line: it stands at the top of that.
std::string from_fragment(const std::string& path, const std::vector<std::pair<std::string, std::string>>& values);

/// A function `reference` in C++ that computes seed.stages[0] in double precision with plain loops
/// over plain layouts; the oracle of the emitted self-test.
std::string reference_text(const ir::Seed& seed);

/// Functions between a plain tensor and the kernel's own layout: `reorder` (plain -> own, padding
/// of blocks zero) and `restore` (own -> plain).
std::string reorder_text(const Argument& a, const std::string& function, const std::string& type,
                         bool restore);

/// The arguments of a program in the order of the emitted function, with the extents of `reference`.
std::vector<Argument> arguments_of(const ir::Program& program, const ir::Seed& reference);

/// Comment lines naming workload, schedule, target and version.
std::string provenance_comment(const Provenance& provenance);

}  // namespace swgen::codegen
