// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/package.h"

#include <algorithm>
#include <set>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/base/version.h"

namespace swgen::codegen {

using base::cat;

std::vector<SourceFile> make_package(const std::string& name, const std::vector<SourceBundle>& bundles) {
  const std::string package = base::identifier(name);
  std::vector<SourceFile> files;
  std::set<std::string> symbols;
  std::string sources, slaves, flags, tests;
  for (const SourceBundle& b : bundles) {
    if (!symbols.insert(b.symbol).second)
      throw base::UserError("two workloads would both export " + b.symbol +
                            "_run, expected names that differ in letters or digits");
    for (const SourceFile& f : b.files) {
      files.push_back(f);
      const bool cpp = f.path.size() > 4 && f.path.substr(f.path.size() - 4) == ".cpp";
      if (cpp && f.path.rfind("src/", 0) == 0) {
        sources += "  " + f.path + "\n";
        if (!f.flags.empty()) {
          std::string list = f.flags;
          std::replace(list.begin(), list.end(), ' ', ';');
          flags += cat("set_source_files_properties(", f.path, " PROPERTIES COMPILE_OPTIONS \"", list, "\")\n");
        }
      }
      if (f.path.rfind("slave/", 0) == 0 && f.path.substr(f.path.size() - 2) == ".c") slaves += "  " + f.path + "\n";
      if (f.path.rfind("test/", 0) == 0) {
        const std::string test = b.symbol + "_selftest";
        tests += cat("  add_executable(", test, " ", f.path, ")\n  target_link_libraries(", test, " ", package,
                     ")\n  add_test(NAME ", test, " COMMAND ", test, ")\n");
      }
    }
  }
  if (!sources.empty()) sources.pop_back();
  if (!slaves.empty()) slaves.pop_back();
  const bool mesh = !slaves.empty();
  const std::string install = from_fragment("project/install.cmake.in", {{"PACKAGE", package}});
  files.push_back({"CMakeLists.txt",
                   from_template(mesh ? "sw26010/CMakeLists.txt.in" : "project/CMakeLists.txt.in",
                                 {{"VERSION", base::kVersion}, {"PACKAGE", package}, {"SOURCES", sources}, {"SLAVES", slaves},
                                  {"FLAGS", flags}, {"INSTALL", install}, {"TESTS", tests}}),
                   ""});
  const std::string dependency = mesh ? "include(CMakeFindDependencyMacro)\nfind_dependency(swgen_athread)\n" : "";
  files.push_back({package + "Config.cmake",
                   from_template("project/Config.cmake.in", {{"VERSION", base::kVersion}, {"PACKAGE", package}, {"DEPENDENCY", dependency}}), ""});
  return files;
}

}  // namespace swgen::codegen
