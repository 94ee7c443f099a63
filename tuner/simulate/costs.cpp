// SPDX-License-Identifier: Apache-2.0
#include "tuner/simulate/costs.h"

#include <cmath>
#include <memory>
#include <string>

#include "compiler/codegen/sw26010/convert_assembly.h"
#include "compiler/codegen/sw26010/gemm_assembly.h"
#include "runtime/sim/primitive.h"

namespace swgen::tuner {
namespace {

using sim::Primitive;

constexpr std::int64_t kScratch = 1024;     // where operands begin: time does not depend on it
constexpr std::int64_t kScalarElement = 11; // a loop of a load (4) and a conversion (7) that do not overlap
constexpr std::int64_t kCall = 20;          // cycles around a call: arguments, branch, return

Primitive& gemm_of(ir::Lanes lanes, bool overwrite) {
  static std::unique_ptr<Primitive> all[2][2];
  const bool n = lanes == ir::Lanes::n;
  std::unique_ptr<Primitive>& p = all[n ? 1 : 0][overwrite ? 1 : 0];
  if (!p) p = std::make_unique<Primitive>("gemm", codegen::sw26010::gemm_assembly("gemm", {n, overwrite}));
  return *p;
}

Primitive& conversion_of(ir::DType dtype, bool narrow, bool turned) {
  static std::unique_ptr<Primitive> all[2][2][2];
  std::unique_ptr<Primitive>& p = all[dtype == ir::DType::f64 ? 1 : 0][narrow ? 1 : 0][turned ? 1 : 0];
  const ir::DType from = narrow ? ir::DType::f64 : dtype, to = narrow ? dtype : ir::DType::f64;
  if (!p) p = std::make_unique<Primitive>("convert", codegen::sw26010::convert_assembly("convert", {from, to, turned}));
  return *p;
}

}  // namespace

sim::GroupCosts group_costs(const target::Target& target) {
  const target::Dma& d = target.dma;
  const auto hundredths = [](double cycles) { return std::llround(100 * cycles); };
  sim::GroupCosts costs;
  costs.dma = {hundredths(d.get_start), hundredths(d.put_start), hundredths(d.get_contiguous), hundredths(d.get_aligned), hundredths(d.get_unaligned),
               hundredths(d.put), hundredths(d.put_narrow), hundredths(d.turn_block), hundredths(d.turn_bytes), hundredths(d.turn_line)};
  costs.spawn = std::llround(target.launch_cycles / 2);
  costs.join = std::llround(target.launch_cycles) - costs.spawn;
  costs.issue = std::llround(d.issue);
  return costs;
}

std::int64_t gemm_cycles(ir::Lanes lanes, bool overwrite, std::int64_t m8, std::int64_t n8, std::int64_t k8) {
  return gemm_of(lanes, overwrite).cycles({kScratch, kScratch, kScratch, m8, n8, k8}) + kCall;
}

std::int64_t conversion_cycles(const Conversion& c) {
  if (c.rows == 0 || c.length == 0) return 0;
  if (!c.vectors) return c.rows * c.length * kScalarElement + kCall;
  if (c.turned) return conversion_of(c.dtype, c.narrow, true).cycles({kScratch, kScratch, c.rows, c.length}) + kCall;
  const std::int64_t from = c.narrow ? c.pitch : c.length, to = c.narrow ? c.length : c.pitch;
  return conversion_of(c.dtype, c.narrow, false).cycles({kScratch, kScratch, c.rows, c.length, from, to}) + kCall;
}

std::int64_t zero_cycles(std::int64_t elements) { return elements / 4 * 2 + kCall; }

}  // namespace swgen::tuner
