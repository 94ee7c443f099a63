// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/sw26010/sources.h"

#include <algorithm>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/box_loops.h"
#include "compiler/codegen/interface.h"
#include "compiler/codegen/sw26010/primitives.h"
#include "compiler/codegen/sw26010/slave.h"

namespace swgen::codegen::sw26010 {

using base::cat;

namespace {

/// "// x" lines as one C89 comment each.
std::string c_comment(const std::string& cxx) {
  std::string out;
  for (std::string line : base::split(cxx, '\n'))
    if (!line.empty()) out += "/*" + line.substr(2) + " */\n";
  return out;
}

struct Workspace {
  std::string name;
  int64_t offset = 0;
};

std::vector<Workspace> intermediates(const ir::Program& program, int64_t& bytes) {
  std::vector<Workspace> out;
  for (size_t t = 0; t < program.seed.tensors.size(); ++t) {
    if (program.seed.tensors[t].role != ir::Role::intermediate) continue;
    out.push_back({program.seed.tensors[t].name, bytes});
    bytes += (program.layouts[t].elements(program.seed.tensors[t].extents) * ir::size_of(program.seed.dtype) + 127) / 128 * 128;
  }
  return out;
}

std::string task_header(const SourceBundle& b, const std::vector<Workspace>& extra, const std::string& note) {
  const std::string type = type_name(b.dtype);
  std::string guard = b.symbol + "_TASK_H", members;
  std::transform(guard.begin(), guard.end(), guard.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const Argument& a : b.arguments)
    members += cat("  ", a.role == ir::Role::output ? "" : "const ", type, "* ", a.name, ";\n");
  for (const Workspace& w : extra) members += cat("  ", type, "* ", w.name, ";\n");
  return cat("/* SPDX-License-Identifier: Apache-2.0 */\n", c_comment(note),
             "/* What the managing core hands to the computing cores: tensors in main memory, the box of the output. */\n",
             "#ifndef ", guard, "\n#define ", guard, "\n\ntypedef struct {\n", members, "  long begin[",
             b.arguments.back().extents.size(), "], end[", b.arguments.back().extents.size(), "];\n} ", b.symbol,
             "_task;\n\n#endif\n");
}

}  // namespace

SourceBundle make_sources(const ir::Program& program, const target::Target& target, const Provenance& provenance,
                          const ir::Seed& reference) {
  SourceBundle b;
  b.symbol = "swgen_" + base::identifier(provenance.workload_name);
  b.dtype = program.seed.dtype;
  b.arguments = arguments_of(program, reference);
  const BoxLoops box = find_box_loops(program, reference);
  b.grain = box.grain;
  const std::string& S = b.symbol;
  const std::string type = type_name(b.dtype);
  const std::string note = provenance_comment(provenance);
  const std::vector<Workspace> extra = intermediates(program, b.shared_bytes);
  std::vector<std::string> entries;
  const std::string code = slave_text(program, target, box, S, entries);

  std::string declare, not_null, task, spawn;
  for (const std::string& e : entries) {
    declare += cat("extern void SLAVE_FUN(", e, ")(", S, "_task*);\n");
    spawn += cat("  athread_spawn(", e, ", &task);\n  athread_join();\n");
  }
  for (const Argument& a : b.arguments) {
    not_null += cat(not_null.empty() ? "" : " && ", "args->", a.name, " != 0");
    task += cat("  task.", a.name, " = args->", a.name, ";\n");
  }
  for (const Workspace& w : extra)
    task += cat("  task.", w.name, " = (", type, "*)((char*)args->workspace + ", w.offset, ");\n");
  const Argument& out = b.arguments.back();
  b.files.push_back({"include/" + S + ".h", header_text(b, provenance,
                                                        "One call at a time: it takes the core group.",
                                                        "threads is not 1 (one core group)"), ""});
  b.files.push_back({"slave/" + S + "_task.h", task_header(b, extra, note), ""});
  b.files.push_back({"slave/" + S + "_slave.c",
                     from_template("sw26010/slave.c.in", {{"PROVENANCE", c_comment(note)}, {"SYMBOL", S}, {"TYPE", type}, {"CODE", code}}),
                     ""});
  ir::Lanes lanes = ir::Lanes::m;
  for (const ir::StageProgram& stage : program.stages)
    ir::walk(stage.body, [&](const ir::Stmt& s) {
      if (const auto* g = s.as<ir::Gemm>()) lanes = g->lanes;
    });
  for (SourceFile& f : primitive_files(S, c_comment(note), b.dtype, lanes)) b.files.push_back(std::move(f));
  b.files.push_back({"src/" + S + ".cpp",
                     from_template("sw26010/host.cpp.in",
                                   {{"PROVENANCE", note}, {"SYMBOL", S}, {"DECLARE", declare},
                                    {"RANK", std::to_string(out.extents.size())}, {"EXTENTS", base::join(out.extents, ", ")},
                                    {"GRAIN", base::join(b.grain, ", ")}, {"NOTNULL", not_null}, {"TASK", task}, {"SPAWN", spawn},
                                    {"SHARED_BYTES", std::to_string(b.shared_bytes)}, {"EXTRA", reorder_functions(b, "")}}),
                     ""});
  b.files.push_back({"test/" + S + "_selftest.cpp",
                     selftest_text(b, provenance, reference, 1, "extern \"C\" {\n#include <athread.h>\n}\n",
                                   "  athread_init();\n"),
                     ""});
  return b;
}

}  // namespace swgen::codegen::sw26010
