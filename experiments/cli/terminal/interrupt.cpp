#include "experiments/cli/terminal/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <fmt/core.h>
#include <iostream>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "experiments/cli/terminal/exit_code.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry {
namespace {

// A signal handler can only access globals.
std::atomic<bool> interrupted = false;
std::atomic<int> event_pipe = -1;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

constexpr char kSignalled = 's';
constexpr char kWatchEnds = 'e';

void send(char event) noexcept {
  static_cast<void>(!::write(event_pipe, &event, 1));
}

extern "C" void on_interrupt(int signal) {
  const int kept_errno = errno;
  // The function end_suddenly() can block, for instance on a network disk that does not respond.
  // The next signal therefore kills the process.
  if (interrupted.exchange(true)) std::signal(signal, SIG_DFL);
  send(kSignalled);
  errno = kept_errno;
}

}  // namespace

InterruptWatch::InterruptWatch(std::string kept, std::chrono::milliseconds grace)
    : kept_(std::move(kept)), grace_(grace) {
  if (::pipe2(pipe_.data(), O_CLOEXEC) != 0) {
    throw IoError("cannot create a pipe: " + std::generic_category().message(errno));
  }
  event_pipe = pipe_[1];
  interrupted = false;
  start_listening();

  struct sigaction action {};

  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    const bool is_nohup = kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;
    if (!is_nohup) ::sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  send(kWatchEnds);
  listener_.join();
  close_pipe();
}

const std::atomic<bool>& InterruptWatch::flag() noexcept {
  return interrupted;
}

void InterruptWatch::keep(std::string kept) {
  const NoSuddenEnd hold;
  kept_ = std::move(kept);
}

int InterruptWatch::say_interrupted(const std::string& kept) {
  const NoSuddenEnd hold;
  if (!std::exchange(has_spoken_, true)) std::cerr << line(kept) << std::flush;
  return kInterrupted;
}

void InterruptWatch::start_listening() {
  try {
    listener_ = std::thread([this] { listen(); });
  } catch (const std::system_error& error) {
    close_pipe();
    throw IoError(fmt::format("cannot start a thread: {}", error.what()));
  }
}

void InterruptWatch::close_pipe() noexcept {
  event_pipe = -1;
  ::close(pipe_[0]);
  ::close(pipe_[1]);
}

void InterruptWatch::listen() {
  if (next_event(-1) == kWatchEnds) return;
  if (grace_.count() > 0 && next_event(static_cast<int>(grace_.count())) == kWatchEnds) return;
  const NoSuddenEnd hold;
  // The terminal may show an unfinished progress line.
  const std::string start = ::isatty(STDERR_FILENO) != 0 ? "\n" : "";
  end_suddenly(has_spoken_ ? "" : start + line(kept_), kInterrupted);
}

/// Returns the next byte of the pipe, or kSignalled if the pipe does not receive a byte in time.
char InterruptWatch::next_event(int timeout_ms) const {
  pollfd wait{pipe_[0], POLLIN, 0};
  int num_ready = 0;
  while ((num_ready = ::poll(&wait, 1, timeout_ms)) < 0 && errno == EINTR) {
  }
  char event = kSignalled;
  if (num_ready > 0) static_cast<void>(!::read(pipe_[0], &event, 1));
  return event;
}

std::string InterruptWatch::line(const std::string& kept) const {
  return fmt::format("bloometry: interrupted; {}\n", kept);
}

}  // namespace bloometry
