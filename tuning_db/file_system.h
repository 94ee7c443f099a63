// SPDX-License-Identifier: Apache-2.0
// Internal: what the file system says about a database path.
#pragma once

#include <cstdint>
#include <string>

namespace swgen::tuning_db {

/// True for a statfs type known to be used by one host only. SQLite's write-ahead log needs all its
/// processes on one host (https://www.sqlite.org/wal.html), so anything unknown counts as not local.
bool is_local_file_system(std::int64_t statfs_type);

/// The same for the file system that holds the folder `directory`; false when it cannot be asked.
bool is_on_local_file_system(const std::string& directory);

/// Absolute form of `path` with links resolved as far as it exists: SQLite keeps journals beside the
/// file itself, not beside a link to it.
std::string absolute_path(const std::string& path);

/// The folder that holds `path`.
std::string folder_of(const std::string& path);

/// `file:` URI of an absolute path, percent-encoded, with `query` (such as "mode=ro") appended.
std::string file_uri(const std::string& absolute, const std::string& query);

/// What changes when somebody writes to the database: enough to notice it from outside.
struct FileStamp {
  bool exists = false, wal = false, shm = false;  ///< wal: present and not empty; shm: present
  std::uint64_t device = 0, inode = 0;
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

FileStamp stamp_of(const std::string& path);

}  // namespace swgen::tuning_db
