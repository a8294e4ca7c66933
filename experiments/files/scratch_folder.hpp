#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// A new empty folder, removed at the end, a sudden one too, unless kept.
class ScratchFolder {
 public:
  /// Makes it below the system's temporary folder. @throws IoError if it cannot be made.
  explicit ScratchFolder(const std::string& prefix);
  /// Makes it in `parent`, which exists.
  ScratchFolder(const std::filesystem::path& parent, const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  void keep() { removal_.reset(); }

 private:
  void remove() const noexcept;

  std::filesystem::path path_;
  std::optional<AtSuddenEnd> removal_;
};

}  // namespace bloometry
