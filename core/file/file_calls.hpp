#pragma once

#include <cstddef>
#include <filesystem>

namespace bloometry {

/// The calls of the operating system by which a file is replaced. Tests put another one in their
/// place that fails, or crashes, at a call of their choice.
class FileCalls {
 public:
  FileCalls() = default;
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;
  virtual ~FileCalls() = default;

  // Each returns -1 and sets errno if it fails, as the call of its name does.

  /// Opens a new file to be written, in place of what has the name, with the permissions of `like`
  /// if there is such a file.
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

/// Those of the system.
[[nodiscard]] FileCalls& system_file_calls() noexcept;

}  // namespace bloometry
