// SPDX-License-Identifier: Apache-2.0
// Holds the repository to its structure, and each rule to finding a violation planted for it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/structure/rules.h"

namespace swgen::structure {
namespace {

namespace fs = std::filesystem;

const std::string kCppLicense = "// SPDX-License-Identifier: Apache-2.0\n";
const std::string kCMakeLicense = "# SPDX-License-Identifier: Apache-2.0\n";

std::vector<std::string> texts_of(const std::vector<Violation>& violations) {
  std::vector<std::string> texts;
  for (const Violation& violation : violations) texts.push_back(to_string(violation));
  return texts;
}

class RepositoryTest : public testing::TestWithParam<Rule> {};

TEST_P(RepositoryTest, Holds) {
  for (const std::string& text : texts_of(GetParam().check(read_tree(SWGEN_SOURCE_DIR))))
    ADD_FAILURE() << text;
}

std::string name_of_rule(const testing::TestParamInfo<Rule>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Structure, RepositoryTest, testing::ValuesIn(rule_table()), name_of_rule);

TEST(RepositoryTest, IsRead) {
  const SourceTree tree = read_tree(SWGEN_SOURCE_DIR);
  for (const char* path : {"CMakeLists.txt", ".ci/run", "compiler/base/error.h", "cli/main.cpp",
                           "tuning_db/database.h", "tests/unit/structure_test.cpp"})
    EXPECT_EQ(tree.count(path), 1u) << path;
  for (const auto& [path, file] : tree) {
    EXPECT_FALSE(starts_with(path, "build/") || starts_with(path, ".git/")) << path;
    EXPECT_FALSE(is_cpp(path) && file.code.size() != file.lines.size()) << path;
  }
}

struct File {
  std::string path, text;
};

/// Writes the files into a folder of their own, reads them as a tree and applies one rule.
std::vector<std::string> check(const std::string& rule, const std::vector<File>& files) {
  std::string folder = (fs::temp_directory_path() / "swgen_structure_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return {"cannot make a folder " + folder};
  for (const File& file : files) {
    const fs::path path = fs::path(folder) / file.path;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << file.text;
  }
  const SourceTree tree = read_tree(folder);
  fs::remove_all(folder);
  for (const Rule& row : rule_table())
    if (row.name == rule) return texts_of(row.check(tree));
  return {"no rule " + rule};
}

/// One file with one include line, the second.
std::vector<std::string> check_include(const std::string& rule, const std::string& path,
                                       const std::string& include) {
  return check(rule, {{path, kCppLicense + "#include " + include + "\n"},
                      {"compiler/codegen/x86/kernel.h", kCppLicense},
                      {"compiler/passes/hoist.h", kCppLicense},
                      {"runtime/athread/include/athread.h", kCppLicense}});
}

using Texts = std::vector<std::string>;

struct IncludeCase {
  const char* rule;
  const char* path;
  const char* include;
  const char* message;  ///< a part of the one violation; "" where there is none
};

class IncludeTest : public testing::TestWithParam<IncludeCase> {};

TEST_P(IncludeTest, IsJudged) {
  const IncludeCase& c = GetParam();
  const Texts found = check_include(c.rule, c.path, c.include);
  if (std::string(c.message).empty()) {
    EXPECT_EQ(found, Texts{}) << c.path << " includes " << c.include;
    return;
  }
  ASSERT_EQ(found.size(), 1u) << c.path << " includes " << c.include;
  EXPECT_TRUE(starts_with(found[0], std::string(c.path) + ":2: ")) << found[0];
  EXPECT_NE(found[0].find(c.message), std::string::npos) << found[0];
}

INSTANTIATE_TEST_SUITE_P(
    FolderOrder, IncludeTest,
    testing::ValuesIn(std::vector<IncludeCase>{
        {"FolderOrder", "compiler/ir/a.cpp", R"("compiler/base/text.h")", ""},
        {"FolderOrder", "compiler/ir/a.cpp", R"("compiler/ops/operators.h")",
         "ir includes \"compiler/ops/operators.h\" of ops, expected only base, ir"},
        {"FolderOrder", "compiler/target/a.h", R"("../schedule/schedule.h")", ""},
        {"FolderOrder", "compiler/base/a.h", R"("compiler/../compiler/ir/seed.h")", "of ir"},
        {"FolderOrder", "compiler/codegen/a.cpp", "<compiler/halide/pipeline.h>", "of halide"},
        {"FolderOrder", "compiler/codegen/a.cpp", R"("compiler/compile.h")", "of compile"},
        {"FolderOrder", "compiler/compile.cpp", R"("compiler/halide/pipeline.h")", ""},
        {"FolderOrder", "compiler/compile.cpp", R"("compiler/network/net.h")", "of network"},
        {"FolderOrder", "compiler/network/a.cpp", R"("compiler/compile.h")", ""},
        {"FolderOrder", "compiler/network/a.cpp", R"("tuner/tune.h")", "of tuner"},
        {"FolderOrder", "compiler/ops/a.cpp", R"("tuning_db/database.h")", "of tuning_db"},
        {"FolderOrder", "compiler/ops/a.cpp", "<athread.h>", "of runtime"},
        {"FolderOrder", "compiler/ops/a.cpp", R"("comm/select.h")", "of comm"},
        {"FolderOrder", "compiler/ops/a.cpp", R"("cli/commands.h")", "of cli"},
        {"FolderOrder", "compiler/ops/a.cpp", R"("tests/oracle/oracle.h")", "of tests"},
        {"FolderOrder", "compiler/misc/a.cpp", R"("compiler/base/text.h")", "has no place"},
        {"FolderOrder", "tuner/a.cpp", R"("tuning_db/database.h")", ""},
        {"FolderOrder", "tuner/a.cpp", R"("compiler/compile.h")", ""},
        {"FolderOrder", "tuner/a.cpp", R"("cli/commands.h")", "of cli"},
        {"FolderOrder", "tuner/measure/child.cpp", R"("runtime/sim/counters.h")", "of runtime"},
        {"FolderOrder", "tuner/measure/worker_x86.cpp", R"("runtime/sim/counters.h")", ""},
        {"FolderOrder", "tuner/simulate/a.cpp", R"("runtime/sim/counters.h")", ""},
        {"FolderOrder", "cli/a.cpp", R"("tuner/tune.h")", ""},
        {"FolderOrder", "cli/a.cpp", R"("runtime/core/buffer.h")", "of runtime"},
        {"FolderOrder", "tuning_db/a.cpp", R"("compiler/base/text.h")", "expected only tuning_db"},
        {"FolderOrder", "runtime/a.cpp", R"("comm/select.h")", "expected only runtime"},
        {"FolderOrder", "comm/a.cpp", R"("runtime/core/buffer.h")", "expected only comm"},
        {"FolderOrder", "tests/a.cpp", R"("cli/commands.h")", ""},
        {"FolderOrder", "compiler/codegen/sw26010/a.cpp", R"("compiler/codegen/x86/kernel.h")",
         "sw26010 includes \"compiler/codegen/x86/kernel.h\" of x86"},
        {"FolderOrder", "compiler/codegen/sw26010/a.cpp", R"("../x86/kernel.h")", "of x86"},
        {"FolderOrder", "compiler/codegen/generate.cpp", R"("compiler/codegen/x86/kernel.h")", ""},
        {"FolderOrder", "compiler/codegen/x86/a.cpp", R"("compiler/codegen/bundle.h")", ""},
        {"PassesIncludeNoPass", "compiler/passes/prefetch.cpp", R"("hoist.h")", "\"hoist.h\""},
        {"PassesIncludeNoPass", "compiler/passes/prefetch.cpp", R"("compiler/passes/hoist.h")",
         "expected only passes.h and its own header"},
        {"PassesIncludeNoPass", "compiler/passes/prefetch.cpp", R"("compiler/passes/passes.h")",
         ""},
        {"PassesIncludeNoPass", "compiler/passes/hoist.cpp", R"("compiler/passes/hoist.h")", ""},
        {"PassesIncludeNoPass", "compiler/passes/passes.cpp", R"("compiler/passes/hoist.h")",
         ""}}));

INSTANTIATE_TEST_SUITE_P(
    ThirdPartyHomes, IncludeTest,
    testing::ValuesIn(std::vector<IncludeCase>{
        {"ThirdPartyHomes", "compiler/ops/a.cpp", "<Halide.h>",
         "<Halide.h>, expected it only in compiler/halide/, tests/oracle/, bench/"},
        {"ThirdPartyHomes", "compiler/halide/a.cpp", "<Halide.h>", ""},
        {"ThirdPartyHomes", "compiler/frontend/reader.cpp", "<llvm/Support/YAMLParser.h>",
         "yaml_reader"},
        {"ThirdPartyHomes", "compiler/frontend/yaml_reader.cpp", "<llvm/Support/YAMLParser.h>", ""},
        {"ThirdPartyHomes", "compiler/frontend/yaml_reader.cpp", R"("llvm/Support/JSON.h")",
         "cli/"},
        {"ThirdPartyHomes", "compiler/base/a.cpp", "<llvm/Support/SHA256.h>", "cli/, tuner/"},
        {"ThirdPartyHomes", "cli/json.cpp", "<llvm/Support/JSON.h>", ""},
        {"ThirdPartyHomes", "compiler/ir/a.cpp", "<llvm/ADT/StringRef.h>", "yaml_reader"},
        {"ThirdPartyHomes", "cli/a.cpp", "<clang/Frontend/CompilerInstance.h>", "tuner/measure/"},
        {"ThirdPartyHomes", "cli/a.cpp", "<llvm/ExecutionEngine/Orc/LLJIT.h>", "tuner/measure/"},
        {"ThirdPartyHomes", "tuner/measure/jit.cpp", "<llvm/ExecutionEngine/Orc/LLJIT.h>", ""},
        {"ThirdPartyHomes", "tuner/search/a.cpp", "<llvm/MCA/Context.h>", "tuner/model/"},
        {"ThirdPartyHomes", "runtime/sim/a.cpp", "<boost/context/fiber.hpp>", "runtime/athread/"},
        {"ThirdPartyHomes", "tuner/tune.cpp", "<boost/program_options.hpp>", "cli/"},
        {"ThirdPartyHomes", "tuner/measure/worker_x86.cpp", "<boost/program_options.hpp>", ""},
        {"ThirdPartyHomes", "cli/a.cpp", "<boost/filesystem.hpp>", "expected it nowhere"},
        {"ThirdPartyHomes", "tuner/a.cpp", "<sqlite3.h>", "tuning_db/"},
        {"ThirdPartyHomes", "tuning_db/a.cpp", "<sqlite3.h>", ""},
        {"ThirdPartyHomes", "comm/select.cpp", "<mpi.h>", "comm/transport/"},
        {"ThirdPartyHomes", "tests/a.cpp", "<dnnl.hpp>", "bench/"},
        {"ThirdPartyHomes", "cli/a.cpp", "<gtest/gtest.h>", "tests/"},
        {"ThirdPartyHomes", "cli/a.cpp", "<vector>", ""}}));

TEST(PlantedTest, IncludesInCommentsAndStringsAreNone) {
  const std::string line = "#include <Halide.h>\n";
  EXPECT_EQ(check("ThirdPartyHomes", {{"cli/a.cpp", "/*\n" + line + "*/\n//" + line}}), Texts{});
  EXPECT_EQ(check("ThirdPartyHomes", {{"cli/a.cpp", "auto s = R\"x(\n" + line + ")\"\n)x\";\n"}}),
            Texts{});
  EXPECT_EQ(
      check("ThirdPartyHomes", {{"cli/a.cpp", "int n = 1'000; char c = '\"';\n" + line}}).size(),
      1u);
  EXPECT_EQ(check("ThirdPartyHomes", {{"cli/a.cpp", "auto s = \"/*\";\n" + line}}).size(), 1u);
  EXPECT_EQ(check("ThirdPartyHomes", {{"build/cli/a.cpp", line}, {".git/a.cpp", line}}), Texts{});
}

TEST(PlantedTest, LongFile) {
  std::string text = kCppLicense;
  for (int i = 1; i < 500; ++i) text += "\n";
  EXPECT_EQ(check("FileLength", {{"cli/a.cpp", text}}), Texts{});
  EXPECT_EQ(check("FileLength", {{"cli/a.cpp", text + "\n"}}),
            Texts{"cli/a.cpp:501: length: found 501 lines, expected at most 500"});
}

TEST(PlantedTest, MissingLicense) {
  const std::string expected = ", expected a comment that says SPDX-License-Identifier: Apache-2.0";
  EXPECT_EQ(check("LicenseLine", {{"cli/a.h", "#pragma once\n" + kCppLicense}}),
            Texts{"cli/a.h:1: license: found '#pragma once'" + expected});
  EXPECT_EQ(check("LicenseLine", {{"scripts/a.sh", "#!/bin/sh\necho\n"}}),
            Texts{"scripts/a.sh:2: license: found 'echo'" + expected});
  EXPECT_EQ(check("LicenseLine", {{"CMakeLists.txt", ""}}),
            Texts{"CMakeLists.txt:1: license: found ''" + expected});
  EXPECT_EQ(
      check("LicenseLine", {{"scripts/a.sh", "#!/bin/sh\n" + kCMakeLicense},
                            {"cli/a.cpp", kCppLicense},
                            {"templates/a.c.in", "/* SPDX-License-Identifier: Apache-2.0 */\n"},
                            {"tests/errors/cases/a.cpp", "data\n"}}),
      Texts{});
}

TEST(PlantedTest, ComparedTargetName) {
  const auto check_line = [](const std::string& path, const std::string& line) {
    return check("TargetNames", {{path, kCppLicense + line + "\n"}});
  };
  const std::vector<std::string> bad = {"if (target.name == wanted) return;",
                                        "if (o.target->name != wanted) return;",
                                        "if (wanted == options.target.name) return;",
                                        "return kTarget.name==x;",
                                        "return find_target().name() == x;",
                                        "return t.name == \"x86\";",
                                        "if (\"sw26010\" != name) f();"};
  for (const std::string& line : bad) {
    EXPECT_EQ(
        check_line("compiler/passes/a.cpp", line),
        Texts{"compiler/passes/a.cpp:2: target names: found a comparison with a target's name, "
              "expected one of its facts (names are for compiler/codegen, compiler/target and "
              "tuner/model)"})
        << line;
    for (const char* path : {"compiler/codegen/a.cpp", "compiler/target/a.h", "tuner/model/a.cpp"})
      EXPECT_EQ(check_line(path, line), Texts{}) << path << ": " << line;
  }
  for (const char* line : {"if (target.has_scratch == true) f();", "// target.name == \"x86\"",
                           "row.name == wanted;", "const auto name = target.name;"})
    EXPECT_EQ(check_line("compiler/passes/a.cpp", line), Texts{}) << line;
}

/// The rule for one CMake text in cli/ beside a.cpp and b.cpp.
Texts check_list(const std::string& commands, const std::string& path = "cli/CMakeLists.txt") {
  return check(
      "BuildLists",
      {{path, kCMakeLicense + commands}, {"cli/a.cpp", kCppLicense}, {"cli/b.cpp", kCppLicense}});
}

TEST(PlantedTest, GoodBuildLists) {
  EXPECT_EQ(check_list("add_library(x\n  a.cpp # c.cpp\n  b.cpp\n)\n"), Texts{});
  EXPECT_EQ(check_list("add_library(x STATIC ${generated} a.cpp LINK y)\nadd_library(y b.cpp)\n"),
            Texts{});
  EXPECT_EQ(check_list("set(s ${CMAKE_CURRENT_LIST_DIR}/a.cpp\n ${CMAKE_CURRENT_LIST_DIR}/b.cpp)\n",
                       "cli/list.cmake"),
            Texts{});
  EXPECT_EQ(check_list("add_library(x cli/a.cpp cli/b.cpp)\n", "CMakeLists.txt"), Texts{});
}

TEST(PlantedTest, BadBuildLists) {
  const std::string at = "cli/CMakeLists.txt";
  const std::string missing =
      ": build lists: found no mention, expected one in a CMakeLists.txt or .cmake file of its "
      "folder "
      "or one above";
  EXPECT_EQ(check_list("add_library(x a.cpp)\nset_source_files_properties(b.cpp PROPERTIES X y)\n"),
            Texts{"cli/b.cpp:1" + missing});
  EXPECT_EQ(check_list("add_library(x ../cli/a.cpp ../cli/b.cpp)\n", "tests/CMakeLists.txt"),
            (Texts{"cli/a.cpp:1" + missing, "cli/b.cpp:1" + missing}));
  EXPECT_EQ(check_list("add_library(x\n  b.cpp\n  a.cpp)\n"),
            Texts{at + ":4: build lists: found a.cpp after b.cpp, expected a sorted list"});
  EXPECT_EQ(
      check_list("add_library(x a.cpp b.cpp ${generated})\n"),
      Texts{at +
            ":2: build lists: found ${generated} after b.cpp, expected generated sources first"});
  EXPECT_EQ(check_list("add_library(x a.cpp b.cpp c.cpp)\n"),
            Texts{at + ":2: build lists: found c.cpp, expected a file of that name"});
}

}  // namespace
}  // namespace swgen::structure
