// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/structure/rules.h"

namespace swgen::structure {

std::string to_string(const Violation& violation) {
  return violation.path + ":" + std::to_string(violation.line) + ": " + violation.message;
}

const std::vector<Rule>& rule_table() {
  static const std::vector<Rule> table = {
      {"FolderOrder", check_folder_order},
      {"PassesIncludeNoPass", check_passes},
      {"ThirdPartyHomes", check_third_party_homes},
      {"FileLength", check_length},
      {"LicenseLine", check_license},
      {"TargetNames", check_target_names},
      {"BuildLists", check_build_lists},
  };
  return table;
}

}  // namespace swgen::structure
