// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/jit.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <dlfcn.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>

#include <vector>

namespace swgen::tuner {
namespace {

std::vector<const char*> arguments(const std::string& level) {
  std::vector<const char*> args = {"-triple", "x86_64-unknown-linux-gnu", "-emit-obj", "-O3",
                                   "-ffp-contract=fast", "-vectorize-loops", "-vectorize-slp",
                                   "-fopenmp", "-std=c++17", "-mrelocation-model", "pic",
                                   "-pic-level", "2"};
  std::vector<const char*> features = {"+sse2"};
  if (level == "avx2") features = {"+avx2", "+fma"};
  if (level == "avx512")
    features = {"+avx512f", "+avx512vl", "+avx512dq", "+avx512bw", "+avx2", "+fma"};
  for (const char* f : features) args.insert(args.end(), {"-target-feature", f});
  args.insert(args.end(), {"-x", "c++", "candidate.cpp"});
  return args;
}

std::string text_of(llvm::Error e) { return llvm::toString(std::move(e)); }

class JitCode : public LoadedCode {
 public:
  std::unique_ptr<llvm::orc::LLJIT> jit;

  void* symbol(const std::string& name) override {
    auto found = jit->lookup(name);
    if (!found) {
      llvm::consumeError(found.takeError());
      return nullptr;
    }
    return reinterpret_cast<void*>(found->getAddress());
  }
};

std::unique_ptr<llvm::Module> to_module(const std::string& source, const std::string& level,
                                        llvm::LLVMContext& context, std::string& error) {
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  llvm::raw_string_ostream log(error);
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options(new clang::DiagnosticOptions);
  clang::TextDiagnosticPrinter printer(log, options.get());
  clang::DiagnosticsEngine engine(new clang::DiagnosticIDs, options, &printer, false);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments(level), engine)) {
    log << "the compiler refuses its arguments";
    return nullptr;
  }
  invocation->getPreprocessorOpts().addRemappedFile(
      "candidate.cpp", llvm::MemoryBuffer::getMemBufferCopy(source, "candidate.cpp").release());
  clang::CompilerInstance compiler;
  compiler.setInvocation(invocation);
  compiler.createDiagnostics(&printer, false);
  clang::EmitLLVMOnlyAction action(&context);
  if (!compiler.ExecuteAction(action)) return nullptr;
  return action.takeModule();
}

}  // namespace

std::unique_ptr<LoadedCode> jit_compile(const std::string& source, const std::string& level,
                                        std::string& error) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (dlopen("libomp.so.5", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    error = "libomp.so.5 (package libomp5-14) can't be loaded";
    return nullptr;
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module = to_module(source, level, *context, error);
  if (module == nullptr) return nullptr;
  auto code = std::make_unique<JitCode>();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine) {
    error = text_of(machine.takeError());
    return nullptr;
  }
  machine->setCodeGenOptLevel(llvm::CodeGenOpt::Aggressive);
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
  if (!jit) {
    error = text_of(jit.takeError());
    return nullptr;
  }
  code->jit = std::move(*jit);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      code->jit->getDataLayout().getGlobalPrefix());
  if (!process) {
    error = text_of(process.takeError());
    return nullptr;
  }
  code->jit->getMainJITDylib().addGenerator(std::move(*process));
  if (auto failed = code->jit->addIRModule({std::move(module), std::move(context)})) {
    error = text_of(std::move(failed));
    return nullptr;
  }
  return code;
}

}  // namespace swgen::tuner
