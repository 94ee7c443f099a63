// SPDX-License-Identifier: Apache-2.0
#include "tuner/simulate/validate.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "tuner/simulate/published.h"

namespace swgen::tuner {
namespace {

using base::cat;
namespace fs = std::filesystem;

using Row = std::map<std::string, double>;  // without empty fields

/// One measured column and what is simulated for it.
struct Column {
  const char* name;
  std::function<double(const Row&)> simulate;
};

struct Dataset {
  const char* what;
  std::vector<const char*> inputs;
  std::vector<Column> columns;
  double least_factor = 1;  // where the unit of the source is uncertain: one factor from here to 1
};

std::int64_t whole(const Row& row, const char* name) { return static_cast<std::int64_t>(row.at(name)); }
double gbps(double bytes, std::int64_t cycles) { return bytes / static_cast<double>(cycles) * published::kHertz / 1e9; }
double mbps(const published::Transfer& t) { return 1e3 * gbps(static_cast<double>(t.bytes), t.cycles); }
double gflops(double flops, std::int64_t cycles) { return gbps(flops, cycles); }
double gemm_flops(const Row& r, const char* m, const char* n, const char* k) { return 2 * r.at(m) * r.at(n) * r.at(k); }

double contiguous(const Row& r, bool put) {
  const std::int64_t bytes = whole(r, "bytes_per_cpe");
  return gbps(64.0 * static_cast<double>(bytes), published::contiguous_cycles(put, bytes));
}

double ten_blocks(const Row& r, int pitch) {
  const published::Transfer t = published::ten_blocks(whole(r, "block_bytes"), pitch * whole(r, "block_bytes"));
  return mbps(t) / 1e3;
}

double stream(const Row& r, int reads) { return mbps(published::stream_round(reads, whole(r, "bytes"), whole(r, "bytes"), 0)); }

double swgemm(const Row& r) {
  const std::int64_t m = whole(r, "M"), n = whole(r, "N"), k = whole(r, "K");
  return gflops(gemm_flops(r, "M", "N", "K"), published::swgemm_cycles(m, n, k, published::swgemm_blocking(m, n, k)));
}

/// The plan runs on all core groups at once, each with a part of the rows and a memory of its own.
double swdnn(const Row& r) {
  const std::int64_t groups = whole(r, "cgs");
  const published::Convolution c = {whole(r, "B"), whole(r, "Ni"), whole(r, "No"), whole(r, "K"), whole(r, "Ro") / groups, whole(r, "Ro")};
  const double flops = 2.0 * static_cast<double>(c.batch * c.in * c.out * c.kernel * c.kernel * c.rows * c.columns * groups);
  return gflops(flops, published::swdnn_batch_cycles(c, whole(r, "bCo")));
}

const std::vector<Dataset>& datasets() {
  static const std::vector<Dataset> all = {
      {"DMA, contiguous", {"bytes_per_cpe"}, {{"get_gbps", [](const Row& r) { return contiguous(r, false); }}, {"put_gbps", [](const Row& r) { return contiguous(r, true); }}}},
      {"DMA, strided get", {"block_bytes"}, {{"mb_per_s", [](const Row& r) { return mbps(published::strided_get(whole(r, "block_bytes"))); }}}},
      // The curves' labels are exchanged: those labelled as the model have the scatter of a measurement.
      {"DMA, ten blocks", {"block_bytes"}, {{"gap1_labelled_model_gbps", [](const Row& r) { return ten_blocks(r, 2); }},
                                            {"pitch7_labelled_model_gbps", [](const Row& r) { return ten_blocks(r, 7); }}}},
      {"STREAM, contiguous", {"bytes"}, {{"copy_mbps", [](const Row& r) { return stream(r, 1); }}, {"scale_mbps", [](const Row& r) { return stream(r, 1); }},
                                         {"add_mbps", [](const Row& r) { return stream(r, 2); }}, {"triad_mbps", [](const Row& r) { return stream(r, 2); }}}},
      {"STREAM copy, strided", {"gap_doubles", "block_doubles"}, {{"copy_mbps", [](const Row& r) {
         return mbps(published::stream_round(1, 24576, 8 * whole(r, "block_doubles"), 8 * whole(r, "gap_doubles")));
       }}}},
      {"GEMM in scratch, published body", {"M", "K", "N"}, {{"gflops_1e9", [](const Row& r) {
         return gflops(gemm_flops(r, "M", "N", "K"), published::ldm_gemm_cycles(whole(r, "M"), whole(r, "N"), whole(r, "K")));
       }}}},
      {"SGEMM 1024 by blocking, swGEMM's plan", {"BN", "BM", "BK"}, {{"gflops", [](const Row& r) {
         return gflops(2.0 * 1024 * 1024 * 1024, published::swgemm_cycles(1024, 1024, 1024, {whole(r, "BN"), whole(r, "BM"), whole(r, "BK")}));
       }}}, 0.85},
      {"SGEMM, swGEMM's plan", {"M", "K", "N"}, {{"swgemm_gflops", swgemm}}, 0.85},
      {"convolution, swDNN's plan", {"B", "Ni", "No", "K", "Ro", "bCo", "cgs"}, {{"gflops", swdnn}}},
  };
  return all;
}

struct Table {
  std::string file;
  std::vector<std::string> titles;
  std::vector<std::pair<int, Row>> rows;  // with their lines
};

Table read_table(const fs::path& path) {
  Table t;
  t.file = path.filename().string();
  std::ifstream in(path);
  if (!in) throw base::UserError(path.string() + ": error: can't be read");
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const std::vector<std::string> fields = base::split(line, ',');
    if (t.titles.empty()) {
      t.titles = fields;
      continue;
    }
    if (fields.size() != t.titles.size())
      throw base::UserError(cat(path.string(), ":", number, ": error: found ", fields.size(), " fields, expected ", t.titles.size()));
    Row row;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].empty()) continue;
      char* end = nullptr;
      const double value = std::strtod(fields[i].c_str(), &end);
      if (*end == '\0') row[t.titles[i]] = value;
    }
    t.rows.emplace_back(number, row);
  }
  return t;
}

