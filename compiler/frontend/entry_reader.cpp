// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/entry_reader.h"

#include <algorithm>
#include <cctype>

#include "compiler/base/text.h"
#include "compiler/frontend/benchdnn.h"
#include "compiler/frontend/compute_extents.h"
#include "compiler/frontend/compute_parser.h"
#include "compiler/frontend/expand.h"
#include "compiler/frontend/overrides.h"
#include "compiler/frontend/params.h"
#include "compiler/frontend/scalars.h"
#include "compiler/frontend/suggest.h"

namespace swgen::frontend {
namespace {

constexpr Direction kDirections[] = {Direction::forward, Direction::backward_data,
                                     Direction::backward_weights};
constexpr Layout kLayouts[] = {Layout::nchw, Layout::nhwc, Layout::any};
constexpr const char* kSources[] = {"op", "compute", "benchdnn"};

// A compute expression has no parameters; its tensors lie as written, or as the schedule likes.
OperatorSchema compute_schema() {
  OperatorSchema schema;
  schema.name = "compute";
  schema.directions = {Direction::forward};
  schema.layouts = {Layout::nchw, Layout::any};
  return schema;
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& values) {
  std::vector<std::string> names;
  for (T value : values) names.push_back(name_of(value));
  return names;
}

class EntryReader {
 public:
  EntryReader(const Node& node, const std::vector<OperatorSchema>& operators,
              const std::vector<Entry>& overrides, base::Diagnostics& errors)
      : operators_(operators),
        errors_(errors),
        fields_(apply_overrides(node.entries, overrides)),
        all_keys_(!node.incomplete),
        complete_(all_keys_) {
    w_.at = node.at;
    for (const Entry& field : fields_) {
      w_.location[field.key.text] = field.value.at;
      complete_ = complete_ && !field.value.is_refused();
    }
  }

  std::vector<Workload> run();

 private:
  const Entry* find(const std::string& key) const { return find_entry(fields_, key); }
  const OperatorSchema* find_operator(const std::string& name) const;
  void read_source();
  const Entry* only_source();
  void read_op(const Node& value);
  void read_compute(const Node& value);
  void read_benchdnn(const Node& value);
  void read_name();
  void read_dtype();
  void read_epilogue();
  template <class T>
  void read_supported(const char* key, const std::vector<T>& all, std::vector<T> supported,
                      T& value);
  std::vector<std::string> legal_keys() const;
  void refuse_unknown_keys();
  void read_params();
  void add_defaults();

  void fail(const base::SourceLocation& at, const std::string& message) {
    errors_.error(at, message);
  }

