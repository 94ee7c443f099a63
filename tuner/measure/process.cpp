// SPDX-License-Identifier: Apache-2.0
#include "tuner/measure/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "compiler/base/error.h"

namespace swgen::tuner {
namespace {

struct Pipe {
  std::array<int, 2> end = {-1, -1};
  Pipe() {
    if (pipe2(end.data(), O_CLOEXEC) != 0) throw base::InternalError("no pipe can be made");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int i) {
    if (end[i] >= 0) close(end[i]);
    end[i] = -1;
  }
};

[[noreturn]] void become_child(const std::vector<std::string>& argv, const ProcessLimits& limits,
                               Pipe& in, Pipe& out, Pipe& err) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no orphan goes on measuring
  dup2(in.end[0], 0);
  dup2(out.end[1], 1);
  dup2(err.end[1], 2);
  const rlimit memory = {limits.memory_bytes, limits.memory_bytes};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::vector<char*> args;
  for (const std::string& a : argv) args.push_back(const_cast<char*>(a.c_str()));
  args.push_back(nullptr);
  execv(args[0], args.data());
  const char text[] = "cannot be started\n";
  if (write(2, text, sizeof text - 1) < 0) _exit(126);
  _exit(127);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& input,
                          const ProcessLimits& limits) {
  Pipe in, out, err;
  const pid_t pid = fork();
  if (pid < 0) throw base::InternalError("no process can be made");
  if (pid == 0) become_child(argv, limits, in, out, err);
  setpgid(pid, pid);
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  fcntl(in.end[1], F_SETFL, O_NONBLOCK);
  void (*const old_handler)(int) = signal(SIGPIPE, SIG_IGN);

  ProcessResult result;
  const auto deadline = std::chrono::steady_clock::now() +
                        std::chrono::milliseconds(static_cast<int64_t>(limits.seconds * 1000));
  size_t written = 0;
  while (out.end[0] >= 0 || err.end[0] >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      break;
    }
    pollfd fds[3] = {{out.end[0], POLLIN, 0}, {err.end[0], POLLIN, 0}, {in.end[1], POLLOUT, 0}};
    if (poll(fds, 3, static_cast<int>(left)) < 0 && errno != EINTR) break;
    if (fds[2].fd >= 0 && fds[2].revents != 0) {
      const ssize_t n = write(in.end[1], input.data() + written, input.size() - written);
      if (n > 0) written += static_cast<size_t>(n);
      if (written == input.size() || (n < 0 && errno != EAGAIN)) in.close_end(1);
    }
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
      if (n <= 0) {
        (i == 0 ? out : err).close_end(0);
      } else if (i == 0) {
        result.output.append(buffer, static_cast<size_t>(n));
      } else if (result.errors.size() < 65536) {
        result.errors.append(buffer, static_cast<size_t>(n));
      }
    }
  }
  kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  signal(SIGPIPE, old_handler);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace swgen::tuner
