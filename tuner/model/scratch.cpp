// SPDX-License-Identifier: Apache-2.0
#include "compiler/base/error.h"
#include "tuner/model/model.h"

namespace swgen::tuner {
Prediction predict_scratch(const ir::Seed&, const schedule::Schedule&, const target::Target&) {
  throw base::Infeasible("no model");
}
}  // namespace swgen::tuner
