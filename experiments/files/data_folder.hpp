#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Returns the folder of data files that are not compiled into the program: page templates and the
/// chart runtime. The result is the first of the following folders that applies.
///
/// 1. The value of the environment variable `variable` if the value is not empty, even if that
///    folder does not exist.
/// 2. The folder share/bloometry/`name` of an installation by `cmake --install`, relative to the
///    program's own file.
/// 3. The parameter `source`: a folder of the source tree from which the program was built.
[[nodiscard]] std::filesystem::path data_folder(const char* variable, const std::string& name,
                                                const std::filesystem::path& source);

}  // namespace bloometry
