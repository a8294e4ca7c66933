#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the base64 encoding of RFC 4648, section 5: the alphabet contains - and _, and the
/// result is padded with =.
[[nodiscard]] std::string base64_url(std::string_view bytes);

/// Returns the bytes that `text` encodes, or nullopt if base64_url of these bytes is not exactly
/// `text`. The function rejects line breaks, another alphabet, missing padding, and non-zero bits
/// before the padding.
[[nodiscard]] std::optional<std::string> bytes_of_base64_url(std::string_view text);

}  // namespace bloometry
