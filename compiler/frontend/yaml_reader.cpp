// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/yaml_reader.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Casting.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "compiler/base/text.h"

namespace swgen::frontend {
namespace {

namespace yaml = llvm::yaml;

// Workload files nest four deep; the limit keeps hostile input from exhausting the stack.
constexpr int kDeepest = 64;

struct SyntaxMessage {
  const char* llvm;
  const char* ours;
};

constexpr SyntaxMessage kSyntaxMessages[] = {
    {"Already encountered", "found two anchors or two tags at one value, expected none"},
    {"Could not find closing ]", "found no end of a list, expected ',' or ']'"},
    {"Could not find expected : for simple key", "found a line without ':', expected 'key: value'"},
    {"Expected , between entries", "found two list items side by side, expected ',' or ']'"},
    {"Expected a line break", "found text after '|' or '>', expected the end of the line"},
    {"Expected quote at end", "found no closing quote, expected one"},
    {"Found invalid tab character", "found a tab in the indentation, expected spaces"},
    {"Found unexpected ':'", "found ':' inside a value, expected quotes around such a value"},
    {"Got empty alias or anchor", "found '&' or '*' before a value, expected quotes around it"},
    {"Got empty plain scalar", "found no value, expected one"},
    {"Null key", "found a value without a key, expected 'key: value'"},
    {"Unexpected token in Key Value", "found no ':' after a key, expected 'key: value'"},
    {"Unexpected token. Expected Block Entry",
     "found something between the items of a list, expected '- item' in the same column as above"},
    {"Unexpected token. Expected Key or Block End",
     "found something between the keys of a mapping, expected 'key: value' in the same column as "
     "above"},
    {"Unexpected token. Expected Key, Flow Entry",
     "found no end of a mapping in braces, expected ',' or '}'"},
    {"Unexpected token", "found a character out of place, expected a value"},
    {"Unrecognized character",
     "found a character that cannot start a value, expected quotes around the value"},
};

std::string syntax_message(const std::string& llvm_message) {
  for (const SyntaxMessage& m : kSyntaxMessages)
    if (llvm_message.rfind(m.llvm, 0) == 0) return base::cat("invalid YAML: ", m.ours);
  return "invalid YAML: found text that cannot be read (" + llvm_message +
         "), expected 'key: value' lines";
}

class Converter {
 public:
  Converter(const std::string& text, const base::SourceLocation& origin)
      : text_(text), origin_(origin) {
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') line_starts_.push_back(i + 1);
  }

  std::optional<Node> run(base::Diagnostics& errors);

 private:
  static void capture(const llvm::SMDiagnostic& found, void* self);
  bool refuse_unreadable_text();
  void convert_document(yaml::Stream& stream, Node& root);
  void refuse_decorations(const yaml::Node& node);
  Node convert(yaml::Node* node, int depth);
  Node convert_scalar(const yaml::ScalarNode& scalar);
  void convert_entry(yaml::KeyValueNode& pair, int depth, Node& mapping);
  bool usable_key(const Node& key, Node& mapping);

  base::SourceLocation place(const char* pointer) const;
  const char* start_of(const yaml::Node& node) const;
  void require_colon(const yaml::Node& key);
  void refuse_empty_item(const char* item);
  const char* skip_back(const char* from, const char* skipped) const;
  void fatal(const char* pointer, const std::string& message) {
    if (!fatal_) fatal_ = base::Diagnostic{place(pointer), message};
  }

