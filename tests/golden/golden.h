// SPDX-License-Identifier: Apache-2.0
// Compares texts with golden files.
#pragma once

#include <string>

namespace swgen::golden {

/// Whether the environment asks to write goldens instead of comparing (SWGEN_UPDATE_GOLDENS=1).
bool update_wanted();

/// Empty when the file holds exactly `text`; else what differs, with the path. With `update` the
/// file is written and the answer is empty.
std::string compare(const std::string& path, const std::string& text, bool update);

}  // namespace swgen::golden
