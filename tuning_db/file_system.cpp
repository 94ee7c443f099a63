// SPDX-License-Identifier: Apache-2.0
#include "tuning_db/file_system.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace swgen::tuning_db {
namespace {

// Magic numbers from statfs(2).
constexpr std::array<std::uint32_t, 10> kLocalTypes = {
    0x0000EF53,  // ext2, ext3, ext4
    0x58465342,  // xfs
    0x9123683E,  // btrfs
    0x01021994,  // tmpfs
    0x858458F6,  // ramfs
    0x794C7630,  // overlayfs
    0x2FC12FC1,  // zfs
    0xF2F52010,  // f2fs
    0xCA451A4E,  // bcachefs
    0x3153464A,  // jfs
};

}  // namespace

bool is_local_file_system(std::int64_t statfs_type) {
  // f_type is signed on some systems; the magic numbers have 32 bits.
  const auto type = static_cast<std::uint32_t>(statfs_type);
  return std::find(kLocalTypes.begin(), kLocalTypes.end(), type) != kLocalTypes.end();
}

bool is_on_local_file_system(const std::string& directory) {
  struct statfs facts {};
  return statfs(directory.c_str(), &facts) == 0 && is_local_file_system(facts.f_type);
}

std::string absolute_path(const std::string& path) {
  std::error_code failed;
  const auto resolved = std::filesystem::weakly_canonical(std::filesystem::absolute(path), failed);
  return failed ? std::filesystem::absolute(path).string() : resolved.string();
}

std::string folder_of(const std::string& path) {
  return std::filesystem::path(path).parent_path().string();
}

std::string file_uri(const std::string& absolute, const std::string& query) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : absolute) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '/' || c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      uri += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    }
  }
  return uri + "?" + query;
}

FileStamp stamp_of(const std::string& path) {
  FileStamp stamp;
  struct stat facts {};
  if (stat(path.c_str(), &facts) == 0) {
    stamp.exists = true;
    stamp.device = facts.st_dev;
    stamp.inode = facts.st_ino;
    stamp.size = facts.st_size;
    stamp.seconds = facts.st_mtim.tv_sec;
    stamp.nanoseconds = facts.st_mtim.tv_nsec;
  }
  stamp.wal = stat((path + "-wal").c_str(), &facts) == 0 && facts.st_size > 0;
  stamp.shm = stat((path + "-shm").c_str(), &facts) == 0;
  return stamp;
}

}  // namespace swgen::tuning_db
