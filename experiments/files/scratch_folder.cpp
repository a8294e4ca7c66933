#include "experiments/files/scratch_folder.hpp"

#include <stdlib.h>  // mkdtemp

#include <cerrno>
#include <fmt/core.h>
#include <system_error>

#include "core/error.hpp"

namespace bloometry {

namespace {

[[noreturn]] void fail(const std::string& name, const std::error_code& error) {
  throw IoError(fmt::format("a temporary folder {} could not be made: {}", name, error.message()));
}

std::filesystem::path system_folder(const std::string& prefix) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) fail(prefix + "XXXXXX", error);
  return folder;
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& prefix)
    : ScratchFolder(system_folder(prefix), prefix) {}

ScratchFolder::ScratchFolder(const std::filesystem::path& parent, const std::string& prefix) {
  std::string name = (parent / (prefix + "XXXXXX")).string();
  const NoSuddenEnd hold;
  if (mkdtemp(name.data()) == nullptr) fail(name, {errno, std::generic_category()});
  path_ = name;
  removal_.emplace([this] { remove(); });
}

ScratchFolder::~ScratchFolder() {
  if (removal_) remove();
}

/// Removes the folder. remove() retries while the folder is not empty, because other threads may
/// still create files there.
void ScratchFolder::remove() const noexcept {
  constexpr int kTries = 10;
  std::error_code error;
  for (int i = 0; i < kTries; ++i) {
    std::filesystem::remove_all(path_, error);
    if (!error && !std::filesystem::exists(path_, error)) return;
  }
}

}  // namespace bloometry
