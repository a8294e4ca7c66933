#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the word as a POSIX shell reads it back. A word with other characters than letters,
/// digits and `_@%+=:,./-` is enclosed in single quotes.
[[nodiscard]] std::string shell_word(std::string_view word);

/// Returns the words of a command line as text for a POSIX shell.
[[nodiscard]] std::string shell_text(std::span<const char* const> words);

}  // namespace bloometry
