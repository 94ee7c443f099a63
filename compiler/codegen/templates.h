// SPDX-License-Identifier: Apache-2.0
// The files of templates/, embedded at build time.
#pragma once

#include <map>
#include <string>

namespace swgen::codegen {

/// Path below templates/ -> text. Generated.
const std::map<std::string, std::string>& embedded_templates();

}  // namespace swgen::codegen
