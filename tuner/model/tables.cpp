// SPDX-License-Identifier: Apache-2.0
#include "tuner/model/tables.h"

#include <sstream>
#include <vector>

#include "compiler/base/error.h"

namespace swgen::tuner {
namespace {

std::vector<std::pair<double, double>> read_table(const std::string& name) {
  const auto found = embedded_tables().find(name);
  if (found == embedded_tables().end()) throw base::InternalError("no table " + name);
  std::istringstream in(found->second);
  std::string line;
  std::getline(in, line);  // titles
  std::vector<std::pair<double, double>> rows;
  char comma = 0;
  for (double x = 0, y = 0; in >> x >> comma >> y;) rows.emplace_back(x, y);
  if (rows.size() < 2) throw base::InternalError("table " + name + " has no rows");
  return rows;
}

}  // namespace

double strided_dma_rate(double block_bytes) {
  static const std::vector<std::pair<double, double>> rows = read_table("sw26010/dma_strided_get.csv");
  if (block_bytes <= rows.front().first) return rows.front().second * 1e6 * block_bytes / rows.front().first;
  for (size_t i = 1; i < rows.size(); ++i)
    if (block_bytes <= rows[i].first) {
      const auto& [x0, y0] = rows[i - 1];
      const auto& [x1, y1] = rows[i];
      return 1e6 * (y0 + (y1 - y0) * (block_bytes - x0) / (x1 - x0));
    }
  return rows.back().second * 1e6;
}

}  // namespace swgen::tuner
