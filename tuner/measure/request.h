// SPDX-License-Identifier: Apache-2.0
// What a measuring worker is asked and what it answers; one JSON line each over a pipe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/codegen/bundle.h"
#include "compiler/ir/seed.h"

namespace swgen::tuner {

struct MeasureRequest {
  codegen::SourceBundle bundle;  // candidate text, arguments, workspace
  ir::Seed reference;            // its only stage is the contraction that says what is right
  std::string level;             // instruction set of the candidate
  std::string compiler;          // "" = the built-in one; else a command that compiles C++
  int threads = 1;
  bool time = true;              // false: check only
  double least_seconds = 0.05;   // timed runs go on until both are reached
  int least_runs = 5;
  std::string expected_digest;   // of an output that was compared; the same digest needs no comparison
  std::string output_file;       // "" = none; else the output goes there: raw elements, plain layout
};

struct MeasureReply {
  std::string verdict;  // tuning_db's texts: ok, wrong, build_failed, ...
  std::string reason;
  std::string digest;   // of the whole output on integer data; equal for all right candidates
  std::vector<double> samples;  // seconds
  double pack_seconds = 0;
  double compile_seconds = 0;
};

std::string to_json(const MeasureRequest& request);
std::string to_json(const MeasureReply& reply);

/// nullopt when the text is not such an object.
std::optional<MeasureRequest> parse_request(const std::string& text);
std::optional<MeasureReply> parse_reply(const std::string& text);

}  // namespace swgen::tuner