  const std::string& text_;
  base::SourceLocation origin_;
  std::vector<size_t> line_starts_{0};
  std::vector<base::Diagnostic> refusals_;
  std::optional<base::Diagnostic> fatal_;  // the first syntax error; nothing else is reported then
};

void Converter::capture(const llvm::SMDiagnostic& found, void* self) {
  auto* converter = static_cast<Converter*>(self);
  if (found.getKind() == llvm::SourceMgr::DK_Error)
    converter->fatal(found.getLoc().getPointer(), syntax_message(found.getMessage().str()));
}

base::SourceLocation Converter::place(const char* pointer) const {
  const char* begin = text_.data();
  const size_t offset =
      pointer < begin ? 0 : std::min(static_cast<size_t>(pointer - begin), text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const int line = static_cast<int>(after - line_starts_.begin()) - 1;
  base::SourceLocation at = origin_;
  at.line += line;
  at.column = static_cast<int>(offset - line_starts_[line]) + (line == 0 ? origin_.column : 1);
  return at;
}

const char* Converter::skip_back(const char* from, const char* skipped) const {
  while (from > text_.data() && std::strchr(skipped, from[-1]) != nullptr) --from;
  return from;
}

// LLVM lets collections in brackets start at their first token inside; missing values start at
// the next token, wherever that is. Both are moved back to the character the user wrote.
const char* Converter::start_of(const yaml::Node& node) const {
  const char* start = node.getSourceRange().Start.getPointer();
  if (start == nullptr) start = text_.data();
  const bool missing = llvm::isa<yaml::NullNode>(node);
  const char* before = skip_back(start, missing ? " \t\r\n" : " \t");
  if (before == text_.data()) return start;
  const char last = before[-1];
  const bool bracket = (llvm::isa<yaml::MappingNode>(node) && last == '{') ||
                       (llvm::isa<yaml::SequenceNode>(node) && last == '[');
  return bracket || (missing && last == '-') ? before - 1 : start;
}

// LLVM takes a line without ':' for a key without value, or for the first line of the next key.
void Converter::require_colon(const yaml::Node& key) {
  const auto* scalar = llvm::dyn_cast<yaml::ScalarNode>(&key);
  if (scalar == nullptr) return;
  const llvm::StringRef raw = scalar->getRawValue().rtrim();
  const llvm::StringRef line = raw.split('\n').first.rtrim();
  const llvm::StringRef rest = llvm::StringRef(text_).drop_front(raw.end() - text_.data());
  if (line == raw && rest.ltrim(" \t").startswith(":")) return;
  fatal(raw.begin(), "invalid YAML: found '" + shorten(line.str()) +
                         "' without ':' behind it, expected 'key: value'");
}

// LLVM skips repeated commas. Only the item's own line is looked at: others may end in comments.
void Converter::refuse_empty_item(const char* item) {
  const char* comma = skip_back(item, " \t");
  if (comma == text_.data() || comma[-1] != ',') return;
  const char* before = skip_back(comma - 1, " \t");
  if (before > text_.data() && std::strchr(",[{", before[-1]) != nullptr)
    fatal(comma - 1, "invalid YAML: found ',' without a value before it, expected a value");
}

bool Converter::refuse_unreadable_text() {
  const size_t nul = text_.find('\0');
  if (nul != std::string::npos) {
    fatal(text_.data() + nul, "found a zero byte, expected UTF-8 text");
    return true;
  }
  bool content = false;
  for (size_t start : line_starts_) {
    const size_t end = std::min(text_.find('\n', start), text_.size());
    std::string line = text_.substr(start, end - start);
    line.erase(line.find_last_not_of(" \t\r") + 1);
    const bool marker =
        line.rfind("---", 0) == 0 && (line.size() == 3 || line[3] == ' ' || line[3] == '\t');
    if (marker && content) {
      fatal(text_.data() + start, "found a second document, expected one document per file");
      return true;
    }
    const size_t first = line.find_first_not_of(" \t");
    content =
        content || marker || (first != std::string::npos && line[first] != '#' && line[0] != '%');
  }
  return false;
}

std::optional<Node> Converter::run(base::Diagnostics& errors) {
  Node root;
  root.at = origin_;
  if (!refuse_unreadable_text()) {
    llvm::SourceMgr sources;
    sources.setDiagHandler(&Converter::capture, this);
    yaml::Stream stream(llvm::StringRef(text_), sources, /*ShowColors=*/false);
    convert_document(stream, root);
    if (stream.failed() && !fatal_)
      fatal(text_.data(), "invalid YAML: found text that cannot be read, expected a mapping");
  }
  if (fatal_) {
    errors.error(fatal_->at, fatal_->message);
    return std::nullopt;
  }
  for (base::Diagnostic& d : refusals_) errors.error(std::move(d.at), std::move(d.message));
  return root;
}

void Converter::convert_document(yaml::Stream& stream, Node& root) {
  yaml::document_iterator document = stream.begin();
  if (document == stream.end()) return;
  yaml::Node* found = (*document).getRoot();
  if (found == nullptr || fatal_) return;
  root = convert(found, 0);
  if (fatal_ || stream.failed()) return;
  ++document;
  if (fatal_ || stream.failed() || document == stream.end()) return;
  yaml::Node* extra = (*document).getRoot();
  const char* start = extra ? extra->getSourceRange().Start.getPointer() : nullptr;
  fatal(start ? start : text_.data() + text_.size(),
        "invalid YAML: found text that does not belong to what stands above, expected the end of "
        "the file");
}

void Converter::refuse_decorations(const yaml::Node& node) {
  if (!node.getAnchor().empty())
    refusals_.push_back({place(node.getAnchor().data() - 1),
                         "found the anchor '&" + shorten(node.getAnchor().str()) +
                             "', expected values written out (no anchors and aliases)"});
  if (!node.getRawTag().empty())
    refusals_.push_back(
        {place(node.getRawTag().data()),
         "found the tag '" + shorten(node.getRawTag().str()) + "', expected a value without tag"});
}

Node Converter::convert(yaml::Node* node, int depth) {
  Node out;
  const char* start = start_of(*node);
  out.at = place(start);
  if (depth > kDeepest) {
    fatal(start, base::cat("found more than ", kDeepest, " nested values, expected fewer"));
    return out;
  }
  refuse_decorations(*node);
  if (const auto* scalar = llvm::dyn_cast<yaml::ScalarNode>(node)) return convert_scalar(*scalar);
  if (const auto* block = llvm::dyn_cast<yaml::BlockScalarNode>(node)) {
    out.kind = Node::Kind::quoted;
    out.text = block->getValue().str();
  } else if (const auto* alias = llvm::dyn_cast<yaml::AliasNode>(node)) {
    out.kind = Node::Kind::refused;
    out.at = place(alias->getName().data() - 1);
    refusals_.push_back({out.at, "found the alias '*" + shorten(alias->getName().str()) +
                                     "', expected the value itself (no anchors and aliases)"});
  } else if (auto* sequence = llvm::dyn_cast<yaml::SequenceNode>(node)) {
    out.kind = Node::Kind::sequence;
    for (yaml::Node& item : *sequence) {
      refuse_empty_item(start_of(item));
      out.items.push_back(convert(&item, depth + 1));
      if (fatal_) return out;
    }
  } else if (auto* mapping = llvm::dyn_cast<yaml::MappingNode>(node)) {
    out.kind = Node::Kind::mapping;
    for (yaml::KeyValueNode& pair : *mapping) {
      convert_entry(pair, depth + 1, out);
      if (fatal_) return out;
    }
  }
  return out;
}

Node Converter::convert_scalar(const yaml::ScalarNode& scalar) {
  const llvm::StringRef raw = scalar.getRawValue();
  llvm::SmallString<64> storage;
  Node out;
  out.at = place(raw.data());
  const bool quoted = !raw.empty() && (raw.front() == '"' || raw.front() == '\'');
  const llvm::StringRef value = scalar.getValue(storage);
  out.text = (quoted ? value : value.rtrim()).str();  // LLVM keeps the line break before '}'
  out.kind = quoted ? Node::Kind::quoted : Node::Kind::plain;
  if (!quoted && (out.text.empty() || out.text == "~" || out.text == "null"))
    out.kind = Node::Kind::null;
  const llvm::StringRef inside = quoted ? raw.drop_front().drop_back() : raw.rtrim();
  if (inside == out.text && inside.find('\n') == llvm::StringRef::npos)
    out.text_column = out.at.column + (quoted ? 1 : 0);
  return out;
}

void Converter::convert_entry(yaml::KeyValueNode& pair, int depth, Node& mapping) {
  yaml::Node* key_node = pair.getKey();
  if (key_node == nullptr || fatal_) return;
  refuse_empty_item(start_of(*key_node));
  require_colon(*key_node);
  if (fatal_) return;
  Entry entry;
  entry.key = convert(key_node, depth);
  if (fatal_) return;
  yaml::Node* value_node = pair.getValue();
  if (value_node == nullptr || fatal_) return;
  entry.value = convert(value_node, depth);
  if (llvm::isa<yaml::NullNode>(value_node)) entry.value.at = entry.key.at;
  if (!fatal_ && usable_key(entry.key, mapping)) mapping.entries.push_back(std::move(entry));
}

bool Converter::usable_key(const Node& key, Node& mapping) {
  const bool merge = key.kind == Node::Kind::plain && key.text == "<<";
  if (!key.is_text() || merge) {
    mapping.incomplete = true;
    if (merge)
      refusals_.push_back(
          {key.at, "found the merge key '<<', expected the keys themselves (no merging)"});
    else if (!key.is_refused())
      refusals_.push_back({key.at, "found " + describe(key) + " as a key, expected a name"});
    return false;
  }
  const Entry* earlier = find_entry(mapping.entries, key.text);
  if (earlier == nullptr) return true;
  refusals_.push_back({key.at, base::cat("found the key '", shorten(key.text),
                                         "' again, expected it once (it stands in line ",
                                         earlier->key.at.line, " already)")});
  return false;
}

}  // namespace

std::optional<Node> read_yaml(const std::string& text, const base::SourceLocation& origin,
                              base::Diagnostics& errors) {
  return Converter(text, origin).run(errors);
}

}  // namespace swgen::frontend
