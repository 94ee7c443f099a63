// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace swgen::tuning_db {
namespace {

class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path) {
    require(sqlite3_open(path.c_str(), &handle_), "open");
    sqlite3_busy_timeout(handle_, 5000);
  }
  ~RawDatabase() { sqlite3_close(handle_); }

  std::string run(const std::string& sql) {
    std::string rows;
    require(sqlite3_exec(
                handle_, sql.c_str(),
                [](void* text, int, char** values, char**) {
                  auto& joined = *static_cast<std::string*>(text);
                  if (!joined.empty()) joined += '\n';
                  joined += values[0] ? values[0] : "NULL";
                  return 0;
                },
                &rows, nullptr),
            sql);
    return rows;
  }

 private:
  void require(int code, const std::string& what) {
    if (code != SQLITE_OK) throw std::runtime_error(what + ": " + sqlite3_errmsg(handle_));
  }
  sqlite3* handle_ = nullptr;
};

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tuning_db.XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot create " + pattern);
  path_ = std::filesystem::canonical(pattern).string();
}

TemporaryFolder::~TemporaryFolder() {
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  std::filesystem::remove_all(path_);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string key_of(char digit) { return std::string(64, digit); }

WorkloadRow some_workload() { return {key_of('a'), "net.conv1", "conv2d", "conv2d n=1 c=64"}; }

TargetRow some_target() { return {key_of('b'), "x86", "avx2", "cpu=example l2=1048576"}; }

Record some_record(const std::string& schedule, double seconds) {
  Record record;
  record.workload_key = some_workload().key;
  record.target_key = some_target().key;
  record.schedule = schedule;
  record.threads = 2;
  record.seconds = seconds;
  record.gflops = 10;
  return record;
}

Database new_database(const std::string& path, const OpenOptions& options) {
  Database database = Database::open(path, Database::Mode::read_write, options);
  database.put_workload(some_workload());
  database.put_target(some_target());
  return database;
}

void execute_raw(const std::string& path, const std::string& sql) {
  RawDatabase(path).run("PRAGMA ignore_check_constraints = 1;" + sql);
}

std::string query_raw(const std::string& path, const std::string& sql) {
  return RawDatabase(path).run(sql);
}

void write_file(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

std::string read_file(const std::string& path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const DatabaseError& error) {
    return error.what();
  }
  return "no error";
}

int run_in_child(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void drop_privileges() {
  constexpr uid_t kNobody = 65534;
  if (geteuid() == 0 && setuid(kNobody) != 0) throw std::runtime_error("cannot become an ordinary user");
}

}  // namespace swgen::tuning_db
