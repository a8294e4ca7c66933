#pragma once

namespace bloometry {

/// Prepares the process for opening and writing files. The function main calls prepare_process()
/// before it opens a file or prints text.
///
/// Opens /dev/null for each of standard input, output and error that the parent closed. Without
/// this precaution, the next opened file would get the descriptor of a closed stream, and printed
/// text would be written into that file. After the call, a write beyond `ulimit -f` fails with
/// EFBIG instead of ending the process. Returns false if a descriptor stays closed because
/// /dev/null cannot be opened.
[[nodiscard]] bool prepare_process() noexcept;

}  // namespace bloometry
