// SPDX-License-Identifier: Apache-2.0
// swgen-worker-sw26010: builds one SW26010 kernel, runs it on the emulated core group and checks the
// output. Reads one request (JSON) from standard input, writes one reply. No times: the emulation is
// functional.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

extern "C" {
#include <athread.h>
}
#include <swgen_athread.h>

#include "tuner/measure/call.h"
#include "tuner/measure/check.h"
#include "tuner/measure/request.h"

namespace swgen::tuner {
namespace {

namespace fs = std::filesystem;

/// Where the emulation's headers are: the build tree, else beside the installed program.
std::string include_flags() {
  std::string flags;
  for (const std::string& folder : {std::string(SWGEN_ATHREAD_SOURCE_INCLUDE), std::string(SWGEN_ATHREAD_BUILD_INCLUDE),
                                    (fs::read_symlink("/proc/self/exe").parent_path() / "../include/swgen_athread").string()})
    if (fs::exists(folder)) flags += " -I" + folder;
  return flags;
}

bool shell(const std::string& command, const fs::path& log, std::string& error) {
  if (std::system((command + " >> " + log.string() + " 2>&1").c_str()) == 0) return true;
  std::ostringstream text;
  text << std::ifstream(log).rdbuf();
  error = text.str().substr(0, 2000);
  return false;
}

/// Writes the files below `folder` and links them to one shared object; null with `error` set on failure.
void* build(const MeasureRequest& r, const fs::path& folder, std::string& error) {
  std::string objects;
  const std::string flags = include_flags() + " -I" + (folder / "include").string() + " -I" + (folder / "slave").string();
  for (const codegen::SourceFile& f : r.bundle.files) {
    const fs::path path = folder / f.path;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << f.text;
  }
  const fs::path log = folder / "log";
  for (const codegen::SourceFile& f : r.bundle.files) {
    const std::string path = (folder / f.path).string(), object = path + ".o";
    std::string command;
    if (f.path.rfind("slave/", 0) == 0 && path.back() == 'c')
      command = std::string("clang-14 -std=gnu99 ") + athread::kSlaveFlags + flags;
    else if (f.path.rfind("src/", 0) == 0)
      command = "clang++-14 -std=gnu++98 -O1 -fPIC" + flags;
    else
      continue;
    if (!shell(command + " -c " + path + " -o " + object, log, error)) return nullptr;
    objects += " " + object;
  }
  const std::string library = (folder / "kernel.so").string();
  if (!shell("clang++-14 -shared -o " + library + objects, log, error)) return nullptr;
  void* handle = dlopen(library.c_str(), RTLD_NOW);
  if (handle == nullptr) error = dlerror();
  return handle;
}

MeasureReply check(const MeasureRequest& r, const fs::path& folder) {
  MeasureReply reply;
  const Call::Clock::time_point start = Call::Clock::now();
  void* handle = build(r, folder, reply.reason);
  reply.compile_seconds = Call::seconds_since(start);
  reply.verdict = "build_failed";
  if (handle == nullptr) return reply;
  const auto run = reinterpret_cast<int (*)(const void*, int)>(dlsym(handle, (r.bundle.symbol + "_run").c_str()));
  if (run == nullptr) {
    reply.reason = "no function " + r.bundle.symbol + "_run";
    return reply;
  }
  athread_init();
  Call call(r, nullptr, true);
  // The argument struct is the tensors' pointers, then the workspace.
  std::vector<void*> args(call.tensors(), call.tensors() + r.bundle.arguments.size());
  args.push_back(call.workspace());
  const int status = run(args.data(), 1);
  reply.verdict = "wrong";
  if (status != 0) {
    reply.reason = "the kernel returns " + std::to_string(status);
    return reply;
  }
  reply.reason = compare(r, call.output(), 4000);
  if (!reply.reason.empty()) return reply;
  reply.digest = digest(r.bundle.arguments.back(), r.bundle.dtype, call.output());
  if (!r.output_file.empty() && !save_plain(r.bundle.arguments.back(), r.bundle.dtype, call.output(), r.output_file)) {
    reply.verdict = "crashed";
    reply.reason = "cannot write " + r.output_file;
    return reply;
  }
  reply.verdict = "ok";
  return reply;
}

}  // namespace
}  // namespace swgen::tuner

int main() {
  std::ios::sync_with_stdio(false);
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const auto request = swgen::tuner::parse_request(text);
  if (!request) {
    std::cerr << "swgen-worker-sw26010: standard input is not a request; this program is started by swgen\n";
    return 2;
  }
  char folder[] = "/tmp/swgen-sw26010-XXXXXX";
  if (mkdtemp(folder) == nullptr) {
    std::cerr << "swgen-worker-sw26010: no temporary folder can be made below /tmp\n";
    return 2;
  }
  // A strict check of the emulation ends the run; its message is the verdict.
  swgen::athread::set_error_handler(swgen::athread::throw_error);
  swgen::tuner::MeasureReply reply;
  try {
    reply = swgen::tuner::check(*request, folder);
  } catch (const std::exception& e) {
    reply.verdict = "crashed";
    reply.reason = e.what();
  }
  std::filesystem::remove_all(folder);
  std::cout << swgen::tuner::to_json(reply) << std::endl;
  return 0;
}
