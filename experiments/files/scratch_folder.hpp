#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// A new folder, which is empty at first. The destructor removes it, or a handler if the program
/// ends suddenly. After a call of keep(), it remains.
class ScratchFolder {
 public:
  /// Creates a folder below the system's temporary folder. @throws IoError if it cannot be created.
  explicit ScratchFolder(const std::string& prefix);
  /// Creates a folder in `parent`, which must exist.
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
