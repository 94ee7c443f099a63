// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/bundle.h"

#include <functional>

#include "compiler/base/error.h"
#include "compiler/base/text.h"
#include "compiler/base/version.h"
#include "compiler/codegen/templates.h"
#include "compiler/codegen/writer.h"

namespace swgen::codegen {

std::vector<Argument> arguments_of(const ir::Program& program, const ir::Seed& reference) {
  std::vector<Argument> out;
  const auto add = [&](size_t t) {
    const ir::Tensor& tensor = program.seed.tensors[t];
    Argument a;
    a.name = tensor.name;
    a.role = tensor.role;
    a.dims = tensor.dims;
    a.extents = reference.tensors[t].extents;
    a.layout = program.layouts[t];
    a.elements = a.layout.elements(a.extents);
    for (const ir::Buffer& b : program.buffers)
      if (b.tensor == static_cast<int>(t) && b.space == ir::Space::prepacked) {
        a.prepacked = true;
        a.packed_elements = b.elements;
      }
    out.push_back(a);
  };
  for (size_t t = 1; t < program.seed.tensors.size(); ++t)
    if (program.seed.tensors[t].role != ir::Role::intermediate) add(t);
  add(0);
  return out;
}

std::string from_template(const std::string& path,
                          const std::vector<std::pair<std::string, std::string>>& values) {
  const auto found = embedded_templates().find(path);
  if (found == embedded_templates().end()) throw base::InternalError("no template " + path);
  return base::fill(found->second, values);
}

std::string from_fragment(const std::string& path, const std::vector<std::pair<std::string, std::string>>& values) {
  const std::string text = from_template(path, values);
  return text.substr(text.find('\n') + 1);
}

std::string provenance_comment(const Provenance& p) {
  return base::cat("// swgen ", base::kVersion, ", workload ", p.workload_name, ", target ",
                   p.target, "\n// workload: ", p.workload, "\n// schedule: ", p.schedule, "\n");
}

namespace {

std::string index_text(const ir::AffineIndex& index, const std::vector<ir::Iter>& iters) {
  ir::Linear form(index.constant);
  for (const auto& [iter, c] : index.terms) form.add_term(iters[iter].name, c);
  return ir::Expr::from(form).to_c();
}

std::string element_text(const ir::Tensor& t, const std::vector<std::string>& index) {
  std::string offset;
  for (size_t d = 0; d < index.size(); ++d)
    offset = d == 0 ? index[0] : "(" + offset + ") * " + std::to_string(t.extents[d]) + " + " + index[d];
  return t.name + "[" + offset + "]";
}

std::vector<std::string> indices(const ir::Access& access, const std::vector<ir::Iter>& iters) {
  std::vector<std::string> out;
  for (const ir::AffineIndex& i : access.index) out.push_back(index_text(i, iters));
  return out;
}

}  // namespace

std::string reference_text(const ir::Seed& seed) {
  const auto& c = std::get<ir::Contraction>(seed.stages.at(0).op);
  const ir::Tensor& out = seed.tensors[0];
  std::vector<std::string> params;
  for (const ir::Tensor& t : seed.tensors)
    if (t.role == ir::Role::input || t.role == ir::Role::constant)
      params.push_back("const std::vector<T>& " + t.name);
  Writer w;
  w.braces("std::vector<T> reference(" + base::join(params, ", ") + ")", [&] {
    w.line("std::vector<T> ", out.name, "(", out.elements(), ");");
    std::vector<size_t> order;
    for (bool reduction : {false, true})
      for (size_t i = 0; i < c.iters.size(); ++i)
        if (ir::is_reduction(c, static_cast<int>(i)) == reduction) order.push_back(i);
    std::function<void(size_t)> nest = [&](size_t i) {
      const bool first_reduction =
          i == order.size() || ir::is_reduction(c, static_cast<int>(order[i]));
      const bool was_output = i == 0 || !ir::is_reduction(c, static_cast<int>(order[i - 1]));
      const auto reduce = [&] {
        if (i < order.size()) {
          const ir::Iter& iter = c.iters[order[i]];
          w.braces(base::cat("for (long ", iter.name, " = 0; ", iter.name, " < ", iter.extent, "; ++",
                             iter.name, ")"),
                   [&] { nest(i + 1); });
          return;
        }
        std::vector<std::string> factors, conditions;
        for (const ir::Access* access : {&c.a, &c.b}) {
          const ir::Tensor& t = seed.tensors[access->tensor];
          const std::vector<std::string> index = indices(*access, c.iters);
          factors.push_back(element_text(t, index));
          for (size_t d = 0; d < index.size(); ++d)
            if (access->index[d].terms.size() > 1 || access->index[d].constant != 0)
              conditions.push_back(base::cat("(unsigned long)(", index[d], ") < ", t.extents[d]));
        }
        w.line(conditions.empty() ? "" : "if (" + base::join(conditions, " && ") + ") ",
               "sum += static_cast<double>(", factors[0], ") * ", factors[1], ";");
      };
      if (!first_reduction || !was_output) {
        reduce();
        return;
      }
      w.line("double sum = 0;");
      reduce();
      if (c.bias)
        w.line("sum += ", element_text(seed.tensors[c.bias->tensor], indices(*c.bias, c.iters)), ";");
      if (c.relu) w.line("if (sum < 0) sum = 0;");
      w.line(element_text(out, indices(c.out, c.iters)), " = static_cast<T>(sum);");
    };
    nest(0);
    w.line("return ", out.name, ";");
  });
  return w.text();
}

std::string reorder_text(const Argument& a, const std::string& function, const std::string& type,
                         bool restore) {
  Writer w;
  const std::string from = restore ? "own" : "plain", to = restore ? "plain" : "own";
  w.braces(base::cat("extern \"C\" void ", function, "(const ", type, "* ", from, ", ", type, "* ", to, ")"), [&] {
    std::vector<std::string> index(a.dims.size());
    std::string inside;
    std::function<void(size_t)> nest = [&](size_t l) {
      if (l == a.layout.levels.size()) {
        std::string plain;
        for (size_t d = 0; d < index.size(); ++d)
          plain = d == 0 ? index[0] : "(" + plain + ") * " + std::to_string(a.extents[d]) + " + " + index[d];
        if (restore)
          w.line(inside.empty() ? "" : "if (" + inside + ") ", "plain[", plain, "] = *own;");
        else
          w.line("*own = ", inside.empty() ? "" : inside + " ? ", "plain[", plain, "]",
                 inside.empty() ? ";" : " : 0;");
        w.line("++own;");
        return;
      }
      const ir::LayoutLevel& level = a.layout.levels[l];
      const std::string var = a.dims[level.dim] + (level.inner ? "_in" : "");
      const int64_t whole = a.extents[level.dim];
      const int64_t extent = level.inner ? level.block
                             : level.block > 0 ? (whole + level.block - 1) / level.block : whole;
      if (level.inner) {
        index[level.dim] += " + " + var;
        if (whole % level.block != 0) inside = base::cat(index[level.dim], " < ", whole);
      } else {
        index[level.dim] = level.block > 0 ? base::cat(var, " * ", level.block) : var;
      }
      w.braces(base::cat("for (long ", var, " = 0; ", var, " < ", extent, "; ++", var, ")"),
               [&] { nest(l + 1); });
    };
    nest(0);
  });
  return w.text();
}

}  // namespace swgen::codegen
