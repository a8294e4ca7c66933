#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/file/file_calls.hpp"

namespace bloometry {

/// Returns the target of a symbolic link; returns other names unchanged.
[[nodiscard]] std::filesystem::path without_link(const std::filesystem::path& path);

/// Returns the temporary name under which replace_file writes a file: `.NAME.PID.tmp` in the same
/// folder. A process that is killed while it writes leaves this file and does not change any other.
[[nodiscard]] std::filesystem::path name_while_written(const std::filesystem::path& path);

/// Replaces a file, or the target of a symbolic link, as a whole and keeps its permissions. The new
/// file is written beside the old one, synced and renamed, and the folder is synced. A reader of
/// the name therefore finds either the old file or the new one, complete, even after a crash or a
/// power cut.
/// @param parts of the new file, in order.
/// @throws ConfigError if the path names a folder, FIFO or device; IoError, which leaves only the
/// old file. After a failed sync of the folder the new file exists, but a power cut may restore the
/// old one.
void replace_file(const std::filesystem::path& name, std::span<const std::string_view> parts,
                  FileCalls& calls = system_file_calls());

}  // namespace bloometry
