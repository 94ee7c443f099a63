// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/report.h"

#include <cstdio>
#include <utility>

#include "bench/peers/protocol.h"
#include "cli/output.h"
#include "compiler/base/text.h"

namespace swgen::bench {
namespace {

using base::cat;
using Align = cli::Table::Align;
using Members = std::vector<std::pair<std::string, std::string>>;

std::string number(const std::optional<double>& value, int decimals) {
  return cli::format_number(value.value_or(0), decimals);
}

double percent(double gflops, double peak) { return peak > 0 ? 100 * gflops / peak : 0; }

bool has_twins(const Report& report) {
  for (const Scores& s : report.scores)
    if (s.plain_twin) return true;
  return false;
}

bool has_speedups(const Report& report) {
  for (const Scores& s : report.scores)
    if (s.speedup) return true;
  return false;
}

std::vector<cli::Table::Column> columns_of(const Report& report) {
  std::vector<cli::Table::Column> columns = {{"workload"}, {"peak", Align::right}};
  for (const std::string& compiler : report.compilers) columns.push_back({compiler, Align::right});
  for (const char* title :
       {"% peak", "oneDNN", "% peak", "OpenBLAS", "% peak", "x oneDNN", "x OpenBLAS"})
    columns.push_back({title, Align::right});
  if (report.compilers.size() == 2)
    columns.push_back({report.compilers[1] + "/" + report.compilers[0], Align::right});
  if (has_speedups(report)) columns.push_back({"x 1 thread", Align::right});
  if (has_twins(report))
    for (const char* title : {"nchw: swgen", "% peak", "oneDNN", "x oneDNN"})
      columns.push_back({title, Align::right});
  return columns;
}

std::string percent_cell(const std::optional<double>& gflops, double peak) {
  return number(percent(gflops.value_or(0), peak), 1);
}

std::vector<std::string> row_of(const Report& report, const Scores& s, const Scores* twin) {
  const bool noisy = s.noisy || (twin != nullptr && twin->noisy);
  std::vector<std::string> row = {s.workload + (noisy ? " *" : ""), number(s.peak, 1)};
  for (const auto& build : s.builds) row.push_back(number(build.second, 1));
  for (const std::string& cell :
       {percent_cell(s.swgen, s.peak), number(s.onednn, 1), percent_cell(s.onednn, s.peak),
        number(s.openblas, 1), percent_cell(s.openblas, s.peak), number(s.vs_onednn, 3),
        number(s.vs_openblas, 3)})
    row.push_back(cell);
  if (report.compilers.size() == 2) row.push_back(number(s.build_ratio, 3));
  if (has_speedups(report)) row.push_back(number(s.speedup, 2));
  if (!has_twins(report)) return row;
  const Scores none;
  const Scores& t = twin != nullptr ? *twin : none;
  for (const std::string& cell : {number(t.swgen, 1), percent_cell(t.swgen, t.peak),
                                  number(t.onednn, 1), number(t.vs_onednn, 3)})
    row.push_back(cell);
  return row;
}

void print_floor(std::ostream& out, const FloorResult& floor) {
  char text[256];
  const char* verdict = floor.count == 0 ? "-   " : floor.pass() ? "pass" : "FAIL";
  std::snprintf(text, sizeof text, "%s  %s >= %.2f", verdict, floor.floor.c_str(), floor.least);
  out << text;
  if (floor.count == 0) {
    out << ": not measured\n";
    return;
  }
  std::snprintf(text, sizeof text, ": %d of %d, worst %.3f (%s)\n", floor.passed, floor.count,
                floor.worst, floor.worst_workload.c_str());
  out << text;
}

std::string json_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string json_array(const std::vector<std::string>& elements) {
  return "[" + base::join(elements, ",") + "]";
}

std::string json_speed(double gflops, double peak) {
  return json_object(
      {{"gflops", json_number(gflops)}, {"percent_of_peak", json_number(percent(gflops, peak))}});
}

std::string json_result(const Scores& s) {
  Members builds, peers;
  for (const auto& [compiler, gflops] : s.builds)
    builds.emplace_back(compiler, json_speed(gflops, s.peak));
  if (s.onednn)
    peers.emplace_back("onednn", json_object({{"gflops", json_number(*s.onednn)},
                                              {"layout", json_string(*s.onednn_layout)},
                                              {"ratio", json_number(*s.vs_onednn)}}));
  if (s.openblas)
    peers.emplace_back("openblas", json_object({{"gflops", json_number(*s.openblas)},
                                                {"ratio", json_number(*s.vs_openblas)}}));
  Members members = {
      {"workload", json_string(s.workload)},  {"layout", json_string(s.layout)},
      {"schedule", json_string(s.schedule)},  {"peak_gflops", json_number(s.peak)},
      {"swgen", json_speed(s.swgen, s.peak)}, {"builds", json_object(builds)},
      {"peers", json_object(peers)},          {"disturbed_rounds", std::to_string(s.disturbed)},
      {"noisy", s.noisy ? "true" : "false"}};
  if (s.build_ratio) members.emplace_back("build_ratio", json_number(*s.build_ratio));
  if (s.speedup) members.emplace_back("speedup", json_number(*s.speedup));
  return json_object(members);
}

std::string json_floor(const FloorResult& floor) {
  Members members = {{"floor", json_string(floor.floor)},
                     {"least", json_number(floor.least)},
                     {"measured", std::to_string(floor.count)},
                     {"passed", std::to_string(floor.passed)}};
  if (floor.count > 0) {
    members.emplace_back("worst", json_number(floor.worst));
    members.emplace_back("worst_workload", json_string(floor.worst_workload));
    members.emplace_back("pass", floor.pass() ? "true" : "false");
  }
  return json_object(members);
}

double median_peak(const Report& report) {
  std::vector<double> peaks;
  for (const Scores& s : report.scores) peaks.push_back(s.peak);
  return median(peaks);
}

}  // namespace

void print_table(std::ostream& out, const Report& report) {
  out << "GFLOP/s, medians, " << report.threads << (report.threads == 1 ? " thread" : " threads")
      << ", " << report.target << "; FMA peak " << number(median_peak(report), 1)
      << "; ratios are of the slower build\n\n";
  cli::Table table(columns_of(report));
  int disturbed = 0;
  bool noisy = false;
  for (size_t i = 0; i < report.scores.size(); ++i) {
    disturbed += report.scores[i].disturbed;
    noisy = noisy || report.scores[i].noisy;
    if (report.scores[i].plain_twin) continue;
    const bool twin = i + 1 < report.scores.size() && report.scores[i + 1].plain_twin;
    table.add(row_of(report, report.scores[i], twin ? &report.scores[i + 1] : nullptr));
  }
  table.print(out);
  out << '\n';
  for (const FloorResult& floor : report.floors) print_floor(out, floor);
  if (disturbed > 0)
    out << "Other processes computed during " << disturbed << " rounds, which were repeated.\n";
  if (noisy) out << "* most rounds were disturbed, so that they count: not a measurement to keep\n";
}

void print_json(std::ostream& out, const Report& report) {
  std::vector<std::string> results, floors;
  for (const Scores& s : report.scores) results.push_back(json_result(s));
  for (const FloorResult& floor : report.floors) floors.push_back(json_floor(floor));
  out << json_object({{"target", json_string(report.target)},
                      {"threads", std::to_string(report.threads)},
                      {"peak_gflops", json_number(median_peak(report))},
                      {"results", json_array(results)},
                      {"floors", json_array(floors)}})
      << '\n';
}

}  // namespace swgen::bench
