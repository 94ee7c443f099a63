// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/check.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>

namespace swgen::tuner {
namespace {

double read(ir::DType t, const void* p, int64_t i) {
  return t == ir::DType::f32 ? static_cast<const float*>(p)[i] : static_cast<const double*>(p)[i];
}

void write(ir::DType t, void* p, int64_t i, double v) {
  if (t == ir::DType::f32)
    static_cast<float*>(p)[i] = static_cast<float>(v);
  else
    static_cast<double*>(p)[i] = v;
}

/// Offset of a plain index in the argument's own layout.
int64_t own_offset(const codegen::Argument& a, const std::vector<int64_t>& strides,
                   const std::vector<int64_t>& index) {
  int64_t offset = 0;
  for (size_t l = 0; l < a.layout.levels.size(); ++l) {
    const ir::LayoutLevel& level = a.layout.levels[l];
    const int64_t at = index[level.dim];
    offset += strides[l] * (level.block == 0 ? at : level.inner ? at % level.block : at / level.block);
  }
  return offset;
}

/// Calls visit(i, offset) for every element in plain order: its plain position and its offset in the
/// argument's own layout, which is a sum of one term per dimension.
template <class Visit>
void each_element(const codegen::Argument& a, const Visit& visit) {
  const std::vector<int64_t> strides = a.layout.strides(a.extents);
  std::vector<std::vector<int64_t>> terms(a.extents.size());
  for (size_t d = 0; d < a.extents.size(); ++d) {
    std::vector<int64_t> index(a.extents.size(), 0);
    for (index[d] = 0; index[d] < a.extents[d]; ++index[d]) terms[d].push_back(own_offset(a, strides, index));
  }
  int64_t i = 0;
  const auto nest = [&](const auto& self, size_t d, int64_t offset) -> void {
    if (d + 1 == terms.size()) {
      for (int64_t term : terms[d]) visit(i++, offset + term);
      return;
    }
    for (int64_t term : terms[d]) self(self, d + 1, offset + term);
  };
  nest(nest, 0, 0);
}

int64_t count(const std::vector<int64_t>& extents) {
  int64_t n = 1;
  for (int64_t e : extents) n *= e;
  return n;
}

std::vector<int64_t> unflatten(int64_t i, const std::vector<int64_t>& extents) {
  std::vector<int64_t> index(extents.size());
  for (size_t d = extents.size(); d-- > 0;) {
    index[d] = i % extents[d];
    i /= extents[d];
  }
  return index;
}

}  // namespace

GuardedMemory::GuardedMemory(size_t bytes, bool at_end) : bytes_(bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t body = (bytes + page - 1) / page * page;
  mapped_ = body + 2 * page;
  map_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map_ == MAP_FAILED) throw std::runtime_error("no memory for a tensor");
  char* const start = static_cast<char*>(map_) + page;
  if (body > 0 && mprotect(start, body, PROT_READ | PROT_WRITE) != 0)
    throw std::runtime_error("no memory for a tensor");
  data_ = at_end ? start + body - bytes : start;
}

GuardedMemory::~GuardedMemory() { munmap(map_, mapped_); }

void GuardedMemory::poison() const { std::memset(data_, 0xff, bytes_); }

double integer_value(int64_t i, int tensor) {
  // A mixing step spreads neighbours; -2 .. 2 keeps sums of 2^20 products exact in f32.
  uint64_t x = static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(tensor + 1) * 0xBF58476D1CE4E5B9u;
  x ^= x >> 29;
  x *= 0x94D049BB133111EBu;
  return static_cast<double>(static_cast<int64_t>((x >> 33) % 5) - 2);
}

void fill(const codegen::Argument& a, int position, ir::DType dtype, void* to) {
  std::memset(to, 0, static_cast<size_t>(a.elements * ir::size_of(dtype)));
  each_element(a, [&](int64_t i, int64_t offset) { write(dtype, to, offset, integer_value(i, position)); });
}

