#pragma once

#include "experiments/files/file_descriptor.hpp"

namespace bloometry {

/// A new empty file in the system's temporary folder (TMPDIR), to be written and read. It has no
/// name: whatever ends the program, nothing stays behind. @throws IoError
[[nodiscard]] FileDescriptor unnamed_file();

}  // namespace bloometry
