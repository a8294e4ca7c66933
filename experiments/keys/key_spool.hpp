#pragma once

#include "experiments/files/file_descriptor.hpp"

namespace bloometry {

/// Returns a new empty file in the system's temporary folder (TMPDIR), open for writing and
/// reading. The file is unnamed. The system therefore deletes the file when the program ends, even
/// after a crash. @throws IoError
[[nodiscard]] FileDescriptor unnamed_file();

}  // namespace bloometry
