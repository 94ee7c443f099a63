// SPDX-License-Identifier: Apache-2.0
#include "tuner/model/mesh_costs.h"

#include <map>
#include <sstream>
#include <string>

#include "compiler/base/error.h"
#include "tuner/model/tables.h"

namespace swgen::tuner {
namespace {

MeshCosts read() {
  std::istringstream in(embedded_tables().at("sw26010/mesh_costs.csv"));
  std::string line;
  std::map<std::string, double> values;
  std::getline(in, line);  // titles
  while (std::getline(in, line))
    if (const size_t comma = line.find(','); comma != std::string::npos) values[line.substr(0, comma)] = std::stod(line.substr(comma + 1));
  const auto value = [&](const char* name) {
    const auto found = values.find(name);
    if (found == values.end()) throw base::InternalError(std::string("no ") + name + " in mesh_costs.csv");
    return found->second;
  };
  MeshCosts c;
  c.gemm_call = value("gemm_call");
  c.gemm_row = value("gemm_row");
  c.gemm_tile = value("gemm_tile");
  c.gemm_k = value("gemm_k");
  c.straight = value("straight");
  c.row = value("row");
  c.turn = value("turn");
  c.turn_rows = value("turn_rows");
  c.scalar = value("scalar");
  c.zero = value("zero");
  c.call = value("call");
  c.place = value("place");
  c.round = value("round");
  c.error = value("error");
  return c;
}

}  // namespace

const MeshCosts& mesh_costs() {
  static const MeshCosts costs = read();
  return costs;
}

}  // namespace swgen::tuner
