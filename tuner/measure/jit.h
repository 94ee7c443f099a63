// SPDX-License-Identifier: Apache-2.0
// Compiles a candidate inside the worker: Clang to LLVM IR, ORC to machine code, no files.
#pragma once

#include <memory>
#include <string>

namespace swgen::tuner {

/// Loaded machine code; it stays as long as the object lives.
class LoadedCode {
 public:
  virtual ~LoadedCode() = default;
  /// Address of an exported function, or null.
  virtual void* symbol(const std::string& name) = 0;
};

/// Compiles one C++ translation unit without includes for x86 `level`. On failure: null, and `error`
/// holds the compiler's text.
std::unique_ptr<LoadedCode> jit_compile(const std::string& source, const std::string& level,
                                        std::string& error);

/// The same with the command `compiler` and a temporary shared object.
std::unique_ptr<LoadedCode> command_compile(const std::string& source, const std::string& level,
                                            const std::string& compiler, std::string& error);

}  // namespace swgen::tuner
