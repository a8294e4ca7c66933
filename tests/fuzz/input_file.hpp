#pragma once

#include <filesystem>
#include <string_view>

namespace bloometry::fuzz {

/// A file in memory that has a path. The file is removed even if the process is killed.
class InputFile {
 public:
  InputFile();
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Replaces the content. The file must not be mapped.
  void write(std::string_view bytes) const;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  int fd_;
  std::filesystem::path path_;
};

}  // namespace bloometry::fuzz
