#pragma once

#include <cstddef>
#include <filesystem>

namespace bloometry {

/// System calls that replace a file. Tests use a derived class in which a chosen call fails or ends
/// the process.
class FileCalls {
 public:
  FileCalls() = default;
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;
  virtual ~FileCalls() = default;

  // On failure, each function returns -1 and sets errno, like the system call.

  /// Creates a file and opens it for writing. Removes an existing file of the same name. If the
  /// file `like` exists, the new file has its permissions.
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
