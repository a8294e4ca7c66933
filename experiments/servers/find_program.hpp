#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Returns the path of the program `name` in the folders of PATH, or an empty path if the program
/// does not exist.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace bloometry
