#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Returns the program of that name in the folders of PATH; an empty path if it does not exist.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace bloometry
