#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Returns the folder of files that the program reads and does not hold: page templates, the chart
/// runtime. The first of these that there is:
///
/// 1. the value of the environment variable, if it is set, whether or not there is such a folder;
/// 2. share/bloometry/`name` as `cmake --install` lays it out, found from the program's own file;
/// 3. `source`, the folder in the source tree that the program was built from.
[[nodiscard]] std::filesystem::path data_folder(const char* variable, const std::string& name,
                                                const std::filesystem::path& source);

}  // namespace bloometry
