#pragma once

namespace bloometry {

/// Removes the temporary files (core/file) that this process has open under their temporary names.
/// An action at a sudden end of the program. The function misses a file that was opened without a
/// name and has a name for a moment before it replaces another file; the next writer removes it.
void remove_open_temporaries() noexcept;

}  // namespace bloometry
