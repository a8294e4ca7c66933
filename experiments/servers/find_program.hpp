#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Searches the folders of PATH for the program `name`. Returns its path, or an empty path if the
/// program does not exist.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace bloometry
