#include "experiments/process/child_process.hpp"

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
#include <vector>

#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr int kNotExecuted = 127;     // exit code of a shell that cannot execute a program
constexpr int kKillPause = 2;         // pause in ms between checks for remaining processes
constexpr int kMaxKillRounds = 2500;  // kill_all() ends after 5 s, even if a process remains

std::string cause_of(int error) {
  return std::generic_category().message(error);
}

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw IoError("cannot create a pipe: " + cause_of(errno));
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

// --- Code that runs in the child processes. This code makes only system calls, because another
// thread of the parent may hold any lock.

/// A message on the report pipe: the reason why the program was not executed, or the status with
/// which it ended.
struct Report {
  int start_error;
  int status;
};

void send(int report, const Report& text) {
  static_cast<void>(::write(report, &text, sizeof text) == 0);
}

/// The arguments and the standard streams of the program to execute.
struct Call {
  std::array<Stream, 3> streams;
  std::array<int, 3> pipes;  ///< the program's ends of the pipes
  char* const* arguments;
};

void set_streams(const Call& call) {
  for (int stream = 0; stream < 3; ++stream) {
    const auto i = static_cast<std::size_t>(stream);
    if (call.streams[i] == Stream::kPipe) ::dup2(call.pipes[i], stream);
    if (call.streams[i] != Stream::kNull) continue;
    const int null =
        ::open("/dev/null", (stream == STDIN_FILENO ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
    ::dup2(null, stream);
  }
}

[[noreturn]] void become_program(const Call& call, int report) {
  ::setpgid(0, 0);
  set_streams(call);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(call.arguments[0], call.arguments);
  send(report, {.start_error = errno, .status = 0});
  ::_exit(kNotExecuted);
}

/// Sends SIGKILL to every process that the kernel lists as a child of this process.
void kill_children() {
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::array<char, 4096> text{};
  const ssize_t size = ::read(file, text.data(), text.size());  // the next call reads the rest
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

/// Kills all descendants of this process. This process must be a subreaper, so that orphaned
/// descendants become its children. When all children of this process have ended, all its
/// descendants have also ended.
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

/// Blocks SIGCHLD and sets its handler, so that the end of a child interrupts only ppoll.
void watch_children() {
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child_ended, nullptr);
  std::signal(SIGCHLD, wake_up);
}

/// Reports the status with which the program ends, and kills all remaining processes when
/// `lifeline` is closed.
[[noreturn]] void keep(pid_t program, int lifeline, int report) {
  // The terminal also sends these signals to the parent program, which then closes `lifeline`.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  pollfd end_of_lifeline{lifeline, POLLIN, 0};
  while (true) {
    int status = 0;
    pid_t gone = 0;
    while ((gone = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (gone != program) continue;
      send(report, {.start_error = 0, .status = status});
      program = -1;
    }
    if (::ppoll(&end_of_lifeline, 1, nullptr, &none) > 0) break;
  }
  if (program > 0) ::kill(-program, SIGKILL);
  kill_all();
}

[[noreturn]] void become_keeper(const Call& call, int lifeline, int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  watch_children();
  const pid_t program = ::fork();
  if (program == 0) become_program(call, report);
  // The supervisor closes all inherited files, because it must not keep the program's pipes and the
  // standard output open.
  ::dup2(lifeline, STDIN_FILENO);
  ::dup2(report, STDOUT_FILENO);
  ::close_range(STDERR_FILENO, ~0U, 0);
  keep(program, STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

ChildProcess::ChildProcess(const Settings& settings) {
  std::vector<char*> arguments;
  for (const std::string& argument : settings.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  Pipe input;
  Pipe output;
  Pipe errors;
  Pipe lifeline;
  Pipe report;
  const Call call{.streams = {settings.input, settings.output, settings.errors},
                  .pipes = {input.reader(), output.writer(), errors.writer()},
                  .arguments = arguments.data()};
  const NoSuddenEnd hold;
  keeper_ = ::fork();
  if (keeper_ < 0) throw IoError("cannot start a process: " + cause_of(errno));
  if (keeper_ == 0) become_keeper(call, lifeline.reader(), report.writer());
  if (settings.input == Stream::kPipe) input_ = input.take_writer();
  if (settings.output == Stream::kPipe) output_ = output.take_reader();
  if (settings.errors == Stream::kPipe) errors_ = errors.take_reader();
  lifeline_ = lifeline.take_writer();
  report_ = report.take_reader();
  make_nonblocking(input_);
  make_nonblocking(output_);
  end_.emplace([this] { close_lifeline(); });
}

ChildProcess::~ChildProcess() {
  end_.reset();
  for (const int pipe : {input_, output_, errors_}) {
    if (pipe >= 0) ::close(pipe);
  }
  close_lifeline();
  ::close(report_);
}

/// Closes `lifeline` and waits for the end of the supervisor. The supervisor ends when all its
/// descendants have ended.
void ChildProcess::close_lifeline() {
  ::close(lifeline_);
  while (::waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ChildProcess::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

/// Waits for one report and stores its content. Returns false at the end of the reports.
bool ChildProcess::read_report() {
  Report report{};
  ssize_t size = 0;
  do {
    size = ::read(report_, &report, sizeof report);
  } while (size < 0 && errno == EINTR);
  if (size != sizeof report) return false;
  if (report.start_error != 0) {
    start_error_ = report.start_error;
  } else {
    status_ = report.status;
  }
  return true;
}

std::optional<int> ChildProcess::status_within(std::chrono::milliseconds patience) {
  pollfd report{report_, POLLIN, 0};
  const int timeout = static_cast<int>(patience.count());
  while (!status_ && ::poll(&report, 1, timeout) > 0 && read_report()) {
  }
  return status_;
}

int ChildProcess::wait() {
  while (!status_) {
    if (!read_report()) throw IoError("a child process was lost");
  }
  return *status_;
}

}  // namespace bloometry
