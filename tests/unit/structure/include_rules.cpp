// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/unit/structure/rules.h"

namespace swgen::structure {
namespace {

struct Include {
  const SourceFile* file;
  size_t line;
  std::string text;
  std::string path;  ///< the file of the project that is meant; "" for headers of others
};

/// Low to high: a folder includes only itself and what stands before it.
const std::vector<std::string> kOrder = {"base",    "ir",     "target",  "schedule", "frontend",
                                         "ops",     "passes", "codegen", "halide",   "compile",
                                         "network", "tuner",  "cli"};

const std::vector<std::string> kLeaves = {"tuning_db", "runtime", "comm"};

/// Programs and tests above all layers; they may include anything and nothing includes them.
const std::vector<std::string> kOutside = {"bench", "examples", "tests"};

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string top_folder(const std::string& path) { return path.substr(0, path.find('/')); }

/// The name under which kOrder, kLeaves or kOutside know the file; "" outside of all.
std::string layer_of(const std::string& path) {
  const std::string top = top_folder(path);
  if (top != "compiler")
    return contains(kOrder, top) || contains(kLeaves, top) || contains(kOutside, top) ? top : "";
  const std::string rest = path.substr(path.find('/') + 1);
  if (rest == "compile.h" || rest == "compile.cpp") return "compile";
  return rest.substr(0, rest.find('/'));
}

std::string project_path(const SourceTree& tree, const SourceFile& file, const std::string& text,
                         bool quoted) {
  const std::string beside = resolve(folder_of(file.path), text);
  if (quoted && tree.count(beside)) return beside;
  if (!layer_of(text).empty() && text.find('/') != std::string::npos) return resolve("", text);
  // Public headers are found through an include path: they lie in folders named include.
  for (const auto& [path, other] : tree)
    if (ends_with(path, "/include/" + text)) return path;
  return "";
}

std::vector<Include> includes_of(const SourceTree& tree) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> includes;
  for (const auto& [path, file] : tree)
    for (size_t i = 0; i < file.code.size(); ++i) {
      std::smatch match;
      if (file.code[i].find('#') == std::string::npos ||
          !std::regex_search(file.code[i], match, pattern))
        continue;
      const bool quoted = match[1] == "\"";
      includes.push_back({&file, i + 1, match[2], project_path(tree, file, match[2], quoted)});
    }
  return includes;
}

Violation violation(const Include& include, const std::string& message) {
  return {include.file->path, include.line, message};
}

/// The worker programs of tuner/measure run candidates and may link the emulation; tuner/simulate asks the timing layer.
bool may_use_runtime(const std::string& path) { return starts_with(path, "tuner/measure/worker") || starts_with(path, "tuner/simulate/"); }

std::vector<std::string> allowed_layers(const std::string& path) {
  const std::string layer = layer_of(path);
  if (contains(kLeaves, layer)) return {layer};
  const auto end = std::find(kOrder.begin(), kOrder.end(), layer);
  if (end == kOrder.end()) return {};
  std::vector<std::string> allowed(kOrder.begin(), end + 1);
  if (layer == "tuner" || layer == "cli") allowed.push_back("tuning_db");
  if (may_use_runtime(path)) allowed.push_back("runtime");
  return allowed;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

/// The code generator a file belongs to: x86 of compiler/codegen/x86/kernel.h, "" for shared files.
std::string generator_of(const std::string& path) {
  const std::string prefix = "compiler/codegen/";
  if (!starts_with(path, prefix) || folder_of(path) + "/" == prefix) return "";
  return top_folder(path.substr(prefix.size()));
}

struct Home {
  const char* prefix;  ///< of what stands between the quotes or brackets
  std::vector<std::string> homes;
};

/// The first row whose prefix fits decides.
const std::vector<Home>& home_table() {
  static const std::vector<Home> table = {
      {"Halide", {"compiler/halide/", "tests/oracle/", "bench/"}},
      {"llvm/Support/YAML", {"compiler/frontend/yaml_reader"}},
      {"llvm/Support/JSON.h", {"cli/", "tuner/", "tests/"}},
      {"llvm/Support/SHA256.h", {"cli/", "tuner/", "tests/"}},
      {"llvm/ExecutionEngine/", {"tuner/measure/"}},
      {"llvm/MCA/", {"tuner/model/"}},
      {"llvm/", {"compiler/frontend/yaml_reader", "cli/", "tuner/", "tests/"}},
      {"llvm-c/", {}},
      {"clang/", {"tuner/measure/"}},
      {"clang-c/", {}},
      {"boost/context/", {"runtime/athread/"}},
      {"boost/program_options", {"cli/", "tuner/measure/worker"}},
      {"boost/", {}},
      {"sqlite3", {"tuning_db/", "tests/unit/tuning_db/"}},
      {"mpi.h", {"comm/transport/"}},
      {"hdf5", {"runtime/train/"}},
      {"dnnl", {"bench/"}},
      {"oneapi/dnnl", {"bench/"}},
      {"cblas", {"bench/"}},
      {"openblas", {"bench/"}},
      {"gtest/", {"tests/", "bench/"}},
      {"gmock/", {"tests/", "bench/"}},
      {"benchmark/", {"tests/", "bench/"}},
  };
  return table;
}

}  // namespace

std::vector<Violation> check_folder_order(const SourceTree& tree) {
  std::vector<Violation> found;
  for (const Include& include : includes_of(tree)) {
    const std::string& path = include.file->path;
    const std::string from = layer_of(path), to = layer_of(include.path);
    if (from.empty() || to.empty() || contains(kOutside, from)) continue;
    const std::vector<std::string> allowed = allowed_layers(path);
    if (allowed.empty())
      found.push_back(violation(include, "folder order: compiler/" + from +
                                             " has no place in it, expected one of " +
                                             joined(kOrder)));
    else if (!contains(allowed, to))
      found.push_back(violation(include, "folder order: " + from + " includes \"" + include.text +
                                             "\" of " + to + ", expected only " + joined(allowed)));
    const std::string ours = generator_of(path), theirs = generator_of(include.path);
    if (!ours.empty() && !theirs.empty() && ours != theirs)
      found.push_back(violation(include, "code generators: " + ours + " includes \"" +
                                             include.text + "\" of " + theirs +
                                             ", expected no code generator to include another"));
  }
  return found;
}

std::vector<Violation> check_passes(const SourceTree& tree) {
  const std::string folder = "compiler/passes";
  std::vector<Violation> found;
  for (const Include& include : includes_of(tree)) {
    const std::string& path = include.file->path;
    // The table itself, passes.cpp, knows every pass.
    if (folder_of(path) != folder || path == folder + "/passes.cpp") continue;
    if (folder_of(include.path) != folder || include.path == folder + "/passes.h") continue;
    const std::string own = std::filesystem::path(path).replace_extension(".h").generic_string();
    if (include.path == own) continue;
    found.push_back(violation(include, "passes: a pass includes \"" + include.text +
                                           "\", expected only passes.h and its own header"));
  }
  return found;
}

std::vector<Violation> check_third_party_homes(const SourceTree& tree) {
  std::vector<Violation> found;
  for (const Include& include : includes_of(tree)) {
    if (!include.path.empty()) continue;
    const auto row = std::find_if(home_table().begin(), home_table().end(), [&](const Home& home) {
      return starts_with(include.text, home.prefix);
    });
    if (row == home_table().end()) continue;
    const bool at_home = std::any_of(row->homes.begin(), row->homes.end(), [&](const auto& home) {
      return starts_with(include.file->path, home);
    });
    if (at_home) continue;
    found.push_back(
        violation(include, "third-party homes: found <" + include.text + ">, expected it " +
                               (row->homes.empty() ? "nowhere" : "only in " + joined(row->homes))));
  }
  return found;
}

}  // namespace swgen::structure
