// SPDX-License-Identifier: Apache-2.0
// The list of bad inputs in cases/, sorted by name.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "compiler/frontend/reader.h"

namespace swgen::frontend {

struct ErrorCase {
  std::string name;  // cases/<name>.yaml and cases/<name>.expected
  std::vector<Override> overrides;
};

inline std::ostream& operator<<(std::ostream& out, const ErrorCase& c) { return out << c.name; }

std::vector<ErrorCase> error_cases();

}  // namespace swgen::frontend
