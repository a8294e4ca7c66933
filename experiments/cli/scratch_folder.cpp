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
  if (error || mkdtemp(name.data()) == nullptr) {
    if (!error) error.assign(errno, std::generic_category());
    throw IoError("a temporary folder " + name + " could not be made: " + error.message());
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!is_kept_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace bloometry
