#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns untrusted text (a name in a config, a path, a reply) as one line without control
/// characters. The result is safe in a message. If the text is longer than `max_bytes`, printable()
/// cuts out the middle of the text.
///
/// printable() writes control characters, marks that change the direction of writing, and bytes
/// that are not UTF-8 as escape sequences of C (`\n`, `\x1b`). The function does not escape
/// backslashes, so it is idempotent. The function needs time O(max_bytes) for text of any length.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_bytes);

/// Returns the name of a file that cannot be opened, for a message. A name of 16 or more
/// hexadecimal digits and no other characters may be a secret that was given in place of the name
/// of its file. The result states only its length.
[[nodiscard]] std::string name_unless_secret(std::string_view name);

/// Maximum number of bytes of a value in a message, of a pointer or path in a message, and of a
/// whole message.
inline constexpr std::size_t kMaxShownValue = 60;
inline constexpr std::size_t kMaxShownPointer = 120;
inline constexpr std::size_t kMaxMessage = 400;
/// Limit for commands that a user copies. A shortened command would be useless.
inline constexpr std::size_t kMaxCommand = 10 * kMaxMessage;

}  // namespace bloometry
