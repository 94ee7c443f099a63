// SPDX-License-Identifier: Apache-2.0
// A folder with packages in it, and the programs that make, build and run them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace swgen::package_test {

struct Outcome {
  int status = -1;  ///< exit status; -1 when the command did not end by itself
  std::string out, err;
};

/// Runs a command found along $PATH in `folder`, with SWGEN_DB unset.
Outcome run(const std::string& folder, const std::vector<std::string>& command);

/// Path below `folder` -> contents, for all files.
std::map<std::string, std::string> read_tree(const std::string& folder);

void write_file(const std::string& path, const std::string& text);

class PackageTest : public testing::Test {
 protected:
  PackageTest();
  ~PackageTest() override;

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  /// Runs a command in the folder; a failure is reported with what it printed.
  Outcome expect_success(const std::vector<std::string>& command) const;

  /// swgen emit WORKLOADS --out OUT ...: the model's pick, there being no database.
  Outcome emit(const std::string& workloads, const std::string& out,
               const std::vector<std::string>& more = {}) const;

  std::string folder_;
};

}  // namespace swgen::package_test
