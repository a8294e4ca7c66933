#pragma once

namespace bloometry {

/// Makes the process safe to open and write files. Main calls it before anything else.
///
/// Opens /dev/null for each of standard input, output and error that the parent closed: the next
/// file opened would take its number, and what is printed would end up in a part. A write beyond
/// `ulimit -f` fails with EFBIG from here on, where it would have ended the process.
/// Returns false if a descriptor stays closed, because /dev/null cannot be opened.
[[nodiscard]] bool prepare_process() noexcept;

}  // namespace bloometry
