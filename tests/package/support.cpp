// SPDX-License-Identifier: Apache-2.0
#include "tests/package/support.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tuner/measure/process.h"

namespace swgen::package_test {

namespace fs = std::filesystem;

Outcome run(const std::string& folder, const std::vector<std::string>& command) {
  std::vector<std::string> argv = {"/usr/bin/env", "-u", "SWGEN_DB", "-C", folder};
  argv.insert(argv.end(), command.begin(), command.end());
  const tuner::ProcessResult result = tuner::run_process(argv, "", {.seconds = 300});
  const bool ended = result.signal == 0 && !result.timed_out;
  return {ended ? result.exit_code : -1, result.output, result.errors};
}

std::map<std::string, std::string> read_tree(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    files[fs::relative(entry.path(), folder).generic_string()] = text.str();
  }
  return files;
}

void write_file(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

PackageTest::PackageTest() {
  folder_ = (fs::temp_directory_path() / "swgen_package_XXXXXX").string();
  if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("cannot make " + folder_);
}

PackageTest::~PackageTest() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Outcome PackageTest::expect_success(const std::vector<std::string>& command) const {
  Outcome outcome = run(folder_, command);
  std::string text;
  for (const std::string& word : command) text += word + " ";
  EXPECT_EQ(outcome.status, 0) << text << "\n" << outcome.out << outcome.err;
  return outcome;
}

Outcome PackageTest::emit(const std::string& workloads, const std::string& out,
                          const std::vector<std::string>& more) const {
  std::vector<std::string> command = {SWGEN_BINARY, "emit", workloads, "--out", out};
  command.insert(command.end(), more.begin(), more.end());
  return run(folder_, command);
}

}  // namespace swgen::package_test
