// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/measure.h"

#include <signal.h>
#include <string.h>

#include <filesystem>

#include "compiler/base/error.h"
#include "compiler/base/text.h"

namespace swgen::tuner {

std::string worker_path(const std::string& name) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& folder : {here, here.parent_path() / "lib/swgen"})
    if (std::filesystem::exists(folder / name)) return (folder / name).string();
  throw base::UserError("found no " + name + " beside the program, expected " + (here / name).string());
}

MeasureReply measure(const std::string& worker, const MeasureRequest& request,
                     const ProcessLimits& limits) {
  const ProcessResult result = run_process({worker}, to_json(request), limits);
  // That the worker is not there says nothing about the candidate.
  if (result.exit_code == 127 && result.output.empty())
    throw base::UserError("cannot start " + worker + ": " + result.errors);
  MeasureReply failed;
  if (result.timed_out) {
    failed.verdict = "timeout";
    failed.reason = base::cat("no answer within ", limits.seconds, " s");
    return failed;
  }
  if (const auto reply = parse_reply(result.output)) return *reply;
  failed.verdict = "crashed";
  failed.reason = result.signal != 0 ? base::cat("signal ", result.signal, " (", strsignal(result.signal), ")")
                                     : base::cat("exit code ", result.exit_code);
  if (!result.errors.empty()) failed.reason += ": " + result.errors.substr(0, 500);
  return failed;
}

}  // namespace swgen::tuner
