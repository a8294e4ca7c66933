#pragma once

#include <array>
#include <string>
#include <string_view>

#include "experiments/keys/text_encoding.hpp"

namespace bloometry::test {

inline constexpr std::array kWide = {TextEncoding::kUtf16le, TextEncoding::kUtf16be,
                                     TextEncoding::kUtf32le, TextEncoding::kUtf32be};

/// Returns the text in an encoding of UTF-16 or UTF-32.
inline std::string encoded(TextEncoding encoding, std::u32string_view text) {
  const bool is_utf16 = encoding == TextEncoding::kUtf16le || encoding == TextEncoding::kUtf16be;
  const bool is_big = encoding == TextEncoding::kUtf16be || encoding == TextEncoding::kUtf32be;
  std::string bytes;
  const auto append = [&](char32_t unit) {
    const int width = is_utf16 ? 2 : 4;
    for (int i = 0; i < width; ++i) {
      bytes.push_back(static_cast<char>(unit >> 8 * (is_big ? width - 1 - i : i) & 0xff));
    }
  };
  for (const char32_t code : text) {
    if (is_utf16 && code > 0xffff) {
      append(0xd7c0 + (code >> 10));
      append(0xdc00 + (code & 0x3ff));
    } else {
      append(code);
    }
  }
  return bytes;
}

}  // namespace bloometry::test
