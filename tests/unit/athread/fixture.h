// SPDX-License-Identifier: Apache-2.0
// Fresh group with errors as exceptions, default options and zeroed counters.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "athread.h"
#include "slave_args.h"
#include "swgen_athread.h"

class AthreadTest : public testing::Test {
 protected:
  void SetUp() override {
    swgen::athread::set_error_handler(swgen::athread::throw_error);
    swgen::athread::set_options({});
    swgen::athread::set_observer(nullptr);
    swgen::athread::reset_counters();
    athread_init();
  }
  void TearDown() override {
    athread_halt();
    swgen::athread::set_error_handler(nullptr);
  }
};

// The message that athread_join gives, or "" if the run succeeds.
inline std::string join_message() {
  try {
    athread_join();
  } catch (const swgen::athread::EmulationError& error) {
    return error.what();
  }
  return "";
}
