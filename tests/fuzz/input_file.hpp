#pragma once

#include <filesystem>
#include <string_view>

namespace bloometry::fuzz {

/// A file that is stored in memory and has a path. The system removes the file even if the process
/// is killed.
class InputFile {
 public:
  InputFile();
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Replaces the content. The file must not be mapped during the call.
  void write(std::string_view bytes) const;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  int fd_;
  std::filesystem::path path_;
};

}  // namespace bloometry::fuzz
