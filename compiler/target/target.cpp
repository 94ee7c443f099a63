// SPDX-License-Identifier: Apache-2.0
#include "compiler/target/target.h"

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/target/targets.h"

namespace swgen::target {

std::vector<std::string> target_names() {
  return {"x86", "x86-avx512", "x86-avx2", "x86-generic", "sw26010"};
}

Target find_target(const std::string& name) {
  if (name == "x86") return x86(best_x86_level());
  if (name == "x86-avx512" || name == "x86-avx2" || name == "x86-generic") return x86(name.substr(4));
  if (name == "sw26010") return sw26010();
  throw base::UserError("found target '" + name + "', expected one of " +
                        base::join(target_names(), ", "));
}

std::string fingerprint(const Target& t) {
  std::string text = base::cat("target=", t.name, " level=", t.level, " vector_bytes=", t.vector_bytes,
                               " registers=", t.vector_registers);
  if (t.has_scratch)
    return base::cat(text, " mesh=", t.mesh_rows, 'x', t.mesh_cols, " scratch=", t.scratch_bytes,
                     " clock_ghz=", t.clock_ghz);
  return base::cat(text, " caches=", base::join(t.cache_bytes, ","), " cpu=", cpu_model());
}

}  // namespace swgen::target
