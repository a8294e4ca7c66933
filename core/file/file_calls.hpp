#pragma once

#include <cstddef>
#include <filesystem>

namespace bloometry {

/// System calls that replace a file. Tests substitute a class that fails, or crashes, at a chosen
/// call.
class FileCalls {
 public:
  FileCalls() = default;
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;
  virtual ~FileCalls() = default;

  // A function that fails returns -1 and sets errno, like the system call of the same name.

  /// Opens a new file for writing; replaces an existing file of the same name. Copies the
  /// permissions of `like` if that file exists.
  [[nodiscard]] virtual int create(const std::filesystem::path& path,
                                   const std::filesystem::path& like);
  [[nodiscard]] virtual int open_folder(const std::filesystem::path& path);
  [[nodiscard]] virtual std::ptrdiff_t write(int fd, const void* bytes, std::size_t size);
  [[nodiscard]] virtual int fsync(int fd);
  virtual int close(int fd);
  [[nodiscard]] virtual int rename(const std::filesystem::path& from,
                                   const std::filesystem::path& to);
  virtual int unlink(const std::filesystem::path& path);
};

/// Returns the FileCalls object that calls the operating system.
[[nodiscard]] FileCalls& system_file_calls() noexcept;

}  // namespace bloometry
