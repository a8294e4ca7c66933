#include "experiments/files/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "experiments/files/lock_holder.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// Opens the file. On NFS, a lock needs a file that is open for writing.
FileDescriptor open_file(const fs::path& path) {
  const bool is_writable = ::access(path.c_str(), W_OK) == 0;
  return {path, is_writable ? O_RDWR : O_RDONLY};
}

/// Opens the file that has the name. @throws IoError if no file has it
FileDescriptor open_named(const fs::path& path, bool has_waited) {
  std::error_code error;
  if (has_waited && !fs::exists(path, error)) {
    throw IoError(
        fmt::format("{} was removed while this command waited for its lock", path.string()));
  }
  return open_file(path);
}

/// Locks the file unless another process has locked it. Returns whether the file is locked now.
bool try_lock(const FileDescriptor& file) {
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return false;
    // Some file systems do not support locks. require_unchanged() still detects most changes.
    if (errno == ENOSYS || errno == EOPNOTSUPP) return true;
    throw IoError(fmt::format("cannot lock {}: {}", file.path().string(), std::strerror(errno)));
  }
  return true;
}

/// Returns whether the path is the name of the open file.
bool is_file_of_name(const FileDescriptor& file) {
  struct stat opened {};

  struct stat named {};

  return ::fstat(file.get(), &opened) == 0 && ::stat(file.path().c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// The wait for one lock. A blocking flock() has neither a time limit nor a moment for a message,
/// so the class tries again after pauses.
class Waiting {
 public:
  explicit Waiting(const LockWait& wait) : wait_(wait) {}

  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

  /// Sleeps for a short time. @throws IoError if the limit has passed
  void pause(const FileDescriptor& file) {
    has_begun_ = true;
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    if (wait_.limit && elapsed >= *wait_.limit) refuse(file);
    if (!has_told_ && elapsed >= kSilence && wait_.on_wait) {
      has_told_ = true;
      wait_.on_wait(holder_of_lock(file));
    }
    pause_ = std::min<Duration>(2 * pause_, kLongestPause);
    std::this_thread::sleep_for(wait_.limit ? std::min<Duration>(pause_, *wait_.limit - elapsed)
                                            : pause_);
  }

 private:
  using Duration = std::chrono::steady_clock::duration;
  static constexpr Duration kSilence = std::chrono::seconds(1);
  static constexpr Duration kLongestPause = std::chrono::milliseconds(40);

  [[noreturn]] void refuse(const FileDescriptor& file) const {
    const auto seconds = wait_.limit->count();
    throw IoError(fmt::format("{} is {}locked by {}{}", file.path().string(),
                              seconds > 0 ? "still " : "", holder_of_lock(file),
                              seconds > 0 ? fmt::format(" after {} s", seconds) : ""));
  }

  const LockWait& wait_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Duration pause_ = std::chrono::microseconds(500);
  bool has_begun_ = false;
  bool has_told_ = false;
};

}  // namespace

FileLock::FileLock(const fs::path& path, const LockWait& wait) {
  Waiting waiting(wait);
  bool is_locked = false;
  while (!is_locked || !is_file_of_name(file_)) {
    // The name of a file changes its file if the holder of the lock replaces it by a rename.
    if (!is_file_of_name(file_)) file_ = open_named(path, waiting.has_begun());
    is_locked = try_lock(file_);
    if (!is_locked) waiting.pause(file_);
  }
  locked_ = version_of(path);
}

void FileLock::require_unchanged() const {
  if (version_of(file_.path()) == locked_) return;
  throw IoError(
      fmt::format("{} was changed by another program that did not lock it, and is left "
                  "as it is; run the command again",
                  file_.path().string()));
}

std::optional<FileLock::Version> FileLock::version_of(const fs::path& path) {
  struct stat status {};

  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Version{.device = status.st_dev,
                 .inode = status.st_ino,
                 .size = status.st_size,
                 .seconds = status.st_mtim.tv_sec,
                 .nanoseconds = status.st_mtim.tv_nsec};
}

}  // namespace bloometry
