// SPDX-License-Identifier: Apache-2.0
#include "compiler/base/diagnostics.h"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace swgen::base {
namespace {

std::string line_of(const std::string& text, int line) {
  std::istringstream in(text);
  std::string found;
  for (int i = 0; i < line; ++i)
    if (!std::getline(in, found)) return {};
  return found;
}

}  // namespace

void Diagnostics::print(std::ostream& out) const {
  std::vector<Diagnostic> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.at.file, a.at.line, a.at.column) <
           std::tie(b.at.file, b.at.line, b.at.column);
  });
  for (const Diagnostic& d : sorted) {
    if (!d.at.file.empty()) {
      out << d.at.file << ':';
      if (d.at.line > 0) out << d.at.line << ':' << d.at.column << ':';
      out << ' ';
    }
    out << "error: " << d.message << '\n';
    const auto source = sources_.find(d.at.file);
    if (source == sources_.end() || d.at.line <= 0) continue;
    const std::string line = line_of(source->second, d.at.line);
    std::string caret;
    for (int i = 0; i + 1 < d.at.column; ++i)
      caret += i < static_cast<int>(line.size()) && line[i] == '\t' ? '\t' : ' ';
    out << "  " << line << "\n  " << caret << "^\n";
  }
}

std::string Diagnostics::text() const {
  std::ostringstream out;
  print(out);
  return out.str();
}

}  // namespace swgen::base
