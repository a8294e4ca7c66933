#include "experiments/output/new_paths.hpp"

#include <cerrno>
#include <fmt/core.h>

#include "core/error.hpp"

namespace bloometry {

void refuse_path(const std::filesystem::path& folder, const std::error_code& error) {
  const bool is_device = error == std::errc::no_space_on_device || error == std::errc::io_error ||
                         error.value() == EDQUOT;
  if (is_device) throw IoError(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  throw ConfigError(
      fmt::format("run folder must be a folder that can be created or written, got {}: {}",
                  folder.string(), error.message()));
}

NewPaths::~NewPaths() {
  const NoSuddenEnd hold;
  remove();
  made_.clear();
}

void NewPaths::make_folder(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(folder, error)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) make_folder(folder.parent_path());
  const NoSuddenEnd hold;
  fs::create_directory(folder, error);
  if (error == std::errc::file_exists) error = make_error_code(std::errc::not_a_directory);
  if (error) refuse_path(target_, error);
  made_.push_back(folder);
}

void NewPaths::add(const std::filesystem::path& file) {
  const NoSuddenEnd hold;
  made_.push_back(file);
}

void NewPaths::keep() {
  const NoSuddenEnd hold;
  made_.clear();
}

void NewPaths::remove() const noexcept {
  std::error_code ignored;
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) {
    std::filesystem::remove(*made, ignored);
  }
}

}  // namespace bloometry
