#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the name of a temporary file: `.bloometry-X.tmp`, where X is `bits` in 16 hexadecimal
/// digits. The name has 31 bytes, so the name of the replaced file may have any length.
[[nodiscard]] std::string temporary_name(std::uint64_t bits);

[[nodiscard]] bool is_temporary_name(std::string_view name) noexcept;

/// Removes the regular files with temporary names that no writer holds, for example after a kill. A
/// writer holds a lock on its file as long as the file has a temporary name. The function skips a
/// file if a system call fails. The cost is proportional to the number of names in the folder.
/// @param folder descriptor of an open folder
void remove_abandoned_files(int folder) noexcept;

}  // namespace bloometry
