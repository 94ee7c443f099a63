// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a user would, and makes databases for it.
#pragma once

#include <llvm/Support/JSON.h>

#include <string>
#include <vector>

namespace swgen::cli {

/// A folder that disappears with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct Outcome {
  int status = -1;  ///< exit status, or 128 + signal
  std::string out, err;
};

/// Runs swgen in `folder` with an environment of its own: SWGEN_DB is `database`, unset when empty.
Outcome run_swgen(const std::vector<std::string>& arguments, const std::string& folder,
                  const std::string& database = "");

/// The same in a folder of its own.
Outcome run_swgen(const std::vector<std::string>& arguments);

std::string read_file(const std::string& path);

/// Parses an object; fails the test and gives an empty one when `text` is anything else.
llvm::json::Object parse_object(const std::string& text);

/// A member of `object` as compact JSON, such as `"x"`, `1` or `[]`; "absent" when there is none.
std::string member(const llvm::json::Object& object, const std::string& key);

/// The objects in the array `key` of `object`; fails the test when there is no such array.
std::vector<llvm::json::Object> elements(const llvm::json::Object& object, const std::string& key);

// Keys of make_database: SHA-256, computed with sha256sum.
extern const char* const kFcKey;      ///< of kFcText
extern const char* const kConvKey;    ///< of kConvText
extern const char* const kTargetKey;  ///< of "x86\navx2\ncaches=32768"
extern const char* const kFcText;
extern const char* const kConvText;

/// Two workloads: "fc" with an ok reference (id 1, 2 ms), a faster ok schedule (id 2, 0.5 ms) and a
/// wrong one (id 3); "conv" with one crash (id 4). All on x86-avx2, 1 thread.
void make_database(const std::string& path);

}  // namespace swgen::cli
