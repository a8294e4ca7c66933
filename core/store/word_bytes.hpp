#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/hash/little_endian.hpp"

namespace bloometry {

/// Appends the words of a store as bytes, with the least significant byte first. On every machine,
/// bit i of a BitArray is bit i mod 8 of byte i / 8.
inline void append_word_bytes(std::string& bytes, std::span<const std::uint64_t> words) {
  if constexpr (std::endian::native == std::endian::little) {
    bytes.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  } else {
    for (const std::uint64_t word : words) append_little_endian(bytes, word);
  }
}

/// Sets the words from the output of append_word_bytes. Each word consists of 8 bytes.
inline void read_word_bytes(std::string_view bytes, std::span<std::uint64_t> words) noexcept {
  assert(bytes.size() == words.size_bytes());
  for (std::size_t w = 0; w < words.size(); ++w) {
    words[w] = load_little_endian<std::uint64_t>(bytes.data() + 8 * w);
  }
}

}  // namespace bloometry
