// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/x86/sources.h"

#include <algorithm>

#include "compiler/base/text.h"
#include "compiler/codegen/x86/kernel.h"

namespace swgen::codegen::x86 {

using base::cat;

namespace {

std::string list(const std::vector<int64_t>& values) { return base::join(values, ", "); }

std::string describe(const Argument& a, const std::string& type) {
  std::string text = cat("//   ", a.name, ": ");
  if (a.prepacked)
    return text + cat("packed by _prepack, ", a.packed_elements, " elements; from ",
                      base::join(a.dims, ","), " = ", base::join(a.extents, " x "), "\n");
  return text + cat(a.role == ir::Role::output ? "output " : "", base::join(a.dims, ","), " = ",
                    base::join(a.extents, " x "),
                    a.layout.blocked() || a.layout.text(a.dims) != base::join(a.dims, "")
                        ? ", layout " + a.layout.text(a.dims)
                        : "",
                    ", ", a.elements, " elements of ", type, "\n");
}

bool own_layout(const Argument& a) {
  return a.layout.levels.size() != a.dims.size() || a.layout.text(a.dims) != base::join(a.dims, "");
}

std::string extra_header(const SourceBundle& b, const std::string& type) {
  std::string text;
  for (const Argument& a : b.arguments) {
    if (a.prepacked)
      text += cat("\n/// Size of ", a.name, " in packed form, and the function that packs it; once per set of weights.\n",
                  "size_t ", b.symbol, "_prepacked_bytes(void);\n", "void ", b.symbol, "_prepack(const ",
                  type, "* ", a.name, ", ", type, "* packed);\n");
    else if (own_layout(a) && a.role == ir::Role::output)
      text += cat("\n/// ", a.name, " from the kernel's layout ", a.layout.text(a.dims), " to plain ", base::join(a.dims, ""),
                  ".\nvoid ", b.symbol, "_restore_", a.name, "(const ", type, "* own, ", type, "* plain);\n");
    else if (own_layout(a))
      text += cat("\n/// ", a.name, " from plain ", base::join(a.dims, ""), " to the kernel's layout ",
                  a.layout.text(a.dims), ".\nvoid ", b.symbol, "_reorder_", a.name, "(const ", type,
                  "* plain, ", type, "* own);\n");
  }
  return text;
}

std::string extra_source(const SourceBundle& b, const std::string& type) {
  std::string text;
  for (const Argument& a : b.arguments) {
    if (a.prepacked)
      text += cat("\nextern \"C\" size_t ", b.symbol, "_prepacked_bytes(void) { return ", a.packed_elements,
                  "u * sizeof(", type, "); }\n\nextern \"C\" void ", b.symbol, "_prepack(const ", type, "* ",
                  a.name, ", ", type, "* packed) {\n  ", b.symbol, "_pack_portable(", a.name, ", packed);\n}\n");
    else if (own_layout(a))
      text += "\n" + reorder_text(a, cat(b.symbol, a.role == ir::Role::output ? "_restore_" : "_reorder_", a.name),
                                  type, a.role == ir::Role::output);
  }
  return text;
}

std::string features(const std::string& level) {
  if (level == "avx512")
    return "__builtin_cpu_supports(\"avx512f\") && __builtin_cpu_supports(\"avx512vl\") && "
           "__builtin_cpu_supports(\"avx512dq\") && __builtin_cpu_supports(\"avx512bw\")";
  if (level == "avx2") return "__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")";
  return "false";
}

std::string selftest_body(const SourceBundle& b) {
  std::string body, refs, sets;
  unsigned seed = 1;
  for (const Argument& a : b.arguments) {
    int64_t plain = 1;
    for (int64_t e : a.extents) plain *= e;
    if (a.role == ir::Role::output) {
      body += cat("  std::vector<T> ", a.name, "(", a.elements, ", std::numeric_limits<T>::quiet_NaN());\n");
      sets += cat("  args.", a.name, " = ", a.name, ".data();\n");
      continue;
    }
    body += cat("  const std::vector<T> ", a.name, " = integers(", plain, ", ", seed++, ");\n");
    refs += cat(refs.empty() ? "" : ", ", a.name);
    std::string use = a.name;
    if (a.prepacked || own_layout(a)) {
      use += "_own";
      body += cat("  std::vector<T> ", use, "(", a.prepacked ? a.packed_elements : a.elements, ");\n  ",
                  b.symbol, a.prepacked ? "_prepack(" : "_reorder_" + a.name + "(", a.name, ".data(), ", use,
                  ".data());\n");
    }
    sets += cat("  args.", a.name, " = ", use, ".data();\n");
  }
  const Argument& out = b.arguments.back();
  body += cat("  std::vector<char> workspace(", b.symbol, "_workspace_bytes(2) + 64);\n  ", b.symbol,
              "_args args;\n", sets,
              "  args.workspace = workspace.data() + 64 - reinterpret_cast<size_t>(workspace.data()) % 64;\n",
              "  const std::vector<T> expected = reference(", refs, ");\n",
              "  for (int threads = 1; threads <= 2; ++threads) {\n    if (", b.symbol,
              "_run(&args, threads) != 0) return 1;\n");
  if (own_layout(out))
    body += cat("    std::vector<T> found(expected.size());\n    ", b.symbol, "_restore_", out.name, "(",
                out.name, ".data(), found.data());\n");
  else
    body += cat("    const std::vector<T>& found = ", out.name, ";\n");
  body += cat("    for (size_t i = 0; i < expected.size(); ++i)\n      if (!(found[i] == expected[i])) {\n",
              "        std::printf(\"", b.symbol,
              ": element %zu: found %g, expected %g\\n\", i, static_cast<double>(found[i]), "
              "static_cast<double>(expected[i]));\n        return 1;\n      }\n  }\n",
              "  std::printf(\"", b.symbol, ": %zu elements agree\\n\", expected.size());\n  return 0;");
  return body;
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
  const std::string type = b.dtype == ir::DType::f32 ? "float" : "double";
  const std::string kernel = kernel_text(program, target, b);
  const std::string& S = b.symbol;
  const std::string note = provenance_comment(provenance);
  const std::string native = target.level == "generic" ? "portable" : target.level;

  std::string tensors, members, params, args, launch, declare, not_null;
  for (const Argument& a : b.arguments) {
    const std::string c = a.role == ir::Role::output ? "" : "const ";
    tensors += describe(a, type);
    members += cat("  ", c, type, "* ", a.name, ";\n");
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
  std::string guard = S + "_H";
  std::transform(guard.begin(), guard.end(), guard.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string rank = std::to_string(out.extents.size());
  const std::string kernel_file = from_template(
      "x86/kernel.inc.in", {{"PROVENANCE", note}, {"KERNEL", kernel}, {"SYMBOL", S}, {"PARAMS", params},
                            {"ARGS", args}, {"PACK", pack}});
  b.files.push_back({"include/" + S + ".h",
                     from_template("x86/header.h.in",
                                   {{"PROVENANCE", note}, {"SUMMARY", provenance.summary}, {"TYPE", type},
                                    {"TENSORS", tensors}, {"OUT", out.name}, {"GUARD", guard}, {"SYMBOL", S},
                                    {"MEMBERS", members}, {"BOXDIMS", base::join(out.dims, ",")},
                                    {"GRAIN", list(b.grain)}, {"RANK", rank}, {"EXTRA", extra_header(b, type)}}), ""});
  b.files.push_back({"src/" + S + "_kernel.inc", kernel_file, ""});
  for (const std::string& isa : isas)
    b.files.push_back({cat("src/", S, "_", isa, ".cpp"),
                       from_template("x86/variant.cpp.in", {{"PROVENANCE", note}, {"ISA", isa}, {"SYMBOL", S}}), isa_flags(isa)});
  b.files.push_back({cat("src/", S, ".cpp"),
                     from_template("x86/dispatch.cpp.in",
                                   {{"PROVENANCE", note}, {"SYMBOL", S}, {"DECLARE", declare}, {"RANK", rank},
                                    {"EXTENTS", list(out.extents)}, {"GRAIN", list(b.grain)},
                                    {"FEATURES", features(target.level)}, {"NOTNULL", not_null},
                                    {"ISA", native}, {"LAUNCH", launch},
                                    {"SHARED_BYTES", std::to_string(b.shared_bytes)},
                                    {"THREAD_BYTES", std::to_string(b.workspace_bytes)},
                                    {"EXTRA", extra_source(b, type)}}), ""});
  b.files.push_back({cat("test/", S, "_selftest.cpp"),
                     from_template("x86/selftest.cpp.in",
                                   {{"PROVENANCE", note}, {"SYMBOL", S}, {"TYPE", type},
                                    {"REFERENCE", reference_text(reference)}, {"BODY", selftest_body(b)}}), ""});
  b.candidate = "#define SWGEN_ISA(name) name##_candidate\n" + kernel_file + entry_text(b, type);
  return b;
}

}  // namespace swgen::codegen::x86
