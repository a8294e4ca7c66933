#pragma once

namespace bloometry {

/// Removes the temporary files (core/file) that this process has open under their temporary names.
/// The function is called at a sudden end of the program. It misses a file that was opened without
/// a name and has a temporary name for a moment. The next writer in the folder removes this file.
void remove_open_temporaries() noexcept;

}  // namespace bloometry