bool has(const Table& t, const std::string& title) { return std::find(t.titles.begin(), t.titles.end(), title) != t.titles.end(); }

const Dataset* dataset_of(const Table& t) {
  for (const Dataset& d : datasets()) {
    bool all = std::all_of(d.inputs.begin(), d.inputs.end(), [&](const char* c) { return has(t, c); });
    for (const Column& c : d.columns) all &= has(t, c.name);
    if (all) return &d;
  }
  return nullptr;
}

Validation run(const Table& table, const Dataset& dataset, const fs::path& folder) {
  Validation v;
  v.file = table.file;
  v.what = dataset.what;
  std::vector<double> simulated, measured;
  std::vector<std::string> places;
  for (const auto& [line, row] : table.rows) {
    for (const char* input : dataset.inputs)
      if (row.count(input) == 0 || row.at(input) < (std::string(input) == "gap_doubles" ? 0 : 1))
        throw base::UserError(cat((folder / table.file).string(), ":", line, ": error: found no positive number in column ", input));
    for (const Column& c : dataset.columns) {
      if (row.count(c.name) == 0) continue;
      simulated.push_back(c.simulate(row));
      measured.push_back(row.at(c.name));
      std::string place = c.name;
      for (const char* input : dataset.inputs) place += cat(" ", input, "=", row.at(input));
      places.push_back(place);
    }
  }
  v.points = static_cast<int>(measured.size());
  if (v.points == 0) return v;
  if (dataset.least_factor < 1) {
    std::vector<double> ratios;
    for (size_t i = 0; i < measured.size(); ++i) ratios.push_back(measured[i] / simulated[i]);
    std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
    v.factor = std::clamp(ratios[ratios.size() / 2], dataset.least_factor, 1.0);
  }
  for (size_t i = 0; i < measured.size(); ++i) {
    const double error = 100 * std::fabs(v.factor * simulated[i] / measured[i] - 1);
    v.mean_abs_error += error / v.points;
    if (error > v.worst_abs_error) {
      v.worst_abs_error = error;
      v.worst = places[i];
    }
  }
  v.spearman = spearman(simulated, measured);
  return v;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (size_t j = i; j < end; ++j) rank[order[j]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return rank;
}

}  // namespace

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks(a), y = ranks(b);
  const double n = static_cast<double>(a.size()), mean = (n - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

ValidationResult validate_sw26010(const std::string& folder) {
  if (!fs::is_directory(folder)) throw base::UserError("found no folder '" + folder + "', expected one with CSV files");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ValidationResult result;
  for (const fs::path& file : files) {
    const Table table = read_table(file);
    if (const Dataset* dataset = dataset_of(table))
      result.datasets.push_back(run(table, *dataset, folder));
    else
      result.skipped.push_back(table.file);
  }
  if (result.datasets.empty()) throw base::UserError("found no CSV file in '" + folder + "' with the columns of a known series");
  return result;
}

}  // namespace swgen::tuner