  const std::vector<OperatorSchema>& operators_;
  base::Diagnostics& errors_;
  std::vector<Entry> fields_;
  bool all_keys_;                         // the YAML reader kept every key
  bool complete_;                         // and every value; what it refused it has reported
  std::string source_;                    // op, compute or benchdnn; empty: unclear
  std::optional<OperatorSchema> schema_;  // empty: unknown, reported
  std::vector<ParamChoices> choices_;
  Workload w_;
};

std::vector<Workload> EntryReader::run() {
  const size_t before = errors_.errors().size();
  read_source();
  read_name();
  const std::vector<Direction> directions(std::begin(kDirections), std::end(kDirections));
  const std::vector<Layout> layouts(std::begin(kLayouts), std::end(kLayouts));
  read_supported("direction", directions, schema_ ? schema_->directions : directions, w_.direction);
  read_supported("layout", layouts, schema_ ? schema_->layouts : layouts, w_.layout);
  read_dtype();
  read_epilogue();
  if (schema_) {
    refuse_unknown_keys();
    read_params();
    add_defaults();
  }
  if (!complete_ || errors_.errors().size() != before) return {};
  std::vector<Workload> workloads = expand(w_, choices_, errors_);
  if (schema_->check != nullptr)
    for (const Workload& workload : workloads) schema_->check(workload, errors_);
  return errors_.errors().size() == before ? workloads : std::vector<Workload>{};
}

const OperatorSchema* EntryReader::find_operator(const std::string& name) const {
  for (const OperatorSchema& schema : operators_)
    if (schema.name == name) return &schema;
  return nullptr;
}

// ---- what is computed ----

const Entry* EntryReader::only_source() {
  const Entry* found = nullptr;
  for (const char* key : kSources) {
    const Entry* entry = find(key);
    if (entry == nullptr) continue;
    if (found != nullptr) {
      fail(entry->key.at, base::cat("found ", found->key.text, " and ", key,
                                    " in one workload, expected one of them"));
      return nullptr;
    }
    found = entry;
  }
  if (found == nullptr && all_keys_)
    fail(w_.at, "found a workload without op, compute or benchdnn, expected one of them");
  return found;
}

void EntryReader::read_source() {
  const Entry* entry = only_source();
  if (entry == nullptr) return;
  source_ = entry->key.text;
  if (source_ == "op") read_op(entry->value);
  if (source_ == "compute") read_compute(entry->value);
  if (source_ == "benchdnn") read_benchdnn(entry->value);
}

void EntryReader::read_op(const Node& value) {
  std::vector<std::string> names;
  for (const OperatorSchema& schema : operators_) names.push_back(schema.name);
  const auto position = read_choice(value, names, "", errors_);
  if (!position) return;
  schema_ = operators_[*position];
  w_.op = schema_->name;
}

void EntryReader::read_compute(const Node& value) {
  schema_ = compute_schema();
  w_.op = schema_->name;
  if (!read_text(value, "an expression like \"Y[n,o] += X[n,i] * W[i,o]\"", errors_)) return;
  const std::optional<Statement> statement = parse_compute(value, errors_);
  if (!statement) return;
  const Entry* extents = find("extents");
  w_.compute = resolve_compute(*statement, value, extents ? &extents->value : nullptr, errors_);
}

void EntryReader::read_benchdnn(const Node& value) {
  if (!read_text(value, "a problem like \"mb1ic64ih56oc64oh56kh3ph1\"", errors_)) return;
  std::optional<BenchdnnProblem> problem = parse_benchdnn(value, errors_);
  if (!problem) return;
  const OperatorSchema* schema = find_operator(problem->op);
  if (schema == nullptr)
    return fail(value.at, "found a benchdnn problem of " + problem->op +
                              ", expected one of an operator that exists");
  schema_ = *schema;
  w_.op = problem->op;
  w_.params = std::move(problem->params);
  for (auto& [param, at] : problem->location) w_.location.insert({param, at});
}

// ---- fields of every workload ----

void EntryReader::read_name() {
  const Entry* entry = find("name");
  if (entry == nullptr) {
    if (all_keys_) fail(w_.at, "found a workload without name, expected one");
    return;
  }
  const std::string expected = "a name of letters, digits, '.', '_' and '-'";
  const auto name = read_text(entry->value, expected, errors_);
  if (!name) return;
  const auto legal = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
  };
  if (!std::all_of(name->begin(), name->end(), legal))
    return fail(entry->value.at, "found " + describe(entry->value) + ", expected " + expected);
  w_.name = *name;
}

void EntryReader::read_dtype() {
  const Entry* entry = find("dtype");
  if (entry == nullptr) return;
  const std::vector<ir::DType> all = {ir::DType::f32, ir::DType::f64};
  const auto choice =
      read_choice(entry->value, {ir::name_of(all[0]), ir::name_of(all[1])}, "", errors_);
  if (choice) w_.dtype = all[*choice];
}

// Without the key the first of nchw/forward and the operator's own list is taken.
template <class T>
void EntryReader::read_supported(const char* key, const std::vector<T>& all,
                                 std::vector<T> supported, T& value) {
  const Entry* entry = find(key);
  const bool has_default = std::find(supported.begin(), supported.end(), value) != supported.end();
  if (entry == nullptr) {
    if (!has_default && !supported.empty()) value = supported.front();
    return;
  }
  if (supported.empty()) supported.push_back(value);
  const std::string remark =
      schema_ && supported.size() < all.size() ? " (all that " + schema_->name + " supports)" : "";
  const auto choice = read_choice(entry->value, names_of(supported), remark, errors_);
  if (choice) value = supported[*choice];
}

void EntryReader::read_epilogue() {
  const Entry* entry = find("epilogue");
  if (entry == nullptr || entry->value.is_refused()) return;
  if (!entry->value.is_sequence())
    return fail(entry->value.at,
                "found " + describe(entry->value) + ", expected a list like [bias, relu]");
  for (const Node& item : entry->value.items) {
    const auto choice = read_choice(item, {"bias", "relu"}, "", errors_);
    if (!choice) continue;
    const bool bias = *choice == 0;
    if (bias ? w_.bias : w_.relu)
      fail(item.at, "found '" + item.text + "' again, expected it once");
    else if (bias && w_.relu)
      fail(item.at, "found 'bias' after 'relu', expected bias before relu");
    else if (bias && source_ == "compute")
      // The expression does not say along which of the output's dimensions a bias runs.
      fail(item.at, "found 'bias' beside compute, expected only relu");
    (bias ? w_.bias : w_.relu) = true;
  }
  if (w_.compute) w_.compute->contraction.relu = w_.relu;
}

// ---- parameters ----

std::vector<std::string> EntryReader::legal_keys() const {
  std::vector<std::string> keys = {"name", source_, "direction", "layout", "dtype", "epilogue"};
  if (source_ == "compute") keys.push_back("extents");
  if (source_ == "op")
    for (const ParamSpec& spec : schema_->params) keys.push_back(spec.name);
  return keys;
}

void EntryReader::refuse_unknown_keys() {
  const std::vector<std::string> legal = legal_keys();
  for (const Entry& field : fields_) {
    const std::string& key = field.key.text;
    if (std::find(legal.begin(), legal.end(), key) != legal.end()) continue;
    const auto same = [&](const ParamSpec& spec) { return spec.name == key; };
    const bool param = std::any_of(schema_->params.begin(), schema_->params.end(), same);
    if (param && is_override(field)) continue;  // --set changes what a benchdnn string says
    if (param)
      fail(field.key.at, "found '" + key + "' beside benchdnn, whose problem has it already, " +
                             "expected one of " + base::join(legal, ", "));
    else
      fail(field.key.at, "found the unknown key '" + shorten(key) + "' in a workload of " +
                             schema_->name + ", " + expected_one_of(key, legal));
  }
}

void EntryReader::read_params() {
  for (const Entry& field : fields_) {
    if (source_ == "benchdnn" && !is_override(field)) continue;
    for (const ParamSpec& spec : schema_->params) {
      if (spec.name != field.key.text) continue;
      auto choices = read_param(spec, schema_->spatial_rank, field.value, errors_);
      complete_ = complete_ && choices;
      if (choices) choices_.push_back(std::move(*choices));
    }
  }
}

void EntryReader::add_defaults() {
  for (const ParamSpec& spec : schema_->params) {
    if (find(spec.name) != nullptr || w_.params.count(spec.name)) continue;
    if (spec.default_value)
      w_.params[spec.name] = default_values(spec, schema_->spatial_rank);
    else if (all_keys_)
      fail(w_.at, "found a workload of " + schema_->name + " without '" + spec.name +
                      "', expected " + expected_form(spec, schema_->spatial_rank));
  }
}

}  // namespace

std::vector<Workload> read_entry(const Node& node, const std::vector<OperatorSchema>& operators,
                                 const std::vector<Entry>& overrides, base::Diagnostics& errors) {
  if (node.is_refused()) return {};
  if (!node.is_mapping()) {
    errors.error(node.at, "found " + describe(node) +
                              ", expected a workload (a mapping with "
                              "name and op, compute or benchdnn)");
    return {};
  }
  return EntryReader(node, operators, overrides, errors).run();
}

}  // namespace swgen::frontend
