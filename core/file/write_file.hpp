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
/// device may never end and a folder cannot be replaced. A symbolic link that leads back to itself
/// is also refused.
void require_regular_file(const std::filesystem::path& path);

/// @throws ConfigError that names the file and the type of a file that is not regular.
[[noreturn]] void refuse_kind(const std::filesystem::path& path);

/// Returns the target of a symbolic link, which may be missing. Returns `path` if `path` is not a
/// link.
/// @throws ConfigError naming the link if it leads back to itself, to a file that is not regular,
/// or to a deleted file, such as /dev/stdout of a program that writes to a pipe.
[[nodiscard]] std::filesystem::path without_link(const std::filesystem::path& path);

/// Replaces a file, or the target of a symbolic link, as a whole and keeps its permissions. The
/// function writes a temporary file in the same folder (TemporaryFile), syncs and renames it, and
/// syncs the folder. A program that opens the name therefore reads the complete old or the complete
/// new file, even after a crash or a power failure. Several threads and processes may replace one
/// file at the same time; the last rename determines the content.
///
/// If a process is killed, at most one temporary file remains, named as temporary_name() does. The
/// next call for any file of the folder removes the temporary file.
/// @param parts contents of the new file, in order.
/// @throws ConfigError if the name is that of a folder, FIFO, device or looping symbolic link.
/// @throws IoError if a system call fails. The old file is unchanged, unless the message starts
/// with "the new file PATH is in place". In this case the new file exists, but a power failure may
/// restore the old file.
void replace_file(const std::filesystem::path& name, std::span<const std::string_view> parts,
                  FileCalls& calls = system_file_calls());

}  // namespace bloometry
