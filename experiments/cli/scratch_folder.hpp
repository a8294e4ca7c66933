#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// A new empty folder below the system's temporary one, removed at the end unless kept.
class ScratchFolder {
 public:
  /// @throws IoError if it cannot be made.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  void keep() noexcept { is_kept_ = true; }

 private:
  std::filesystem::path path_;
  bool is_kept_ = false;
};

}  // namespace bloometry
