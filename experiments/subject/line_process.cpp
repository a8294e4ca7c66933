#include "experiments/subject/line_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "core/error.hpp"
#include "experiments/plan/printable.hpp"

extern char** environ;

namespace bloometry {
namespace {

using std::chrono::steady_clock;

constexpr int kPollMilliseconds = 100;
constexpr std::size_t kShownBytes = 200;  // of an answer, in a message

std::string cause_of(int error) {
  return std::generic_category().message(error);
}

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw IoError("no pipe could be made: " + cause_of(errno));
    }
  }

  std::array<int, 2> ends{};  // read, write
};

void make_nonblocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  std::string text = "ended with exit code " + std::to_string(code);
  if (code == 127) text += " (command not found)";
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  return printable(text, kShownBytes);
}

LineProcess::LineProcess(const Settings& settings) : settings_(settings) {
  kept_handler_ = std::signal(SIGPIPE, SIG_IGN);
  spawn();
  last_progress_ = steady_clock::now();
}

void LineProcess::spawn() {
  const Pipe requests;
  const Pipe answers;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests.ends[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers.ends[1], STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::string shell = "sh";
  std::string option = "-c";
  std::array<char*, 4> argv{shell.data(), option.data(), settings_.command.data(), nullptr};
  const int error = ::posix_spawn(&child_, "/bin/sh", &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(requests.ends[0]);
  ::close(answers.ends[1]);
  to_child_ = requests.ends[1];
  from_child_ = answers.ends[0];
  if (error != 0) {
    child_ = -1;
    throw IoError("the subject could not be started: " + cause_of(error));
  }
  make_nonblocking(to_child_);
  make_nonblocking(from_child_);
}

LineProcess::~LineProcess() {
  if (to_child_ >= 0) ::close(to_child_);
  if (from_child_ >= 0) ::close(from_child_);
  if (child_ > 0) {
    ::kill(-child_, SIGKILL);
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  std::signal(SIGPIPE, kept_handler_);
}

std::string LineProcess::exchange(std::string_view request, std::string_view name,
                                  std::size_t max_answer) {
  std::string_view unsent = request;
  last_progress_ = steady_clock::now();
  while (!unsent.empty() || received_.find('\n') == std::string::npos) {
    if (received_.size() > max_answer + 2) {
      throw IoError("the subject answered '" + std::string(name) + "' with a line of more than " +
                    std::to_string(max_answer) + " characters: '" + printable(received_) + "'");
    }
    // A subject that has answered and gone, with the request half sent, has said all it will.
    if (has_ended_ && received_.find('\n') != std::string::npos) break;
    if (has_ended_) fail_because_it_ended(name);
    move_bytes(unsent, name);
  }
  return take_line(name, max_answer);
}

void LineProcess::move_bytes(std::string_view& unsent, std::string_view name) {
  std::array<pollfd, 2> waits{pollfd{from_child_, POLLIN, 0},
                              pollfd{unsent.empty() ? -1 : to_child_, POLLOUT, 0}};
  const int num_ready = ::poll(waits.data(), waits.size(), kPollMilliseconds);
  if (settings_.stop != nullptr && *settings_.stop) throw SubjectInterrupted("interrupted");
  if (num_ready > 0) {
    if ((waits[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_some();
    if ((waits[1].revents & (POLLOUT | POLLERR)) != 0) write_some(unsent);
  }
  if (steady_clock::now() - last_progress_ > settings_.timeout) {
    throw IoError("the subject did not answer '" + std::string(name) + "' within " +
                  std::to_string(settings_.timeout.count() / 1000) + " s (see --timeout)");
  }
}

void LineProcess::write_some(std::string_view& unsent) {
  const ssize_t count = ::write(to_child_, unsent.data(), unsent.size());
  if (count > 0) {
    unsent.remove_prefix(static_cast<std::size_t>(count));
    last_progress_ = steady_clock::now();
  } else if (count < 0 && errno == EPIPE) {
    unsent = {};  // it reads no more; what it still says tells why
  }
}

void LineProcess::read_some() {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(from_child_, buffer.data(), buffer.size());
  if (count > 0) {
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    last_progress_ = steady_clock::now();
  } else if (count == 0) {
    has_ended_ = true;
  }
}

void LineProcess::fail_because_it_ended(std::string_view name) {
  // Its output is closed; a moment later it is usually gone as well.
  int status = 0;
  pid_t gone = 0;
  for (int i = 0; i < 20 && gone == 0; ++i) {
    gone = ::waitpid(child_, &status, WNOHANG);
    if (gone == 0) ::poll(nullptr, 0, kPollMilliseconds / 2);
  }
  std::string what = "closed its output";
  if (gone == child_) {
    ::kill(-child_, SIGKILL);  // what it may have left running
    child_ = -1;
    what = how_it_ended(status);
  }
  throw IoError("the subject " + what + " before it answered '" + std::string(name) + "'");
}

std::string LineProcess::take_line(std::string_view name, std::size_t max_answer) {
  const std::size_t end = received_.find('\n');
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (!received_.empty()) {
    throw IoError("the subject answered '" + std::string(name) +
                  "' with more than one line, the second beginning '" + printable(received_) + "'");
  }
  if (line.size() > max_answer) {
    throw IoError("the subject answered '" + std::string(name) + "' with a line of " +
                  std::to_string(line.size()) + " characters, at most " +
                  std::to_string(max_answer) + " are allowed: '" + printable(line) + "'");
  }
  return line;
}

}  // namespace bloometry
