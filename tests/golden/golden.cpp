// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/base/text.h"

namespace swgen::golden {

bool update_wanted() {
  const char* value = std::getenv("SWGEN_UPDATE_GOLDENS");
  return value != nullptr && std::string(value) == "1";
}

std::string compare(const std::string& path, const std::string& text, bool update) {
  if (update) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    return out.good() ? "" : "cannot write " + path;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return "found no golden " + path + "; SWGEN_UPDATE_GOLDENS=1 writes it";
  const std::string expected(std::istreambuf_iterator<char>(in), {});
  if (expected == text) return "";
  const auto found_lines = base::split(text, '\n'), expected_lines = base::split(expected, '\n');
  for (size_t i = 0; i < found_lines.size() || i < expected_lines.size(); ++i) {
    const auto line = [&](const std::vector<std::string>& lines) {
      return i < lines.size() ? "'" + lines[i] + "'" : std::string("the end");
    };
    if (line(found_lines) != line(expected_lines))
      return base::cat(path, ":", i + 1, ": found ", line(found_lines), ", expected ",
                       line(expected_lines), "; SWGEN_UPDATE_GOLDENS=1 writes what was found");
  }
  return path + ": differs at its end";
}

}  // namespace swgen::golden
