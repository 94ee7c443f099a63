// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/build.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/codegen/interface.h"
#include "compiler/codegen/package.h"
#include "tuner/measure/process.h"

namespace swgen::bench {
namespace {

namespace fs = std::filesystem;
using base::cat;

constexpr double kBuildSeconds = 3600;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write_if_changed(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_text(path) == text) return;
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw base::UserError("cannot write " + path.string());
}

/// The conversion that the package exports for an argument; "nullptr" where there is none.
std::string conversion_of(const TunedKernel& kernel, const codegen::Argument& a) {
  const std::string& symbol = kernel.bundle.symbol;
  if (a.prepacked) return symbol + "_prepack";
  if (!codegen::own_layout(a)) return "nullptr";
  return symbol + (a.role == ir::Role::output ? "_restore_" : "_reorder_") + a.name;
}

std::vector<const TunedKernel*> kernels_of(const std::vector<Comparison>& plan) {
  std::vector<const TunedKernel*> kernels;
  for (const Comparison& c : plan) {
    kernels.push_back(&c.kernel);
    if (c.one_thread) kernels.push_back(&*c.one_thread);
  }
  return kernels;
}

void run_cmake(std::vector<std::string> arguments, const std::string& compiler) {
  arguments.insert(arguments.begin(), {"/usr/bin/env", "cmake"});
  const tuner::ProcessResult result = tuner::run_process(arguments, "", {.seconds = kBuildSeconds});
  if (result.exit_code == 0 && !result.timed_out) return;
  throw ToolchainError(cat("building the package with ", compiler, " failed: ",
                           base::join(arguments, " "), "\n", result.output, result.errors));
}

}  // namespace

std::string adapter_text(const TunedKernel& kernel, const std::string& adapter_template) {
  std::string tensors, members;
  int position = 0;
  for (const codegen::Argument& a : kernel.bundle.arguments) {
    int64_t plain = 1;
    for (int64_t extent : a.extents) plain *= extent;
    const int64_t own = a.prepacked ? a.packed_elements : a.elements;
    tensors +=
        cat(position == 0 ? "" : ", ", "{", plain, ", ", own, ", ", conversion_of(kernel, a), "}");
    members += cat("            args.", a.name, " = tensors[", position++, "];\n");
  }
  return base::fill(adapter_template, {{"SYMBOL", kernel.bundle.symbol},
                                       {"FLOPS", cat(kernel.flops)},
                                       {"TENSORS", tensors},
                                       {"MEMBERS", members}});
}

void write_sources(const std::string& work, const std::vector<Comparison>& plan) {
  const std::string adapter_template = read_text(fs::path(SWGEN_KERNEL_PEER) / "adapter.cpp.in");
  if (adapter_template.empty())
    throw base::UserError(cat("found no ", SWGEN_KERNEL_PEER,
                              "/adapter.cpp.in, expected the source folder of swgen-bench"));
  std::vector<codegen::SourceBundle> bundles;
  try {
    for (const TunedKernel* kernel : kernels_of(plan)) {
      bundles.push_back(kernel->bundle);
      write_if_changed(fs::path(work) / "adapters" / (kernel->bundle.symbol + ".cpp"),
                       adapter_text(*kernel, adapter_template));
    }
    for (const codegen::SourceFile& file : codegen::make_package("package", bundles))
      write_if_changed(fs::path(work) / "package" / file.path, file.text);
  } catch (const fs::filesystem_error& error) {
    throw base::UserError(std::string("cannot write the sources: ") + error.what());
  }
}

std::string build_peers(const std::string& work, const std::vector<Comparison>& plan,
                        const std::string& compiler) {
  std::vector<std::string> names;
  for (const TunedKernel* kernel : kernels_of(plan)) names.push_back(kernel->bundle.symbol);
  const std::string folder = (fs::path(work) / ("build-" + base::identifier(compiler))).string();
  run_cmake({"-S", SWGEN_KERNEL_PEER, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
             "-DCMAKE_CXX_COMPILER=" + compiler, "-DSWGEN_WORK=" + fs::absolute(work).string(),
             "-DSWGEN_KERNELS=" + base::join(names, ";")},
            compiler);
  const unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  run_cmake({"--build", folder, "--parallel", cat(jobs)}, compiler);
  return folder;
}

}  // namespace swgen::bench
