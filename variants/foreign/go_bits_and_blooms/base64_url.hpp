#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the base64 text of RFC 4648, section 5, which has the alphabet with - and _ and is
/// padded with =.
[[nodiscard]] std::string base64_url(std::string_view bytes);

/// Returns the bytes that `text` encodes, or nullopt if base64_url does not return exactly `text`
/// for them. The function rejects line breaks, another alphabet, missing padding, and non-zero bits
/// before the padding.
[[nodiscard]] std::optional<std::string> bytes_of_base64_url(std::string_view text);

}  // namespace bloometry
