#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Searches the folders of PATH for the program of that name. Returns an empty path if it does not
/// exist.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace bloometry
