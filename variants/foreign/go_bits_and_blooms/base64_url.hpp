#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Base64 of RFC 4648, section 5: the alphabet with - and _, padded with =.
[[nodiscard]] std::string base64_url(std::string_view bytes);

/// Returns the bytes that `text` stands for; absent unless base64_url would write exactly this text
/// for them: no line breaks, no other alphabet, no missing padding, no stray bits before it.
[[nodiscard]] std::optional<std::string> bytes_of_base64_url(std::string_view text);

}  // namespace bloometry
