#include "experiments/cli/scratch_folder.hpp"

#include <stdlib.h>  // mkdtemp

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace bloometry {

ScratchFolder::ScratchFolder(const std::string& prefix) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string name = (parent / (prefix + "XXXXXX")).string();
  const NoSuddenEnd hold;
  if (error || mkdtemp(name.data()) == nullptr) {
    if (!error) error.assign(errno, std::generic_category());
    throw IoError("a temporary folder " + name + " could not be made: " + error.message());
  }
  path_ = name;
  removal_.emplace([this] { remove(); });
}

ScratchFolder::~ScratchFolder() {
  if (removal_) remove();
}

/// Other threads may still make files in it: a folder that is not empty any more is tried again.
void ScratchFolder::remove() const noexcept {
  constexpr int kTries = 10;
  std::error_code error;
  for (int i = 0; i < kTries; ++i) {
    std::filesystem::remove_all(path_, error);
    if (!error && !std::filesystem::exists(path_, error)) return;
  }
}

}  // namespace bloometry
