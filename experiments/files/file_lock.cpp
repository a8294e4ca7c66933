#include "experiments/files/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <utility>

#include "core/error.hpp"

namespace bloometry {
namespace {

namespace fs = std::filesystem;

/// Opens the file. On NFS, a lock needs a file that is open for writing.
FileDescriptor open_file(const fs::path& path) {
  const bool is_writable = ::access(path.c_str(), W_OK) == 0;
  return {path, is_writable ? O_RDWR : O_RDONLY};
}

/// Locks the file. Returns false if it is locked and `operation` contains LOCK_NB.
bool lock(const FileDescriptor& file, int operation) {
  while (::flock(file.get(), operation) != 0) {
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

}  // namespace

FileLock::FileLock(const fs::path& path, const std::function<void()>& on_wait) {
  bool has_waited = false;
  do {
    file_ = open_file(path);
    if (lock(file_, LOCK_EX | LOCK_NB)) continue;
    if (!std::exchange(has_waited, true)) on_wait();
    lock(file_, LOCK_EX);
  } while (!is_file_of_name(file_));
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
