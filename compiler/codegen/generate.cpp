// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/generate.h"

#include "compiler/base/error.h"
#include "compiler/codegen/sw26010/sources.h"
#include "compiler/codegen/x86/sources.h"

namespace swgen::codegen {

SourceBundle generate(const ir::Program& program, const target::Target& target,
                      const Provenance& provenance, const ir::Seed& reference) {
  if (target.name == "x86") return x86::make_sources(program, target, provenance, reference);
  if (target.name == "sw26010") return sw26010::make_sources(program, target, provenance, reference);
  throw base::InternalError("no code generator for target " + target.name);
}

}  // namespace swgen::codegen
