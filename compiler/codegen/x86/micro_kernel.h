// SPDX-License-Identifier: Apache-2.0
// The register-blocked micro-kernel of one GEMM primitive, as a function per tile shape.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/codegen/writer.h"
#include "compiler/codegen/x86/padding.h"
#include "compiler/ir/program.h"
#include "compiler/target/target.h"

namespace swgen::codegen::x86 {

class MicroKernel {
 public:
  /// Throws base::Infeasible when an operand's address does not suit the primitive.
  MicroKernel(const ir::Program& program, const ir::Gemm& gemm, const ir::Limits& limits,
              const target::Target& target);

  /// All functions this primitive needs, one per combination of full and cut tiles.
  void define(Writer& w) const;

  /// The call inside the loops. `pointer` gives the C expression of an operand's base.
  void call(Writer& w, const std::function<std::string(const ir::Operand&)>& pointer) const;

  /// Elements in one vector; 1 = scalars.
  int64_t lanes() const { return lanes_; }
  bool along_k() const { return gemm_.lanes == ir::Lanes::k; }
  int64_t max_rows() const;
  int64_t max_vectors() const;

 private:
  struct Address {
    ir::Linear outer;  // over loop variables
    ir::Linear tile;   // over tile variables
  };
  struct Variant {
    std::map<std::string, int64_t> extents;  // of the M tiles and the counted N tiles
    std::vector<Border> borders;             // one per guard
    std::string name;
  };

  Address address(const ir::Operand& operand) const;
  void choose_lanes(const target::Target& target);
  void find_variants();
  void split_at_borders();
  std::vector<int64_t> values_of(const ir::Expr& end) const;
  std::vector<Point> rows(const Variant& v) const;
  std::vector<Point> columns(const Variant& v) const;
  int64_t at(const Address& a, const Point& row, const Point& column) const;
  int64_t lane_stride(const Address& a) const;
  /// N tiles that are enumerated like rows: all but the one that holds the lanes.
  size_t counted_columns() const { return gemm_.n.size() - (lanes_ > 1 && !along_k() ? 1 : 0); }
  std::string lane_tile() const { return along_k() ? gemm_.k.back().name : gemm_.n.empty() ? "" : gemm_.n.back().name; }
  /// Whether bias or ReLU wait for the last block of the sum.
  bool waits() const { return (gemm_.bias || gemm_.relu) && !gemm_.last.is_constant(); }
  std::string value(const char* pointer, int64_t offset, int64_t stride) const;

  void define_one(Writer& w, const Variant& v) const;
  /// The loops over K from tile `depth` on; tiles that reach into padding are unrolled into runs of
  /// taps with the same rows. `pa` and `pb` are the pointers so far, `taps` the unrolled ones.
  void sum(Writer& w, const Variant& v, size_t depth, const std::string& pa, const std::string& pb,
           const Point& taps) const;
  bool cut(const Variant& v, const std::string& tap) const;
  /// Rows with data at these taps, by number; guards with taps still open do not count.
  std::vector<size_t> active(const Variant& v, const Point& taps) const;
  std::vector<std::string> tests(const Variant& v, const std::vector<const ir::Tile*>& counted) const;
  void start(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns) const;
  void inner(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns,
             const std::vector<size_t>& active) const;
  void finish(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns) const;
  // Lanes along K, in micro_kernel_dots.cpp.
  void check_dots() const;
  void sum_dots(Writer& w, const Variant& v, const std::string& pa, const std::string& pb, const Point& taps) const;
  void finish_dots(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns) const;
  void define_folds(Writer& w) const;
  void define_load_part(Writer& w) const;
  static void each_row(Writer& w, const std::vector<Point>& rows, const std::vector<Point>& columns,
                       const std::function<std::string(size_t, size_t, const std::string&)>& text);
  std::string parameters() const;

  const ir::Program& program_;
  const ir::Gemm& gemm_;
  const ir::Limits& limits_;
  std::string type_, vec_;
  Address a_, b_, c_, bias_;
  int64_t lanes_ = 1;
  bool partial_ = false;               // the lanes can be cut, those of N
  bool rest_ = false;                  // the lanes can be cut, those of K
  std::vector<std::string> bound_vars_;  // loop variables that K bounds use
  std::vector<PaddingGuard> guards_;
  std::vector<Variant> variants_;
};

}  // namespace swgen::codegen::x86
