// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/primitives.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "compiler/base/text.h"
#include "compiler/codegen/interface.h"
#include "compiler/codegen/sw26010/convert_assembly.h"
#include "compiler/codegen/sw26010/gemm_assembly.h"

namespace swgen::codegen::sw26010 {

using base::cat;

namespace {

/// The machine's assembler wants short names: eight digits of the kernel's (FNV-1a) keep packages apart.
std::string short_prefix(const std::string& symbol) {
  uint32_t hash = 2166136261U;
  for (const char c : symbol) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  char text[16];
  std::snprintf(text, sizeof text, "sg%08x", hash);
  return text;
}

}  // namespace

std::vector<SourceFile> primitive_files(const std::string& symbol, const std::string& note, ir::DType dtype, ir::Lanes lanes) {
  const bool n = lanes == ir::Lanes::n;
  const std::string type = type_name(dtype), prefix = short_prefix(symbol), file = "slave/" + symbol + "_primitives";
  std::string guard = symbol + "_PRIMITIVES_H";
  std::transform(guard.begin(), guard.end(), guard.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string assembly =
      cat("/* SPDX-License-Identifier: Apache-2.0 */\n", note, "/* Work on tiles in scratch; ", symbol, "_primitives.h tells what each does. */\n\n",
          gemm_assembly(prefix + "_add", {n, false}), "\n", gemm_assembly(prefix + "_set", {n, true}), "\n",
          convert_assembly(prefix + "_spread", {dtype, ir::DType::f64, false}), "\n", convert_assembly(prefix + "_gather", {ir::DType::f64, dtype, false}),
          "\n", convert_assembly(prefix + "_sturn", {dtype, ir::DType::f64, true}), "\n",
          convert_assembly(prefix + "_gturn", {ir::DType::f64, dtype, true}));
  return {{file + ".h",
           from_template("sw26010/primitives.h.in", {{"PROVENANCE", note}, {"SYMBOL", symbol}, {"GUARD", guard}, {"PREFIX", prefix}, {"TYPE", type},
                                                     {"C_ORDER", n ? "m][n" : "n][m"}, {"LANES", n ? "n" : "m"}, {"OTHER", n ? "m" : "n"}}),
           ""},
          {file + ".c",
           from_template("sw26010/primitives.c.in", {{"PROVENANCE", note}, {"SYMBOL", symbol}, {"TYPE", type},
                                                     {"GEMM", from_fragment(n ? "sw26010/gemm_lanes_n.c.in" : "sw26010/gemm_lanes_m.c.in", {})}}),
           ""},
          {file + ".S", assembly, ""}};
}

}  // namespace swgen::codegen::sw26010
