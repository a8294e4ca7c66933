#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace bloometry {

/// System calls that replace a file. Tests use a derived class in which a chosen call fails or ends
/// the process. `folder` is the descriptor of an open folder, and `name` is a name in this folder.
class FileCalls {
 public:
  FileCalls() = default;
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;
  virtual ~FileCalls() = default;

  // On failure, each function returns -1 and sets errno, like the system call.

  [[nodiscard]] virtual int open_folder(const std::filesystem::path& path);

  /// Removes the temporary files in the folder that no writer holds. Skips a file if a call fails.
  virtual void remove_abandoned(int folder);

  /// Opens a new file without a name for writing. Fails with EOPNOTSUPP if link() could not give
  /// the file a name.
  [[nodiscard]] virtual int open_unnamed(int folder);

  /// Creates a file and opens it for writing. Fails with EEXIST if the name exists.
  [[nodiscard]] virtual int create(int folder, const char* name);

  /// Draws 64 random bits.
  [[nodiscard]] virtual int draw(std::uint64_t& bits);

  /// Locks an open file without waiting. The lock lasts until the last duplicate of the descriptor
  /// is closed. Fails with EWOULDBLOCK if the file is locked.
  [[nodiscard]] virtual int lock(int fd);

  /// Fails with ENOENT if the name does not exist.
  [[nodiscard]] virtual int find(int folder, const char* name);

  /// Gives an open file the permissions of the file `like` and, if the system allows it, its owner
  /// and group. Does nothing if `like` does not exist.
  [[nodiscard]] virtual int copy_permissions(int fd, int folder, const char* like);

  [[nodiscard]] virtual std::ptrdiff_t write(int fd, const void* bytes, std::size_t size);
  [[nodiscard]] virtual int duplicate(int fd);

  /// Gives an open file a name. Fails with EEXIST if the name exists.
  [[nodiscard]] virtual int link(int fd, int folder, const char* name);

  [[nodiscard]] virtual int fsync(int fd);
  [[nodiscard]] virtual int rename(int folder, const char* from, const char* to);
  virtual int unlink(int folder, const char* name);
  virtual int close(int fd);
};

/// Returns the FileCalls object that calls the operating system.
[[nodiscard]] FileCalls& system_file_calls() noexcept;

}  // namespace bloometry
