#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/file/file_calls.hpp"

namespace bloometry {

/// A file that replaces another file in the same folder. It is written without a name, or under a
/// temporary name if the file system does not support files without one. It is locked, and a writer
/// removes only temporary files that are not locked. Two writers therefore never use the same
/// temporary file, in whatever threads, processes or containers.
///
/// Each function throws an IoError that names the target if a system call fails. Without a call of
/// replace(), the destructor removes the file.
class TemporaryFile {
 public:
  /// @param folder descriptor of the folder of `target`
  /// @param target the file that is replaced; if it exists, the new file has its permissions
  TemporaryFile(FileCalls& calls, int folder, const std::filesystem::path& target);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  void write(std::string_view bytes);

  /// Closes the file for writing and blocks until the file is on the device.
  void finish();

  /// Gives the file the name of the target. Call finish() first.
  void replace();

  /// Closes the file. Returns 0, or -1 with errno.
  [[nodiscard]] int close();

 private:
  void open_without_name();
  void create_under_new_name();
  [[nodiscard]] bool take_lock() const;
  void link_under_new_name();
  void draw_name();
  void sync() const;
  void discard() noexcept;
  [[noreturn]] void fail(const char* what) const;

  FileCalls& calls_;
  int folder_;
  std::filesystem::path target_;
  std::string target_name_;  // in the folder
  std::string name_{};       // empty if the file is without a temporary name
  int fd_ = -1;
};

}  // namespace bloometry
