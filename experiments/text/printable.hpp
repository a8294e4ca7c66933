#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns untrusted text (a name in a config, a path, a reply) in a form that is safe in a
/// message: one line without control characters. A text longer than `max_bytes` is shortened in the
/// middle.
///
/// Control characters, marks that change the direction of writing, and bytes that are not UTF-8 are
/// escaped as in C: `\n`, `\x1b`. Backslashes are not escaped, so that the function is idempotent.
/// Time O(max_bytes), whatever the length of the text.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_bytes);

/// Maximum bytes in a message of a value, of a pointer or path, and of the whole message.
inline constexpr std::size_t kMaxShownValue = 60;
inline constexpr std::size_t kMaxShownPointer = 120;
inline constexpr std::size_t kMaxMessage = 400;

}  // namespace bloometry
