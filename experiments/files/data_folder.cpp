#include "experiments/files/data_folder.hpp"

#include <cstdlib>
#include <system_error>

// The path of the program's data folder relative to the folder of the installed program.
#ifndef BLOOMETRY_DATA_FROM_PROGRAM
#define BLOOMETRY_DATA_FROM_PROGRAM "../share/bloometry"
#endif

namespace bloometry {

std::filesystem::path data_folder(const char* variable, const std::string& name,
                                  const std::filesystem::path& source) {
  const char* chosen = std::getenv(variable);
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return source;
  const std::filesystem::path installed =
      (program.parent_path() / BLOOMETRY_DATA_FROM_PROGRAM / name).lexically_normal();
  return std::filesystem::is_directory(installed, error) ? installed : source;
}

}  // namespace bloometry
