// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/support.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tuning_db/database.h"

namespace swgen::cli {

namespace fs = std::filesystem;

const char* const kFcText = "matmul forward m=64 dtype=f32";
const char* const kConvText = "conv2d forward batch=1 dtype=f32";
const char* const kFcKey = "d47a2ff459a87551a40297d368a001667aae23e535570339eb9ba93556328b31";
const char* const kConvKey = "46311a1507c705ea27b0daf1b75cea831ff9b1b7c3f5fa2c87c586e951b1703a";
const char* const kTargetKey = "8d3495f5fbe54e0a985348fc491607f49938286a29591d6b534208520319915c";

TemporaryFolder::TemporaryFolder() {
  path_ = (fs::temp_directory_path() / "swgen_cli_XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a folder " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

namespace {

/// In the child: never returns.
[[noreturn]] void become_swgen(const std::vector<std::string>& arguments, const std::string& folder,
                               const std::string& database, const std::string& out,
                               const std::string& err) {
  if (chdir(folder.c_str()) != 0) _exit(125);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(open(out.c_str(), flags, 0600), 1);
  dup2(open(err.c_str(), flags, 0600), 2);
  if (database.empty())
    unsetenv("SWGEN_DB");
  else
    setenv("SWGEN_DB", database.c_str(), 1);
  std::vector<char*> argv = {const_cast<char*>("swgen")};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(SWGEN_BINARY, argv.data());
  _exit(126);
}

}  // namespace

Outcome run_swgen(const std::vector<std::string>& arguments, const std::string& folder,
                  const std::string& database) {
  const TemporaryFolder streams;
  const std::string out = streams.file("out"), err = streams.file("err");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_swgen(arguments, folder, database, out, err);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_file(out);
  outcome.err = read_file(err);
  return outcome;
}

Outcome run_swgen(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  return run_swgen(arguments, folder.path());
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

llvm::json::Object parse_object(const std::string& text) {
  auto value = llvm::json::parse(text);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError()) << " in: " << text;
    return {};
  }
  llvm::json::Object* object = value->getAsObject();
  if (object == nullptr) {
    ADD_FAILURE() << "no object: " << text;
    return {};
  }
  return std::move(*object);
}

std::string member(const llvm::json::Object& object, const std::string& key) {
  const llvm::json::Value* value = object.get(key);
  if (value == nullptr) return "absent";
  std::string text;
  llvm::raw_string_ostream out(text);
  out << *value;
  return out.str();
}

std::vector<llvm::json::Object> elements(const llvm::json::Object& object, const std::string& key) {
  std::vector<llvm::json::Object> objects;
  const llvm::json::Array* array = object.getArray(key);
  if (array == nullptr) {
    ADD_FAILURE() << "no array " << key;
    return objects;
  }
  for (const llvm::json::Value& value : *array)
    if (const llvm::json::Object* element = value.getAsObject()) objects.push_back(*element);
  return objects;
}

void make_database(const std::string& path) {
  using tuning_db::Record;
  using tuning_db::Verdict;
  auto db = tuning_db::Database::open(path, tuning_db::Database::Mode::read_write);
  db.put_workload({kFcKey, "fc", "matmul", kFcText});
  db.put_workload({kConvKey, "conv", "conv2d", kConvText});
  db.put_target({kTargetKey, "x86", "avx2", "caches=32768"});
  Record record;
  record.workload_key = kFcKey;
  record.target_key = kTargetKey;
  record.created = "2026-01-02T03:04:05.000Z";
  record.seconds = 2e-3;
  record.samples = {2e-3, 1.5e-3, 2.5e-3};
  record.gflops = 12.5;
  record.peak_gflops = 100;
  record.provenance = R"({"seed":7})";
  db.add(record);
  record.schedule = "split(m,mo,mi,6) vectorize(N)";
  record.seconds = 5e-4;
  record.predicted_seconds = 4e-4;
  record.samples = {5e-4};
  record.gflops = 50;
  db.add(record);
  Record failure;
  failure.workload_key = kFcKey;
  failure.target_key = kTargetKey;
  failure.created = "2026-01-02T03:04:06.000Z";
  failure.schedule = "vectorize(M)";
  failure.verdict = Verdict::wrong;
  failure.reason = "C[0] is 1, expected 2\nand more";
  db.add(failure);
  failure.workload_key = kConvKey;
  failure.schedule = "";
  failure.verdict = Verdict::crashed;
  failure.reason = "signal 11";
  db.add(failure);
}

}  // namespace swgen::cli
