// SPDX-License-Identifier: Apache-2.0
// The command line of swgen-bench.
#pragma once

#include <string>
#include <vector>

namespace swgen::bench {

struct Arguments {
  std::vector<std::string> files, sets;
  std::string target = "x86", db, cxx;
  std::vector<std::string> compilers;
  std::string work;  // where packages are built; "" = a folder that is removed at the end
  int threads = 1;
  int repeats = 11;
  bool nchw = false;  // also the plain layout of every convolution with a free one
  bool json = false;
};

/// Prints help and sets `go` to false where --help is given. Throws base::UserError.
Arguments parse_arguments(int argc, char** argv, bool& go);

}  // namespace swgen::bench
