#pragma once

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// Throws ConfigError for a path that the user can correct, and IoError for a device that fails or
/// is full.
[[noreturn]] void refuse_path(const std::filesystem::path& folder, const std::error_code& error);

/// Folders and files that are removed unless a run folder is created successfully. The destructor
/// removes the folders and files. If the program ends suddenly, a handler removes the folders and
/// files. After keep(), the folders and files remain.
class NewPaths {
 public:
  /// @param target path for error messages
  explicit NewPaths(std::filesystem::path target) : target_(std::move(target)) {}

  NewPaths(const NewPaths&) = delete;
  NewPaths& operator=(const NewPaths&) = delete;

  ~NewPaths();

  /// Creates a folder and its parents, like mkdir -p. @throws ConfigError or IoError
  void make_folder(const std::filesystem::path& folder);

  /// Adds a file that the caller creates.
  void add(const std::filesystem::path& file);

  /// Keeps all folders and files.
  void keep();

 private:
  void remove() const noexcept;

  std::filesystem::path target_;
  std::vector<std::filesystem::path> made_;  // guarded by NoSuddenEnd
  AtSuddenEnd removal_{[this] { remove(); }};
};

}  // namespace bloometry
