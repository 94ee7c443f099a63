// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/request.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace swgen::tuner {
namespace {

namespace json = llvm::json;

std::string print(const json::Value& v) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << v;
  return out.str();
}

json::Array numbers(const std::vector<int64_t>& values) {
  json::Array out;
  for (int64_t v : values) out.push_back(v);
  return out;
}

json::Array texts(const std::vector<std::string>& values) {
  json::Array out;
  for (const std::string& v : values) out.push_back(v);
  return out;
}

json::Value to_value(const ir::TensorLayout& layout) {
  json::Array levels;
  for (const ir::LayoutLevel& l : layout.levels)
    levels.push_back(json::Array{l.dim, l.block, l.inner});
  return levels;
}

json::Value to_value(const ir::Access& access) {
  json::Array index;
  for (const ir::AffineIndex& a : access.index) {
    json::Array terms;
    for (const auto& [iter, c] : a.terms) terms.push_back(json::Array{iter, c});
    index.push_back(json::Object{{"constant", a.constant}, {"terms", std::move(terms)}});
  }
  return json::Object{{"tensor", access.tensor}, {"index", std::move(index)}};
}

json::Value to_value(const ir::Seed& seed) {
  const auto& c = std::get<ir::Contraction>(seed.stages.at(0).op);
  json::Array iters, tensors;
  for (const ir::Iter& i : c.iters) iters.push_back(json::Array{i.name, i.extent});
  for (const ir::Tensor& t : seed.tensors)
    tensors.push_back(json::Object{{"name", t.name},
                                   {"role", static_cast<int>(t.role)},
                                   {"extents", numbers(t.extents)}});
  json::Object out{{"iters", std::move(iters)}, {"tensors", std::move(tensors)},
                   {"out", to_value(c.out)},    {"a", to_value(c.a)},
                   {"b", to_value(c.b)},        {"relu", c.relu}};
  if (c.bias) out["bias"] = to_value(*c.bias);
  return out;
}

/// Reads fields and remembers whether all were there.
struct Reader {
  bool good = true;

  int64_t integer(const json::Object& o, const char* key) {
    const auto v = o.getInteger(key);
    good &= v.hasValue();
    return v.getValueOr(0);
  }
  double number(const json::Object& o, const char* key) {
    const auto v = o.getNumber(key);
    good &= v.hasValue();
    return v.getValueOr(0);
  }
  std::string text(const json::Object& o, const char* key) {
    const auto v = o.getString(key);
    good &= v.hasValue();
    return v ? v->str() : "";
  }
  bool boolean(const json::Object& o, const char* key) {
    const auto v = o.getBoolean(key);
    good &= v.hasValue();
    return v.getValueOr(false);
  }
  const json::Array& array(const json::Object& o, const char* key) {
    static const json::Array none;
    const json::Array* a = o.getArray(key);
    good &= a != nullptr;
    return a != nullptr ? *a : none;
  }
  std::vector<int64_t> integers(const json::Object& o, const char* key) {
    std::vector<int64_t> out;
    for (const json::Value& v : array(o, key)) out.push_back(v.getAsInteger().getValueOr(0));
    return out;
  }

  ir::Access access(const json::Object* o) {
    ir::Access out;
    if (o == nullptr) {
      good = false;
      return out;
    }
    out.tensor = static_cast<int>(integer(*o, "tensor"));
    for (const json::Value& v : array(*o, "index")) {
      const json::Object* dim = v.getAsObject();
      if (dim == nullptr) continue;
      ir::AffineIndex index;
      index.constant = integer(*dim, "constant");
      for (const json::Value& term : array(*dim, "terms")) {
        const json::Array& pair = *term.getAsArray();
        index.terms.emplace_back(static_cast<int>(*pair[0].getAsInteger()), *pair[1].getAsInteger());
      }
      out.index.push_back(index);
    }
    return out;
  }

  ir::Seed seed(const json::Object& o) {
    ir::Seed s;
    ir::Contraction c;
    for (const json::Value& v : array(o, "iters")) {
      const json::Array& pair = *v.getAsArray();
      c.iters.push_back({pair[0].getAsString()->str(), *pair[1].getAsInteger()});
    }
    for (const json::Value& v : array(o, "tensors")) {
      const json::Object& t = *v.getAsObject();
      ir::Tensor tensor;
      tensor.name = text(t, "name");
      tensor.role = static_cast<ir::Role>(integer(t, "role"));
      tensor.extents = integers(t, "extents");
      tensor.dims.resize(tensor.extents.size());
      s.tensors.push_back(tensor);
    }
    c.out = access(o.getObject("out"));
    c.a = access(o.getObject("a"));
    c.b = access(o.getObject("b"));
    if (o.getObject("bias") != nullptr) c.bias = access(o.getObject("bias"));
    c.relu = boolean(o, "relu");
    s.stages.push_back({"reference", c});
    return s;
  }
};

}  // namespace

