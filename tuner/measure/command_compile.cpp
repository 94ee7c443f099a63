// SPDX-License-Identifier: Apache-2.0
// Compiles a candidate with the user's own compiler into a temporary shared object.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tuner/measure/jit.h"

namespace swgen::tuner {
namespace {

std::string isa_flags(const std::string& level) {
  if (level == "avx512") return "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma";
  return level == "avx2" ? "-mavx2 -mfma" : "";
}

class SharedObject : public LoadedCode {
 public:
  explicit SharedObject(void* handle) : handle_(handle) {}
  void* symbol(const std::string& name) override { return dlsym(handle_, name.c_str()); }

 private:
  void* handle_;
};

}  // namespace

std::unique_ptr<LoadedCode> command_compile(const std::string& source, const std::string& level,
                                            const std::string& compiler, std::string& error) {
  char folder[] = "/tmp/swgen-candidate-XXXXXX";
  if (mkdtemp(folder) == nullptr) {
    error = "no temporary folder can be made below /tmp";
    return nullptr;
  }
  const std::string base = folder;
  std::ofstream(base + "/candidate.cpp") << source;
  // As in the packages' CMakeLists.txt; Clang does not know the flag.
  const std::string gcc_only = compiler.find("clang") == std::string::npos ? " -fno-predictive-commoning" : "";
  const std::string command = compiler + gcc_only + " -std=c++17 -O3 -ffp-contract=fast -fopenmp -fPIC -shared " +
                              isa_flags(level) + " -o " + base + "/candidate.so " + base +
                              "/candidate.cpp > " + base + "/log 2>&1";
  const int status = std::system(command.c_str());
  void* handle = nullptr;
  // Never unloaded: threads of the OpenMP runtime that came with it still run.
  if (status == 0) handle = dlopen((base + "/candidate.so").c_str(), RTLD_NOW | RTLD_NODELETE);
  if (handle == nullptr) {
    std::ostringstream log;
    log << std::ifstream(base + "/log").rdbuf();
    error = status != 0 ? log.str() : dlerror();
  }
  std::filesystem::remove_all(base);
  if (handle == nullptr) return nullptr;
  return std::make_unique<SharedObject>(handle);
}

}  // namespace swgen::tuner
