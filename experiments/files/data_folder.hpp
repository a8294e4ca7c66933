#pragma once

#include <filesystem>
#include <string>

namespace bloometry {

/// Returns the folder of data files that are not compiled into the program: page templates, the
/// chart runtime. The first applicable one is:
///
/// 1. the value of the environment variable if it is set, even if that folder does not exist;
/// 2. share/bloometry/`name` as `cmake --install` creates it, found relative to the program's own
/// file;
/// 3. `source`, a folder of the source tree from which the program was built.
[[nodiscard]] std::filesystem::path data_folder(const char* variable, const std::string& name,
                                                const std::filesystem::path& source);

}  // namespace bloometry
