// SPDX-License-Identifier: Apache-2.0
#include "assembly.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>

namespace swgen::sim {
namespace {

std::string trimmed(const std::string& s) {
  const size_t first = s.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

bool is_label(const std::string& s) {
  return !s.empty() && !std::isdigit(static_cast<unsigned char>(s[0])) && std::all_of(s.begin(), s.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '$';
  });
}

std::optional<int> register_of(const std::string& s) {
  static const std::map<std::string, int> names = {{"$sp", 30}, {"$gp", 29}, {"$at", 28}, {"$ra", 26}, {"$fp", 15}};
  const auto named = names.find(s);
  if (named != names.end()) return named->second;
  if (s.size() < 2 || s.size() > 3 || s[0] != '$') return std::nullopt;
  if (!std::all_of(s.begin() + 1, s.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) return std::nullopt;
  const int number = std::stoi(s.substr(1));
  return number < kRegisters ? std::optional<int>(number) : std::nullopt;
}

std::optional<std::int64_t> number_of(const std::string& s) {
  if (s.empty() || s.size() > 18) return std::nullopt;
  size_t used = 0;
  try {
    const std::int64_t value = std::stoll(s, &used, 0);
    if (used == s.size()) return value;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

/// Blanks for what stands between /* and */, so that lines and columns stay.
std::string without_comments(std::string text) {
  for (size_t at = text.find("/*"); at != std::string::npos; at = text.find("/*", at)) {
    const size_t end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    for (; at < end; ++at)
      if (text[at] != '\n') text[at] = ' ';
  }
  return text;
}

class Reader {
 public:
  explicit Reader(std::string file) { out_.file = std::move(file); }

  Assembly read(const std::string& text) {
    std::istringstream lines(without_comments(text));
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      read_line(line);
    }
    for (const auto& [position, name, at] : wanted_) {
      const auto found = out_.labels.find(name);
      if (found == out_.labels.end())
        error(at, "found no label '" + name + "'");
      else
        out_.instructions[static_cast<size_t>(position)].target = found->second;
    }
    if (!errors_.empty()) throw SimError(errors_);
    return std::move(out_);
  }

 private:
  void error(int line, const std::string& what) {
    errors_ += (errors_.empty() ? "" : "\n") + out_.file + ":" + std::to_string(line) + ": error: " + what;
  }

  void read_line(std::string line) {
    for (const char* mark : {"#", "//", "!gpdisp"}) line = line.substr(0, line.find(mark));
    line = trimmed(line);
    for (size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':')) {
      const std::string label = trimmed(line.substr(0, colon));
      if (!is_label(label)) return error(line_, "found '" + label + "', expected a label before ':'");
      if (!out_.labels.emplace(label, static_cast<int>(out_.instructions.size())).second)
        error(line_, "found the label '" + label + "' again, expected it once");
      line = trimmed(line.substr(colon + 1));
    }
    if (line.empty()) return;
    const size_t end = line.find_first_of(" \t");
    const std::string name = line.substr(0, end);
    if (name[0] == '.') return directive(name);
    const Opcode* opcode = find_opcode(name);
    if (opcode == nullptr) return error(line_, "found the instruction '" + name + "', expected one of the simulator's");
    std::vector<std::string> operands;
    std::istringstream rest(end == std::string::npos ? "" : line.substr(end));
    for (std::string part; std::getline(rest, part, ',');) operands.push_back(trimmed(part));
    instruction(*opcode, operands);
  }

  /// Directives of sections, symbols and debugging; data is not for kernels.
  void directive(const std::string& name) {
    static const std::set<std::string> known = {".set", ".arch", ".file", ".section", ".text", ".align", ".org", ".type",
                                                ".size", ".skip", ".ent", ".end", ".globl", ".global", ".weak", ".prologue",
                                                ".frame", ".mask", ".loc", ".bss"};
    if (known.count(name) == 0) error(line_, "found the directive '" + name + "', expected one that holds no data");
  }

  void instruction(const Opcode& opcode, const std::vector<std::string>& operands) {
    Instruction in;
    in.opcode = &opcode;
    in.line = line_;
    operands_ = operands;
    at_ = 0;
    good_ = true;
    switch (opcode.format) {
      case Format::none: break;
      case Format::ssd: in.source[0] = reg(); last_source(in, 1); in.dest = reg(); break;
      case Format::sssd: for (int& s : in.source) s = reg(); in.dest = reg(); break;
      case Format::ssid: in.source[0] = reg(); in.source[1] = reg(); last_source(in, 2); in.dest = reg(); break;
      case Format::sid: in.source[0] = reg(); last_source(in, 1); in.dest = reg(); break;
      case Format::sd: last_source(in, 0); in.dest = reg(); break;
      case Format::memory_d: in.dest = reg(); address(in); break;
      case Format::memory_s: in.source[1] = reg(); address(in); break;
      case Format::d: in.dest = reg(); break;
      case Format::di: in.dest = reg(); last_source(in, 0); break;
      case Format::s: in.source[0] = reg(); break;
      case Format::si: in.source[0] = reg(); last_source(in, 1); break;
      case Format::branch: in.source[0] = reg(); label(); break;
      case Format::jump: in.dest = reg(); label(); break;
      case Format::ret: at_ = operands_.size(); break;  // the caller's address is no matter here
    }
    if (good_ && at_ != operands_.size()) {
      error(line_, std::string("found ") + std::to_string(operands_.size()) + " operands of " + opcode.name + ", expected " +
                       std::to_string(at_));
    }
    out_.instructions.push_back(in);
  }

  std::string next(const char* expected) {
    if (at_ < operands_.size()) return operands_[at_++];
    bad("nothing", expected);
    return "";
  }

  void bad(const std::string& found, const std::string& expected) {
    if (good_) error(line_, "found " + found + ", expected " + expected);
    good_ = false;
  }

  int reg() {
    const std::string text = next("a register");
    const auto r = register_of(text);
    if (!r && good_) bad("'" + text + "'", "a register $0 to $31");
    return r.value_or(kZero);
  }

  void last_source(Instruction& in, int position) {
    const std::string text = next("a register or a number");
    if (const auto r = register_of(text)) {
      in.source[position] = *r;
    } else if (const auto n = number_of(text)) {
      in.immediate = true;
      in.number = *n;
    } else if (good_) {
      bad("'" + text + "'", "a register or a number");
    }
  }

  void address(Instruction& in) {
    const std::string text = next("an address such as 32($16)");
    const size_t open = text.find('('), close = text.find(')');
    const bool shape = open != std::string::npos && close == text.size() - 1 && open < close;
    const auto base = shape ? register_of(trimmed(text.substr(open + 1, close - open - 1))) : std::nullopt;
    const std::string displacement = shape ? trimmed(text.substr(0, open)) : "";
    const auto offset = displacement.empty() && shape ? std::optional<std::int64_t>(0) : number_of(displacement);
    if (!base || !offset || *offset < -32768 || *offset > 32767) {
      if (good_) bad("'" + text + "'", "an address such as 32($16), within 16 bits");
      return;
    }
    in.source[0] = *base;
    in.number = *offset;
  }

  void label() {
    const std::string text = next("a label");
    if (!is_label(text)) {
      if (good_) bad("'" + text + "'", "a label");
      return;
    }
    wanted_.push_back({static_cast<int>(out_.instructions.size()), text, line_});
  }

  struct Wanted {
    int position;
    std::string name;
    int line;
  };

  Assembly out_;
  int line_ = 0;
  std::string errors_;
  std::vector<Wanted> wanted_;
  std::vector<std::string> operands_;
  size_t at_ = 0;
  bool good_ = true;
};

}  // namespace

std::string Assembly::place(int position) const {
  return file + ":" + std::to_string(instructions.at(static_cast<size_t>(position)).line);
}

Assembly assemble(const std::string& file, const std::string& text) { return Reader(file).read(text); }

}  // namespace swgen::sim
