// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/frontend/params.h"
#include "compiler/frontend/suggest.h"
#include "compiler/ops/operators.h"

namespace swgen::cli {
namespace {

using frontend::OperatorSchema;
using frontend::ParamSpec;

struct OpsOptions {
  std::vector<std::string> operators;  ///< empty: all
  bool json = false;
};

const CommandHelp kHelp = {
    "swgen ops [OPERATOR...] [--json]",
    "Lists the operators that a workload file can name, with their parameters: what each one\n"
    "accepts, and its default where it may be left out.\n\n"
    "A workload file looks like this:\n\n"
    "  workloads:\n"
    "    - name: layer1\n"
    "      op: conv2d\n"
    "      in_channels: 64\n"
    "      out_channels: 64\n"
    "      input: [56, 56]\n"
    "      kernel: 3\n"
    "      padding: 1\n"
    "      dtype: f32               # or f64\n"
    "      epilogue: [bias, relu]   # or one of them, or left out\n\n"
    "An operator that is not listed can be written down instead:\n\n"
    "    - {name: mine, compute: \"Y[n,o] += X[n,i] * W[i,o]\", extents: {n: 8, o: 16, i: 32}}\n",
    "  swgen ops\n"
    "  swgen ops conv2d\n"
    "  swgen ops --json\n"};

template <class T>
std::vector<std::string> names_of(const std::vector<T>& values) {
  std::vector<std::string> names;
  for (const T& value : values) names.emplace_back(frontend::name_of(value));
  return names;
}

std::string default_of(const ParamSpec& spec) {
  if (!spec.default_value) return "required";
  if (spec.kind == frontend::ParamKind::boolean) return *spec.default_value != 0 ? "true" : "false";
  return std::to_string(*spec.default_value);
}

llvm::json::Value default_json(const ParamSpec& spec) {
  if (!spec.default_value) return nullptr;
  if (spec.kind == frontend::ParamKind::boolean) return *spec.default_value != 0;
  return *spec.default_value;
}

void print_operator(const OperatorSchema& schema) {
  std::cout << schema.name << ": " << schema.help << '\n'
            << "  direction: " << base::join(names_of(schema.directions), ", ") << '\n'
            << "  layout: " << base::join(names_of(schema.layouts), ", ") << '\n';
  Table table({{"parameter"}, {"default"}, {"meaning"}, {"accepts"}});
  for (const ParamSpec& spec : schema.params)
    table.add({spec.name, default_of(spec), spec.help,
               frontend::expected_form(spec, schema.spatial_rank)});
  table.print(std::cout, "  ");
}

llvm::json::Object operator_json(const OperatorSchema& schema) {
  llvm::json::Array parameters;
  for (const ParamSpec& spec : schema.params)
    parameters.push_back(
        llvm::json::Object{{"name", spec.name},
                           {"help", spec.help},
                           {"accepts", frontend::expected_form(spec, schema.spatial_rank)},
                           {"required", !spec.default_value.has_value()},
                           {"default", default_json(spec)}});
  return llvm::json::Object{{"name", schema.name},
                            {"help", schema.help},
                            {"directions", llvm::json::Array(names_of(schema.directions))},
                            {"layouts", llvm::json::Array(names_of(schema.layouts))},
                            {"parameters", std::move(parameters)}};
}

/// The operators asked for, in the order of the table.
std::vector<OperatorSchema> chosen(const std::vector<std::string>& wanted) {
  std::vector<OperatorSchema> schemas = ops::schemas();
  std::vector<std::string> names;
  for (const OperatorSchema& schema : schemas) names.push_back(schema.name);
  const auto has = [](const auto& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const std::string& name : wanted)
    if (!has(names, name))
      throw base::UserError("found operator '" + name + "', " +
                            frontend::expected_one_of(name, names));
  if (!wanted.empty())
    std::erase_if(schemas, [&](const OperatorSchema& schema) { return !has(wanted, schema.name); });
  return schemas;
}

}  // namespace

int ops_command(int argc, char** argv) {
  OpsOptions options;
  po::options_description description;
  description.add_options()("json", po::bool_switch(&options.json), "print one JSON object");
  if (!parse_command_line(kHelp, description, &options.operators, argc, argv)) return kOk;
  llvm::json::Array array;
  bool first = true;
  for (const OperatorSchema& schema : chosen(options.operators)) {
    if (options.json) {
      array.push_back(operator_json(schema));
      continue;
    }
    if (!first) std::cout << '\n';
    first = false;
    print_operator(schema);
  }
  if (options.json) print_json(std::cout, llvm::json::Object{{"operators", std::move(array)}});
  return kOk;
}

}  // namespace swgen::cli
