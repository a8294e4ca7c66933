#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace bloometry {

/// Returns the unsigned integer whose bytes, least significant first, begin at `bytes`. The address
/// may have any alignment, and the result is the same on every machine. The original
/// implementations of several hashes use the machine's byte order instead of little-endian order.
template <std::unsigned_integral Word>
[[nodiscard]] inline Word load_little_endian(const char* bytes) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  } else {
    Word word = 0;
    for (std::size_t i = sizeof word; i-- > 0;) {
      word = static_cast<Word>(word << 8U | static_cast<unsigned char>(bytes[i]));
    }
    return word;
  }
}

/// Returns the last `size` < 8 bytes of a key as a little-endian number. The missing high bytes are
/// 0. The function load_tail does not read bytes after the key.
[[nodiscard]] inline std::uint64_t load_tail(const char* bytes, std::size_t size) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = size; i-- > 0;) word = word << 8U | static_cast<unsigned char>(bytes[i]);
  return word;
}

/// Appends the bytes of `word`, least significant first.
template <std::unsigned_integral Word>
inline void append_little_endian(std::string& bytes, Word word) {
  for (std::size_t i = 0; i < sizeof word; ++i) {
    bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(word) >> (8 * i) & 0xffU));
  }
}

}  // namespace bloometry
