#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/file/file_calls.hpp"

namespace bloometry {

/// The file that a symbolic link leads to; other names as they are.
[[nodiscard]] std::filesystem::path without_link(const std::filesystem::path& path);

/// The name under which replace_file writes a file before it has its own: `.NAME.PID.tmp` in the
/// same folder. A process that is ended while it writes leaves this file; nothing else is changed.
[[nodiscard]] std::filesystem::path name_while_written(const std::filesystem::path& path);

/// Replaces a file, or that which a symbolic link leads to, as a whole and with its permissions:
/// written beside, synced, renamed, and the folder synced. Whoever
/// reads the name sees the old file or the new one, never a half, also after a crash or a power
/// cut.
/// @param parts of the new file, one after the other.
/// @throws ConfigError if the path names a folder, FIFO or device; IoError, leaving the old file
/// and nothing else. After a failed sync of the folder the new file is there, but a power cut may
/// bring back the old one.
void replace_file(const std::filesystem::path& name, std::span<const std::string_view> parts,
                  FileCalls& calls = system_file_calls());

}  // namespace bloometry
