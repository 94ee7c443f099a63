// SPDX-License-Identifier: Apache-2.0
#include "tuner/simulate/trace.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/base/text.h"

namespace swgen::tuner {

std::string trace_json(const Simulation& simulation, double clock_ghz) {
  constexpr int kChannel = 8;  // tracks 0 to 7 are the rows
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out);
  const auto track = [](const sim::Span& s) { return s.track == sim::Span::Track::channel ? kChannel : s.row; };
  const auto microseconds = [&](std::int64_t cycles) { return static_cast<double>(cycles) / (clock_ghz * 1e3); };
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeArray("traceEvents", [&] {
      for (int t = 0; t <= kChannel; ++t)
        json.object([&] {
          json.attribute("name", "thread_name");
          json.attribute("ph", "M");
          json.attribute("pid", 0);
          json.attribute("tid", t);
          json.attributeObject("args", [&] { json.attribute("name", t == kChannel ? std::string("DMA channel") : base::cat("CPE row ", t)); });
        });
      for (const sim::Span& s : simulation.spans)
        json.object([&] {
          json.attribute("name", s.what);
          json.attribute("ph", "X");
          json.attribute("pid", 0);
          json.attribute("tid", track(s));
          json.attribute("ts", microseconds(s.begin));
          json.attribute("dur", microseconds(s.end - s.begin));
        });
    });
  });
  return text + "\n";
}

}  // namespace swgen::tuner
