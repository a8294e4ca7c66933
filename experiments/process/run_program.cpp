#include "experiments/process/run_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "experiments/process/sudden_end.hpp"

extern char** environ;

namespace bloometry {
namespace {

/// Standard streams of the child: no input, no output, errors into a pipe.
class Streams {
 public:
  Streams() {
    if (::pipe2(pipe_.data(), O_CLOEXEC) != 0) throw IoError("no pipe could be made");
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, pipe_[1], STDERR_FILENO);
  }

  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  ~Streams() {
    posix_spawn_file_actions_destroy(&actions_);
    ::close(pipe_[0]);
    if (pipe_[1] >= 0) ::close(pipe_[1]);
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }

  /// Everything the child wrote, until it closes the pipe.
  std::string read_errors() {
    ::close(std::exchange(pipe_[1], -1));
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
      const ssize_t count = ::read(pipe_[0], buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  std::array<int, 2> pipe_{};
  posix_spawn_file_actions_t actions_{};
};

/// A process that a sudden end of ours ends too.
class Child {
 public:
  Child(const std::vector<char*>& argv, const Streams& streams) {
    const NoSuddenEnd hold;
    error_ = ::posix_spawnp(&pid_, argv[0], streams.actions(), nullptr, argv.data(), environ);
    if (error_ == 0) end_.emplace([pid = pid_] { ::kill(pid, SIGKILL); });
  }

  /// errno of the start; 0 if it runs.
  [[nodiscard]] int error() const noexcept { return error_; }

  /// Its status once it has ended. Until then the number is its own, and safe to kill.
  [[nodiscard]] int wait() {
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) != 0) {
      if (errno != EINTR) throw IoError("a child process was lost");
    }
    end_.reset();
    int status = 0;
    ::waitpid(pid_, &status, 0);
    return status;
  }

 private:
  pid_t pid_ = 0;
  int error_ = 0;
  std::optional<AtSuddenEnd> end_;
};

/// The line that says most: node puts its message on an `Error:` line, others last.
std::string telling_line(const std::string& text) {
  std::string last;
  std::string told;
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t end = std::min(text.find('\n', position), text.size());
    const std::string line = text.substr(position, end - position);
    if (line.find("Error: ") != line.npos && told.empty()) told = line;
    if (!line.empty()) last = line;
    position = end + 1;
  }
  return told.empty() ? last : told;
}

}  // namespace

void run_program(const std::vector<std::string>& arguments, const std::string& debian_package) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  Streams streams;
  Child child(argv, streams);
  if (child.error() == ENOENT) {
    throw IoError(arguments.front() + " is not installed (Debian package " + debian_package + ")");
  }
  if (child.error() != 0) {
    throw IoError(arguments.front() + ": " + std::generic_category().message(child.error()));
  }
  const std::string errors = streams.read_errors();
  if (child.wait() != 0) throw IoError(arguments.front() + " failed: " + telling_line(errors));
}

}  // namespace bloometry
