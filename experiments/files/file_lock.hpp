#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "experiments/files/file_descriptor.hpp"

namespace bloometry {

/// How long a FileLock waits for a lock that another process holds.
struct LockWait {
  std::optional<std::chrono::seconds> limit{};  ///< absent: no limit; 0: does not wait
  /// Called once, after a second of waiting, with the holder as in holder_of_lock().
  std::function<void(const std::string& holder)> on_wait{};
};

/// An exclusive lock (flock) of the file that has a given name. Commands that read a file, change
/// it and replace it by a rename hold the lock from before the read until after the rename. None of
/// the changes is then lost. The system releases the lock when the process ends. The lock does not
/// stop programs that replace the file without it.
class FileLock {
 public:
  /// Locks a file. If another process replaces the file while the constructor waits, it locks the
  /// new file. On a file system without locks, it does not wait.
  /// @param path name of the file, without symbolic links
  /// @throws IoError if the file cannot be opened or locked, is removed while the constructor
  /// waits, or is still locked after wait.limit; the error names the holder.
  FileLock(const std::filesystem::path& path, const LockWait& wait);

  /// Checks that no program without the lock has replaced, removed or written the file since the
  /// constructor. Such a program can still do so between this check and a rename.
  /// @throws IoError if the file was changed.
  void require_unchanged() const;

 private:
  /// The identity and the state of the file, as stat() returns them.
  struct Version {
    std::uint64_t device;
    std::uint64_t inode;
    std::int64_t size;
    std::int64_t seconds;
    std::int64_t nanoseconds;

    friend bool operator==(const Version&, const Version&) = default;
  };

  /// Returns the version of the file that has the name now, or nullopt if there is none.
  static std::optional<Version> version_of(const std::filesystem::path& path);

  FileDescriptor file_;
  std::optional<Version> locked_{};
};

}  // namespace bloometry
