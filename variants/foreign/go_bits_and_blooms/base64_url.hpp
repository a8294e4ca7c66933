#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bloometry {

/// Returns the base64 text of RFC 4648, section 5: the alphabet with - and _, padded with =.
[[nodiscard]] std::string base64_url(std::string_view bytes);

/// Returns the bytes that `text` encodes, or nullopt if base64_url does not write exactly this text
/// for them. Line breaks, another alphabet, missing padding and non-zero bits before the padding
/// are rejected.
[[nodiscard]] std::optional<std::string> bytes_of_base64_url(std::string_view text);

}  // namespace bloometry
