#include "experiments/subject/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr int kShellFailed = 127;
constexpr int kKillPause = 2;         // ms between looks at what still lives
constexpr int kMaxKillRounds = 2500;  // 5 s: a process that waits for a device cannot be killed

std::string cause_of(int error) {
  return std::generic_category().message(error);
}

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw IoError("no pipe could be made: " + cause_of(errno));
    }
  }

  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  ~Pipe() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }

  [[nodiscard]] int reader() const noexcept { return ends_[0]; }

  [[nodiscard]] int writer() const noexcept { return ends_[1]; }

  int take_reader() noexcept { return std::exchange(ends_[0], -1); }

  int take_writer() noexcept { return std::exchange(ends_[1], -1); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

void make_nonblocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

// --- In the child processes: system calls only, since another thread may hold any lock.

[[noreturn]] void become_subject(const char* command, int input, int output) {
  ::setpgid(0, 0);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execl("/bin/sh", "sh", "-c", command, nullptr);
  ::_exit(kShellFailed);
}

/// Sends SIGKILL to every number of the kernel's list of our children.
void kill_children() {
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::array<char, 4096> text{};
  const ssize_t size = ::read(file, text.data(), text.size());  // more of them: next round
  ::close(file);
  pid_t child = 0;
  for (ssize_t i = 0; i < size; ++i) {
    const char digit = text[static_cast<std::size_t>(i)];
    if (digit >= '0' && digit <= '9') {
      child = 10 * child + (digit - '0');
    } else {
      if (child > 0) ::kill(child, SIGKILL);
      child = 0;
    }
  }
}

/// Orphans become our children, so that nobody is left once we have none.
[[noreturn]] void kill_all() {
  for (int round = 0; round < kMaxKillRounds; ++round) {
    kill_children();
    pid_t gone = 0;
    while ((gone = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (gone < 0 && errno == ECHILD) break;
    ::poll(nullptr, 0, kKillPause);
  }
  ::_exit(0);
}

extern "C" void wake_up(int /*signal*/) {}

/// From here on an ended child interrupts ppoll, and nothing else.
void watch_children() {
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child_ended, nullptr);
  std::signal(SIGCHLD, wake_up);
}

/// Reports how the subject ended, and kills what is left at the end of `life`.
[[noreturn]] void keep(pid_t subject, int life, int report) {
  // A terminal's signals are meant for the program, which then closes `life`.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  pollfd end_of_life{life, POLLIN, 0};
  while (true) {
    int status = 0;
    pid_t gone = 0;
    while ((gone = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (gone != subject) continue;
      static_cast<void>(::write(report, &status, sizeof status) == 0);
      subject = -1;
    }
    if (::ppoll(&end_of_life, 1, nullptr, &none) > 0) break;
  }
  if (subject > 0) ::kill(-subject, SIGKILL);
  kill_all();
}

[[noreturn]] void become_keeper(const char* command, int input, int output, int life, int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  watch_children();
  const pid_t subject = ::fork();
  if (subject == 0) become_subject(command, input, output);
  // Nothing of the program stays open: not the subject's pipes, nor anybody's standard output.
  ::dup2(life, STDIN_FILENO);
  ::dup2(report, STDOUT_FILENO);
  ::close_range(STDERR_FILENO, ~0U, 0);
  keep(subject, STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

Keeper::Keeper(const std::string& command) {
  Pipe input;
  Pipe output;
  Pipe life;
  Pipe report;
  keeper_ = ::fork();
  if (keeper_ < 0) throw IoError("the subject could not be started: " + cause_of(errno));
  if (keeper_ == 0) {
    become_keeper(command.c_str(), input.reader(), output.writer(), life.reader(), report.writer());
  }
  input_ = input.take_writer();
  output_ = output.take_reader();
  life_ = life.take_writer();
  report_ = report.take_reader();
  make_nonblocking(input_);
  make_nonblocking(output_);
}

Keeper::~Keeper() {
  close_input();
  ::close(output_);
  ::close(life_);
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ::close(report_);
}

void Keeper::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

std::optional<int> Keeper::status_within(std::chrono::milliseconds patience) {
  pollfd report{report_, POLLIN, 0};
  if (!status_ && ::poll(&report, 1, static_cast<int>(patience.count())) > 0) {
    int status = 0;
    if (::read(report_, &status, sizeof status) == sizeof status) status_ = status;
  }
  return status_;
}

}  // namespace bloometry
