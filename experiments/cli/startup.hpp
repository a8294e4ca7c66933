#pragma once

namespace bloometry {

/// Makes the process safe to open and write files. Main calls it before anything else.
///
/// Opens /dev/null for each of standard input, output and error that the parent closed. Otherwise
/// the next file opened would get its number, and printed text would end up in a part. From then
/// on, a write beyond `ulimit -f` fails with EFBIG instead of ending the process.
/// Returns false if a descriptor stays closed, because /dev/null cannot be opened.
[[nodiscard]] bool prepare_process() noexcept;

}  // namespace bloometry