std::string compare(const MeasureRequest& request, const void* output, int64_t samples) {
  const ir::Seed& seed = request.reference;
  const auto& c = std::get<ir::Contraction>(seed.stages[0].op);
  const codegen::Argument& out = request.bundle.arguments.back();
  const std::vector<int64_t> strides = out.layout.strides(out.extents);
  std::vector<int64_t> iter(c.iters.size(), 0);
  std::vector<int> reductions;
  for (size_t i = 0; i < c.iters.size(); ++i)
    if (ir::is_reduction(c, static_cast<int>(i))) reductions.push_back(static_cast<int>(i));

  const auto element = [&](const ir::Access& access, bool& inside) {
    const ir::Tensor& t = seed.tensors[access.tensor];
    int64_t flat = 0;
    for (size_t d = 0; d < access.index.size(); ++d) {
      int64_t at = access.index[d].constant;
      for (const auto& [i, k] : access.index[d].terms) at += k * iter[i];
      if (at < 0 || at >= t.extents[d]) inside = false;
      flat = flat * t.extents[d] + at;
    }
    return flat;
  };
  const auto value = [&](const ir::Access& access) {
    bool inside = true;
    const int64_t flat = element(access, inside);
    return inside ? integer_value(flat, access.tensor - 1) : 0.0;
  };
  std::function<double(size_t)> reduce = [&](size_t r) {
    if (r == reductions.size()) return value(c.a) * value(c.b);
    double sum = 0;
    const int i = reductions[r];
    for (iter[i] = 0; iter[i] < c.iters[i].extent; ++iter[i]) sum += reduce(r + 1);
    iter[i] = 0;
    return sum;
  };

  // Output points are chosen over the iterators: corners first, then a fixed pseudo-random walk.
  std::vector<int64_t> extents;
  std::vector<int> outputs;
  for (size_t i = 0; i < c.iters.size(); ++i)
    if (!ir::is_reduction(c, static_cast<int>(i))) {
      outputs.push_back(static_cast<int>(i));
      extents.push_back(c.iters[i].extent);
    }
  const int64_t total = count(extents);
  const int64_t corners = outputs.size() < 12 ? int64_t{1} << outputs.size() : 0;
  const int64_t points = total <= samples ? total : samples + corners;
  uint64_t state = 88172645463325252u;
  for (int64_t s = 0; s < points; ++s) {
    std::vector<int64_t> at;
    if (total <= samples) {
      at = unflatten(s, extents);
    } else if (s < corners) {
      for (size_t d = 0; d < extents.size(); ++d) at.push_back((s >> d & 1) != 0 ? extents[d] - 1 : 0);
    } else {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      at = unflatten(static_cast<int64_t>(state % static_cast<uint64_t>(total)), extents);
    }
    for (size_t d = 0; d < outputs.size(); ++d) iter[outputs[d]] = at[d];
    double expected = reduce(0);
    if (c.bias) expected += value(*c.bias);
    if (c.relu && expected < 0) expected = 0;
    std::vector<int64_t> index;
    for (const ir::AffineIndex& a : c.out.index) {
      int64_t v = a.constant;
      for (const auto& [i, k] : a.terms) v += k * iter[i];
      index.push_back(v);
    }
    const double found = read(request.bundle.dtype, output, own_offset(out, strides, index));
    if (!(found == expected)) {
      std::string where;
      for (int64_t v : index) where += (where.empty() ? "" : ",") + std::to_string(v);
      char text[256];
      std::snprintf(text, sizeof text, "%s[%s]: found %g, expected %g", out.name.c_str(), where.c_str(), found, expected);
      return text;
    }
  }
  return "";
}

bool save_plain(const codegen::Argument& a, ir::DType dtype, const void* output, const std::string& path) {
  const int64_t element = ir::size_of(dtype);
  std::ofstream out(path, std::ios::binary);
  each_element(a, [&](int64_t, int64_t offset) {
    out.write(static_cast<const char*>(output) + offset * element, element);
  });
  out.close();
  return out.good();
}

std::string digest(const codegen::Argument& a, ir::DType dtype, const void* output) {
  uint64_t hash = 14695981039346656037u;
  each_element(a, [&](int64_t, int64_t offset) {
    const double v = read(dtype, output, offset) + 0.0;  // -0 counts as 0
    uint64_t bits = 0;
    std::memcpy(&bits, &v, sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
  });
  char text[32];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

}  // namespace swgen::tuner
