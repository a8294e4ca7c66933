#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bloometry {

// Functions for integers with the most significant byte first. The formats guava and
// go_bits_and_blooms have this order on every machine.

/// Returns the big-endian unsigned integer whose bytes begin at `bytes`, at any alignment.
template <std::unsigned_integral Word>
[[nodiscard]] constexpr Word load_big_endian(const char* bytes) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    word = word << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return static_cast<Word>(word);
}

template <std::unsigned_integral Word>
void append_big_endian(std::string& bytes, Word word) {
  for (std::size_t i = sizeof(Word); i-- > 0;) {
    bytes.push_back(static_cast<char>(std::uint64_t{word} >> (8 * i) & 0xffU));
  }
}

/// Reads words.size() big-endian words into `words`. The argument `bytes` must have 8 bytes per
/// word.
inline void load_big_endian_words(std::string_view bytes, std::span<std::uint64_t> words) noexcept {
  const char* next = bytes.data();
  for (std::uint64_t& word : words) {
    word = load_big_endian<std::uint64_t>(next);
    next += sizeof word;
  }
}

inline void append_big_endian_words(std::string& bytes, std::span<const std::uint64_t> words) {
  for (const std::uint64_t word : words) append_big_endian(bytes, word);
}

}  // namespace bloometry
