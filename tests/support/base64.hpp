#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bloometry::test {

/// Returns the bytes that a base64 string encodes.
inline std::string bytes_of_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned num_bits = 0;
  for (const char digit : text) {
    if (digit == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(kDigits.find(digit));
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<char>(bits >> num_bits & 0xffU));
  }
  return bytes;
}

}  // namespace bloometry::test