std::string to_json(const MeasureRequest& r) {
  json::Array arguments;
  for (const codegen::Argument& a : r.bundle.arguments)
    arguments.push_back(json::Object{{"name", a.name},
                                     {"role", static_cast<int>(a.role)},
                                     {"dims", texts(a.dims)},
                                     {"extents", numbers(a.extents)},
                                     {"layout", to_value(a.layout)},
                                     {"elements", a.elements},
                                     {"prepacked", a.prepacked},
                                     {"packed_elements", a.packed_elements}});
  json::Array files;
  for (const codegen::SourceFile& f : r.bundle.files)
    files.push_back(json::Array{f.path, f.text});
  return print(json::Object{{"candidate", r.bundle.candidate},
                            {"symbol", r.bundle.symbol},
                            {"files", std::move(files)},
                            {"dtype", ir::name_of(r.bundle.dtype)},
                            {"arguments", std::move(arguments)},
                            {"workspace_bytes", r.bundle.workspace_bytes},
                            {"shared_bytes", r.bundle.shared_bytes},
                            {"reference", to_value(r.reference)},
                            {"level", r.level},
                            {"compiler", r.compiler},
                            {"threads", r.threads},
                            {"time", r.time},
                            {"least_seconds", r.least_seconds},
                            {"least_runs", r.least_runs},
                            {"expected_digest", r.expected_digest},
                            {"output_file", r.output_file}});
}

std::optional<MeasureRequest> parse_request(const std::string& text) {
  auto value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object* o = value->getAsObject();
  if (o == nullptr || o->getObject("reference") == nullptr) return std::nullopt;
  Reader in;
  MeasureRequest r;
  r.bundle.candidate = in.text(*o, "candidate");
  r.bundle.symbol = in.text(*o, "symbol");
  for (const json::Value& v : in.array(*o, "files")) {
    const json::Array& pair = *v.getAsArray();
    r.bundle.files.push_back({pair[0].getAsString()->str(), pair[1].getAsString()->str(), ""});
  }
  r.bundle.dtype = in.text(*o, "dtype") == "f64" ? ir::DType::f64 : ir::DType::f32;
  r.bundle.workspace_bytes = in.integer(*o, "workspace_bytes");
  r.bundle.shared_bytes = in.integer(*o, "shared_bytes");
  for (const json::Value& v : in.array(*o, "arguments")) {
    const json::Object& a = *v.getAsObject();
    codegen::Argument arg;
    arg.name = in.text(a, "name");
    arg.role = static_cast<ir::Role>(in.integer(a, "role"));
    for (const json::Value& d : in.array(a, "dims")) arg.dims.push_back(d.getAsString()->str());
    arg.extents = in.integers(a, "extents");
    for (const json::Value& l : in.array(a, "layout")) {
      const json::Array& level = *l.getAsArray();
      arg.layout.levels.push_back({static_cast<int>(*level[0].getAsInteger()), *level[1].getAsInteger(),
                                   *level[2].getAsBoolean()});
    }
    arg.elements = in.integer(a, "elements");
    arg.prepacked = in.boolean(a, "prepacked");
    arg.packed_elements = in.integer(a, "packed_elements");
    r.bundle.arguments.push_back(arg);
  }
  r.reference = in.seed(*o->getObject("reference"));
  r.level = in.text(*o, "level");
  r.compiler = in.text(*o, "compiler");
  r.threads = static_cast<int>(in.integer(*o, "threads"));
  r.time = in.boolean(*o, "time");
  r.least_seconds = in.number(*o, "least_seconds");
  r.least_runs = static_cast<int>(in.integer(*o, "least_runs"));
  r.expected_digest = in.text(*o, "expected_digest");
  r.output_file = in.text(*o, "output_file");
  if (!in.good) return std::nullopt;
  return r;
}

std::string to_json(const MeasureReply& r) {
  json::Array samples;
  for (double s : r.samples) samples.push_back(s);
  return print(json::Object{{"verdict", r.verdict},
                            {"reason", json::fixUTF8(r.reason)},
                            {"digest", r.digest},
                            {"samples", std::move(samples)},
                            {"pack_seconds", r.pack_seconds},
                            {"compile_seconds", r.compile_seconds}});
}

std::optional<MeasureReply> parse_reply(const std::string& text) {
  auto value = json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const json::Object* o = value->getAsObject();
  if (o == nullptr) return std::nullopt;
  Reader in;
  MeasureReply r;
  r.verdict = in.text(*o, "verdict");
  r.reason = in.text(*o, "reason");
  r.digest = in.text(*o, "digest");
  for (const json::Value& v : in.array(*o, "samples")) r.samples.push_back(v.getAsNumber().getValueOr(0));
  r.pack_seconds = in.number(*o, "pack_seconds");
  r.compile_seconds = in.number(*o, "compile_seconds");
  if (!in.good) return std::nullopt;
  return r;
}

}  // namespace swgen::tuner
