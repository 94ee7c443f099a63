// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/interface.h"

#include <algorithm>
#include <cctype>

#include "compiler/base/text.h"

namespace swgen::codegen {

using base::cat;

namespace {

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

std::string selftest_body(const SourceBundle& b, int max_threads, const std::string& before) {
  std::string body = before, refs, sets;
  unsigned seed = 1;
  for (const Argument& a : b.arguments) {
    int64_t plain = 1;
    for (int64_t e : a.extents) plain *= e;
    if (a.role == ir::Role::output) {
      body += cat("  std::vector<T> ", a.name, "(", a.elements, ", std::numeric_limits<T>::quiet_NaN());\n");
      sets += cat("  args.", a.name, " = &", a.name, "[0];\n");
      continue;
    }
    body += cat("  const std::vector<T> ", a.name, " = integers(", plain, ", ", seed++, ");\n");
    refs += cat(refs.empty() ? "" : ", ", a.name);
    std::string use = a.name;
    if (a.prepacked || own_layout(a)) {
      use += "_own";
      body += cat("  std::vector<T> ", use, "(", a.prepacked ? a.packed_elements : a.elements, ");\n  ",
                  b.symbol, a.prepacked ? "_prepack(" : "_reorder_" + a.name + "(", "&", a.name, "[0], &", use, "[0]);\n");
    }
    sets += cat("  args.", a.name, " = &", use, "[0];\n");
  }
  const Argument& out = b.arguments.back();
  body += cat("  std::vector<char> workspace(", b.symbol, "_workspace_bytes(", max_threads, ") + 64);\n  ", b.symbol,
              "_args args;\n", sets,
              "  args.workspace = &workspace[0] + 64 - reinterpret_cast<size_t>(&workspace[0]) % 64;\n",
              "  const std::vector<T> expected = reference(", refs, ");\n",
              "  for (int threads = 1; threads <= ", max_threads, "; ++threads) {\n    if (", b.symbol,
              "_run(&args, threads) != 0) return 1;\n");
  if (own_layout(out))
    body += cat("    std::vector<T> found(expected.size());\n    ", b.symbol, "_restore_", out.name, "(&",
                out.name, "[0], &found[0]);\n");
  else
    body += cat("    const std::vector<T>& found = ", out.name, ";\n");
  body += cat("    for (size_t i = 0; i < expected.size(); ++i)\n      if (!(found[i] == expected[i])) {\n",
              "        std::printf(\"", b.symbol,
              ": element %zu: found %g, expected %g\\n\", i, static_cast<double>(found[i]), "
              "static_cast<double>(expected[i]));\n        return 1;\n      }\n  }\n",
              "  std::printf(\"", b.symbol, ": %zu elements agree\\n\", expected.size());\n  return 0;");
  return body;
}

}  // namespace

std::string type_name(ir::DType t) { return t == ir::DType::f32 ? "float" : "double"; }

bool own_layout(const Argument& a) {
  return a.layout.levels.size() != a.dims.size() || a.layout.text(a.dims) != base::join(a.dims, "");
}

std::string reorder_functions(const SourceBundle& b, const std::string& pack) {
  const std::string type = type_name(b.dtype);
  std::string text;
  for (const Argument& a : b.arguments) {
    if (a.prepacked)
      text += cat("\nextern \"C\" size_t ", b.symbol, "_prepacked_bytes(void) { return ", a.packed_elements,
                  "u * sizeof(", type, "); }\n\nextern \"C\" void ", b.symbol, "_prepack(const ", type, "* ",
                  a.name, ", ", type, "* packed) {\n  ", pack, "(", a.name, ", packed);\n}\n");
    else if (own_layout(a))
      text += "\n" + reorder_text(a, cat(b.symbol, a.role == ir::Role::output ? "_restore_" : "_reorder_", a.name),
                                  type, a.role == ir::Role::output);
  }
  return text;
}

std::string header_text(const SourceBundle& b, const Provenance& provenance, const std::string& calls,
                        const std::string& bad_threads) {
  const std::string type = type_name(b.dtype);
  const Argument& out = b.arguments.back();
  std::string tensors, members, guard = b.symbol + "_H";
  for (const Argument& a : b.arguments) {
    tensors += describe(a, type);
    members += cat("  ", a.role == ir::Role::output ? "" : "const ", type, "* ", a.name, ";\n");
  }
  std::transform(guard.begin(), guard.end(), guard.begin(), [](unsigned char c) { return std::toupper(c); });
  return from_template("kernel/header.h.in",
                       {{"PROVENANCE", provenance_comment(provenance)}, {"SUMMARY", provenance.summary},
                        {"TYPE", type}, {"TENSORS", tensors}, {"OUT", out.name}, {"GUARD", guard},
                        {"SYMBOL", b.symbol}, {"MEMBERS", members}, {"BOXDIMS", base::join(out.dims, ",")},
                        {"GRAIN", base::join(b.grain, ", ")}, {"RANK", std::to_string(out.extents.size())},
                        {"EXTRA", extra_header(b, type)}, {"CALLS", calls}, {"BADTHREADS", bad_threads}});
}

std::string selftest_text(const SourceBundle& b, const Provenance& provenance, const ir::Seed& reference,
                          int max_threads, const std::string& includes, const std::string& before) {
  return from_template("kernel/selftest.cpp.in",
                       {{"PROVENANCE", provenance_comment(provenance)}, {"SYMBOL", b.symbol},
                        {"TYPE", type_name(b.dtype)}, {"INCLUDES", includes},
                        {"REFERENCE", reference_text(reference)}, {"BODY", selftest_body(b, max_threads, before)}});
}

}  // namespace swgen::codegen
