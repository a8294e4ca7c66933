#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace bloometry {

/// An open file whose destructor closes it. On failure, each function throws an IoError that names
/// the file and the reason.
class FileDescriptor {
 public:
  FileDescriptor() = default;

  /// Opens the file. The constructor adds O_CLOEXEC and O_NONBLOCK to the flags, so that opening a
  /// FIFO does not block.
  /// @param flags as for open(2)
  /// @throws IoError
  FileDescriptor(const std::filesystem::path& path, int flags);

  /// Returns an object that owns the open file `fd`.
  static FileDescriptor adopt(const std::filesystem::path& path, int fd) {
    FileDescriptor file;
    file.path_ = path;
    file.fd_ = fd;
    return file;
  }

  FileDescriptor(FileDescriptor&& other) noexcept
      : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
  }

  ~FileDescriptor();

  /// Writes all bytes, with as few calls as the system allows. @throws IoError
  void write(std::string_view bytes);

  /// Blocks until the bytes written to the file are on the device. @throws IoError
  void sync();

  [[nodiscard]] int get() const noexcept { return fd_; }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

/// Syncs a folder, so that new and renamed files in it survive a power failure. @throws IoError
void sync_folder(const std::filesystem::path& folder);

/// Replaces a file by a file that contains `text`, as replace_file() in core/file does.
/// @throws the errors of replace_file() in core/file
void replace_file(const std::filesystem::path& path, std::string_view text);

/// Returns the bytes of a file. @throws ConfigError as require_regular_file does; IoError
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

}  // namespace bloometry
