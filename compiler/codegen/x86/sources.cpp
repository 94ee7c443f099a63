// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/x86/sources.h"

#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/codegen/interface.h"
#include "compiler/codegen/x86/kernel.h"

namespace swgen::codegen::x86 {

using base::cat;

namespace {

std::string features(const std::string& level) {
  if (level == "avx512")
    return "__builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512vl\") && "
           "__builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512bw\")";
  if (level == "avx2") return "__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")";
  return "false";
}

/// Uniform entries for a measuring worker, which knows tensors by position.
std::string entry_text(const SourceBundle& b, const std::string& type) {
  std::string args, text;
  for (size_t i = 0; i < b.arguments.size(); ++i)
    args += cat("(", type, "*)tensors[", i, "], ");
  text = cat("\nextern \"C\" void candidate_run(void** tensors, void* workspace, const long* begin,\n",
             "                              const long* end, int threads) {\n  run(", args,
             "workspace, begin, end, threads);\n}\n");
  for (const Argument& a : b.arguments)
    if (a.prepacked)
      text += cat("extern \"C\" void candidate_pack(const void* from, void* to) { pack_", a.name, "((const ",
                  type, "*)from, (", type, "*)to); }\n");
  return text;
}

}  // namespace

std::string isa_flags(const std::string& level) {
  if (level == "avx512") return "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma";
  if (level == "avx2") return "-mavx2 -mfma";
  return "";
}

SourceBundle make_sources(const ir::Program& program, const target::Target& target,
                          const Provenance& provenance, const ir::Seed& reference) {
  SourceBundle b;
  b.symbol = "swgen_" + base::identifier(provenance.workload_name);
  b.dtype = program.seed.dtype;
  const std::string type = type_name(b.dtype);
  const std::string kernel = kernel_text(program, target, reference, b);
  const std::string& S = b.symbol;
  const std::string note = provenance_comment(provenance);
  const std::string native = target.level == "generic" ? "portable" : target.level;

  std::string params, args, launch, declare, not_null;
  for (const Argument& a : b.arguments) {
    const std::string c = a.role == ir::Role::output ? "" : "const ";
    params += cat(c, type, "* ", a.name, ", ");
    args += a.name + ", ";
    launch += cat("t->", a.name, ", ");
    not_null += cat(not_null.empty() ? "" : " && ", "args->", a.name, " != nullptr");
  }
  std::vector<std::string> isas = {"portable"};
  if (native != "portable") isas.insert(isas.begin(), native);
  for (const std::string& isa : isas)
    declare += cat("void ", S, "_kernel_", isa, "(", params, "void* workspace,\n    const long* begin, const long* end, int threads);\n");
  std::string pack;
  for (const Argument& a : b.arguments)
    if (a.prepacked) {
      pack = cat("\nextern \"C\" void SWGEN_ISA(", S, "_pack)(const ", type, "* ", a.name, ", ", type,
                 "* packed) {\n  pack_", a.name, "(", a.name, ", packed);\n}");
      declare += cat("void ", S, "_pack_portable(const ", type, "* ", a.name, ", ", type, "* packed);\n");
    }
  if (!declare.empty()) declare.pop_back();

  const Argument& out = b.arguments.back();
  const std::string rank = std::to_string(out.extents.size());
  const bool numbered = kernel.find("omp_get_thread_num") != std::string::npos;
  const std::string threads = numbered ? "#ifdef _OPENMP\nextern \"C\" int omp_get_thread_num(void);\n#endif\n\n" : "";
  const std::string kernel_file = from_template(
      "x86/kernel.inc.in", {{"PROVENANCE", note}, {"KERNEL", kernel}, {"DECLARE", threads}, {"SYMBOL", S}, {"PARAMS", params},
                            {"ARGS", args}, {"PACK", pack}});
  b.files.push_back({"include/" + S + ".h", header_text(b, provenance,
                                                        "All functions are reentrant: threads may call\n// them at once with workspaces of their own.",
                                                        "threads < 1"), ""});
  b.files.push_back({"src/" + S + "_kernel.inc", kernel_file, ""});
  for (const std::string& isa : isas)
    b.files.push_back({cat("src/", S, "_", isa, ".cpp"),
                       from_template("x86/variant.cpp.in", {{"PROVENANCE", note}, {"ISA", isa}, {"SYMBOL", S}}), isa_flags(isa)});
  b.files.push_back({cat("src/", S, ".cpp"),
                     from_template("x86/dispatch.cpp.in",
                                   {{"PROVENANCE", note}, {"SYMBOL", S}, {"DECLARE", declare}, {"RANK", rank},
                                    {"EXTENTS", base::join(out.extents, ", ")}, {"GRAIN", base::join(b.grain, ", ")},
                                    {"FEATURES", features(target.level)}, {"NOTNULL", not_null},
                                    {"ISA", native}, {"LAUNCH", launch},
                                    {"SHARED_BYTES", std::to_string(b.shared_bytes)},
                                    {"THREAD_BYTES", std::to_string(b.workspace_bytes)},
                                    {"EXTRA", reorder_functions(b, S + "_pack_portable")}}), ""});
  b.files.push_back({cat("test/", S, "_selftest.cpp"), selftest_text(b, provenance, reference, 2, "", ""), ""});
  b.candidate = "#define SWGEN_ISA(name) name##_candidate\n" + kernel_file + entry_text(b, type);
  return b;
}

}  // namespace swgen::codegen::x86
