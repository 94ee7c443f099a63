// SPDX-License-Identifier: Apache-2.0
// Internal: reading a database file without leaving anything behind.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "tuning_db/statement.h"

namespace swgen::tuning_db {

/// Opens `path` (absolute), runs `query` in one read transaction and closes again; works in a folder
/// without write permission and creates no file there. `query` is run again when a writer changed the
/// file meanwhile in a way that locks could not prevent, so it must set its result afresh.
/// Throws DatabaseError.
void read_without_traces(const std::string& path, std::chrono::milliseconds busy_timeout,
                         const std::function<void(Connection&)>& query);

}  // namespace swgen::tuning_db
