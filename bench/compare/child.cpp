// SPDX-License-Identifier: Apache-2.0
#include "bench/compare/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace swgen::bench {
namespace {

constexpr int kAnswerMilliseconds = 300000;
constexpr int kEndMilliseconds = 2000;

/// Variables that choose another CPU's kernels or another way of threading.
bool steers_a_library(const char* variable) {
  for (const char* prefix : {"OPENBLAS_", "GOTO_", "ONEDNN_", "DNNL_", "OMP_", "GOMP_", "KMP_"})
    if (std::strncmp(variable, prefix, std::strlen(prefix)) == 0) return true;
  return false;
}

std::vector<char*> plain_environment() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!steers_a_library(*variable)) kept.push_back(*variable);
  kept.push_back(nullptr);
  return kept;
}

[[noreturn]] void become(const std::vector<std::string>& argv, int in, int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no orphan goes on computing
  dup2(in, 0);
  dup2(out, 1);
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execve(arguments[0], arguments.data(), plain_environment().data());
  _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& argv) : name_(argv.front()) {
  signal(SIGPIPE, SIG_IGN);  // a peer that ended is noticed when it does not answer
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0) fail("no pipe can be made");
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    fail("no pipe can be made");
  }
  pid_ = fork();
  if (pid_ == 0) become(argv, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
  if (pid_ < 0) {
    close(to_);
    close(from_);
    fail("no process can be made");
  }
}

Child::~Child() {
  close(to_);  // a peer ends with its input
  pollfd end{from_, POLLIN, 0};
  char rest[256];
  while (poll(&end, 1, kEndMilliseconds) > 0 && read(from_, rest, sizeof rest) > 0) {
  }
  close(from_);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string Child::read_line() {
  size_t end;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    pollfd ready{from_, POLLIN, 0};
    const int count = poll(&ready, 1, kAnswerMilliseconds);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      fail("found no answer for " + std::to_string(kAnswerMilliseconds / 1000) + " s");
    char text[4096];
    const ssize_t size = read(from_, text, sizeof text);
    if (size <= 0) fail("the program ended, expected an answer");
    buffer_.append(text, static_cast<size_t>(size));
  }
  const std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

std::string Child::ask(const std::string& line) {
  const std::string text = line + "\n";
  if (write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    fail("the program does not read '" + line + "'");
  std::string answer = read_line();
  if (answer.rfind("error", 0) == 0) fail("'" + line + "' was answered by: " + answer);
  return answer;
}

void Child::fail(const std::string& what) const { throw PeerError(name_ + ": " + what); }

}  // namespace swgen::bench
