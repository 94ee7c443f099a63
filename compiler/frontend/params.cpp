// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/params.h"

#include <set>

#include "compiler/base/text.h"
#include "compiler/frontend/scalars.h"

namespace swgen::frontend {
namespace {

std::string dimension_names(int spatial_rank) {
  if (spatial_rank == 1) return "(width)";
  if (spatial_rank == 2) return "(height, width)";
  return "(depth, height, width)";
}

std::optional<ParamValue> read_scalar(const ParamSpec& spec, const Node& node,
                                      base::Diagnostics& errors) {
  if (spec.kind == ParamKind::boolean) {
    const auto value = read_boolean(node, errors);
    if (!value) return std::nullopt;
    return ParamValue{{*value ? 1 : 0}, *value ? "true" : "false", node.at};
  }
  const auto value = read_integer(node, spec.minimum, errors);
  if (!value) return std::nullopt;
  return ParamValue{{*value}, std::to_string(*value), node.at};
}

std::optional<ParamChoices> read_expanding(const ParamSpec& spec, const Node& node,
                                           base::Diagnostics& errors) {
  ParamChoices out{spec.name, {}, true};
  std::set<std::string> seen;
  bool good = true;
  for (const Node& item : node.items) {
    std::optional<ParamValue> value = read_scalar(spec, item, errors);
    good = good && value;
    if (!value) continue;
    if (!seen.insert(value->spelling).second) {
      errors.error(item.at, "found " + value->spelling + " again, expected each value once");
      good = false;
    }
    out.values.push_back(*value);
  }
  return good ? std::optional(out) : std::nullopt;
}

void report_form(const ParamSpec& spec, int rank, const Node& node, base::Diagnostics& errors) {
  std::string found = describe(node);
  if (node.is_sequence() && !node.items.empty())
    found = base::cat("a list of length ", node.items.size());
  errors.error(node.at, "found " + found + ", expected " + expected_form(spec, rank));
}

// One number for all dimensions, stored `count` times.
std::optional<std::vector<int64_t>> read_uniform(const ParamSpec& spec, int count, const Node& node,
                                                 base::Diagnostics& errors) {
  const auto value = read_integer(node, spec.minimum, errors);
  if (!value) return std::nullopt;
  return std::vector<int64_t>(count, *value);
}

// The numbers of a list, each stored `copies` times.
std::optional<std::vector<int64_t>> read_numbers(const ParamSpec& spec, int copies,
                                                 const Node& list, base::Diagnostics& errors) {
  std::vector<int64_t> out;
  bool good = true;
  for (const Node& item : list.items) {
    const auto value = read_integer(item, spec.minimum, errors);
    good = good && value;
    out.insert(out.end(), copies, value.value_or(0));
  }
  return good ? std::optional(out) : std::nullopt;
}

std::optional<std::vector<int64_t>> read_pairs(const ParamSpec& spec, const Node& list,
                                               base::Diagnostics& errors) {
  std::vector<int64_t> out;
  bool good = true;
  for (const Node& pair : list.items) {
    if (pair.is_refused() || !pair.is_sequence() || pair.items.size() != 2) {
      if (!pair.is_refused())
        errors.error(pair.at, "found " + describe(pair) +
                                  " among pairs, expected [begin, end] for every dimension");
      good = false;
      continue;
    }
    const auto values = read_numbers(spec, 1, pair, errors);
    good = good && values;
    if (values) out.insert(out.end(), values->begin(), values->end());
  }
  return good ? std::optional(out) : std::nullopt;
}

std::optional<std::vector<int64_t>> read_dimensions(const ParamSpec& spec, int rank,
                                                    const Node& node, base::Diagnostics& errors) {
  const int copies = spec.kind == ParamKind::padding ? 2 : 1;
  if (!node.is_sequence() && !node.is_mapping())
    return read_uniform(spec, rank * copies, node, errors);
  if (!node.is_sequence() || static_cast<int>(node.items.size()) != rank) {
    report_form(spec, rank, node, errors);
    return std::nullopt;
  }
  bool pairs = false;
  for (const Node& item : node.items) pairs = pairs || item.is_sequence();
  if (pairs && spec.kind == ParamKind::padding) return read_pairs(spec, node, errors);
  return read_numbers(spec, copies, node, errors);
}

}  // namespace

std::string expected_form(const ParamSpec& spec, int spatial_rank) {
  if (spec.kind == ParamKind::boolean) return "true or false";
  const std::string number = base::cat("a whole number >= ", spec.minimum);
  if (spec.kind == ParamKind::integer) return number;
  std::string form =
      base::cat(number, " or a list of ", spatial_rank, " of them ", dimension_names(spatial_rank));
  if (spec.kind == ParamKind::padding)
    form += base::cat(", or a list of ", spatial_rank, " pairs [begin, end]");
  return form;
}

std::optional<ParamChoices> read_param(const ParamSpec& spec, int spatial_rank, const Node& node,
                                       base::Diagnostics& errors) {
  if (node.is_refused()) return std::nullopt;
  if (spec.kind == ParamKind::integer || spec.kind == ParamKind::boolean) {
    if (node.is_sequence() && !node.items.empty()) return read_expanding(spec, node, errors);
    const auto value = read_scalar(spec, node, errors);
    if (!value) return std::nullopt;
    return ParamChoices{spec.name, {*value}, false};
  }
  const auto values = read_dimensions(spec, spatial_rank, node, errors);
  if (!values) return std::nullopt;
  return ParamChoices{spec.name, {ParamValue{*values, "", node.at}}, false};
}

std::vector<int64_t> default_values(const ParamSpec& spec, int spatial_rank) {
  int count = 1;
  if (spec.kind == ParamKind::per_dimension) count = spatial_rank;
  if (spec.kind == ParamKind::padding) count = 2 * spatial_rank;
  return std::vector<int64_t>(count, spec.default_value.value_or(0));
}

}  // namespace swgen::frontend
