#pragma once

#include <filesystem>
#include <functional>

#include "experiments/files/file_descriptor.hpp"

namespace bloometry {

/// An exclusive lock (flock) of the file that has a given name. Commands that read a file, change
/// it and replace it by a rename hold the lock from before the read until after the rename. None of
/// the changes is then lost. The system releases the lock when the process ends. The lock does not
/// stop programs that replace the file without it.
class FileLock {
 public:
  /// Locks a file. If another process replaces the file while the constructor blocks, it locks the
  /// new file.
  /// @param path name of the file, without symbolic links
  /// @param on_wait function that is called once before the constructor blocks
  /// @throws IoError if the file cannot be opened or locked.
  FileLock(const std::filesystem::path& path, const std::function<void()>& on_wait);

 private:
  FileDescriptor file_;
};

}  // namespace bloometry
