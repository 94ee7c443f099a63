// SPDX-License-Identifier: Apache-2.0
// Content keys: SHA-256 of the canonical texts that are stored beside them.
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include "tuner/measure/calibrate.h"
#include "tuner/tune.h"

namespace swgen::tuner {
namespace {

std::string sha256_hex(const std::string& text) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(text));
  return llvm::toHex(hash.final(), true);
}

}  // namespace

tuning_db::WorkloadRow workload_row(const frontend::Workload& workload) {
  const std::string canonical = frontend::canonical_text(workload);
  return {sha256_hex(canonical), workload.name, workload.op, canonical};
}

tuning_db::TargetRow target_row(const target::Target& target, const std::string& compiler) {
  std::string fingerprint = target::fingerprint(target);
  if (!target.has_scratch) fingerprint += " compiler=" + (compiler.empty() ? "clang-14-jit" : compiler);
  return {sha256_hex(target.name + "\n" + target.level + "\n" + fingerprint), target.name, target.level,
          fingerprint};
}

std::string calibration_key(const target::Target& target) { return "calibration " + target_row(target, "").key; }

target::Target planned_target(const target::Target& target, const tuning_db::Database& db) {
  const auto text = db.get_value(calibration_key(target));
  const auto calibration = text ? parse_calibration(*text) : std::nullopt;
  return calibration ? calibration->apply(target) : target;
}

}  // namespace swgen::tuner
