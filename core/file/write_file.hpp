#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/file/file_calls.hpp"

namespace bloometry {

/// Returns the type of an existing file for an error message, such as `a folder`.
[[nodiscard]] const char* kind_text(std::filesystem::file_type type);

/// Accepts a regular file, a symbolic link to a regular file, and a name that does not exist.
/// @throws ConfigError naming the file if the file has another type, because reading a FIFO or a
/// device may never end and a folder cannot be replaced.
void require_regular_file(const std::filesystem::path& path);

/// @throws ConfigError that names the file and the type of a file that is not regular.
[[noreturn]] void refuse_kind(const std::filesystem::path& path);

/// Returns the target of a symbolic link, or `path` if `path` is not a link to an existing file.
[[nodiscard]] std::filesystem::path without_link(const std::filesystem::path& path);

/// Returns the temporary name under which replace_file writes a file. The temporary name is
/// `.NAME.PID.tmp` in the folder of the file. If a process is killed during the write, the
/// temporary file remains and all other files are unchanged.
[[nodiscard]] std::filesystem::path name_while_written(const std::filesystem::path& path);

/// Replaces a file, or the target of a symbolic link, as a whole and keeps its permissions. The
/// function writes the new file under a temporary name, syncs and renames the new file, and syncs
/// the folder. A program that opens the name therefore reads the complete old file or the complete
/// new file, even after a crash or a power cut.
/// @param parts contents of the new file, in order.
/// @throws ConfigError if the name is that of a folder, FIFO or device.
/// @throws IoError if a system call fails.
/// After an IoError, only the old file exists, unless the sync of the folder failed. After a failed
/// sync of the folder, the new file exists, but a power cut may restore the old file.
void replace_file(const std::filesystem::path& name, std::span<const std::string_view> parts,
                  FileCalls& calls = system_file_calls());

}  // namespace bloometry
