#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/hash/key_view.hpp"
#include "core/hash/siphash_hashers.hpp"
#include "experiments/workload/key_patterns.hpp"

namespace bloometry::test {

/// Maximum size of a key of any pattern.
inline constexpr std::size_t kMaxKeyBytes = 64;

/// A sequence of distinct keys that a weak hash may not distinguish well.
struct KeySet {
  std::string_view name;
  /// Writes key number i, for i < 2^32, and returns its size, which is at most kMaxKeyBytes bytes.
  std::size_t (*write)(std::uint64_t i, char* key);
};

namespace patterns {

inline std::size_t write_integer(std::uint64_t value, char* key) noexcept {
  const IntegerKey bytes(value);
  std::memcpy(key, bytes.view().data(), sizeof value);
  return sizeof value;
}

inline std::size_t write_text(std::string_view text, char* key) noexcept {
  std::memcpy(key, text.data(), text.size());
  return text.size();
}

/// Writes the decimal digits of i with leading zeros.
inline std::size_t write_digits(std::uint64_t i, std::size_t num_digits, char* key) noexcept {
  for (std::size_t place = num_digits; place-- > 0; i /= 10) {
    key[place] = static_cast<char>('0' + i % 10);
  }
  return num_digits;
}

/// Writes a pseudo-random word that depends only on i. Among n keys, two keys are equal with
/// probability n^2 / 2^65.
inline std::size_t random(std::uint64_t i, char* key) {
  char number[sizeof i];
  write_integer(i, number);
  return write_integer(
      siphash_2_4(std::string_view(number, sizeof number), SipHashKey::of_seed(20261120)), key);
}

/// Writes eight bytes followed by 0 to 15 NULs. Some keys differ only in the number of NULs.
inline std::size_t nul_padded(std::uint64_t i, char* key) {
  const std::size_t size = write_integer(i / 16, key);
  std::memset(key + size, 0, i % 16);
  return size + i % 16;
}

/// Writes a Gray code whose bits are spread over 64 bytes. Consecutive keys differ in one bit.
inline std::size_t one_bit_apart(std::uint64_t i, char* key) {
  std::memset(key, 0, 64);
  const std::uint64_t code = i ^ i >> 1U;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned place = 19 * bit % 512;
    key[place / 8] = static_cast<char>(key[place / 8] | (code >> bit & 1U) << (place % 8));
  }
  return 64;
}

inline std::size_t common_prefix(std::uint64_t i, char* key) {
  const std::size_t size = write_text("https://www.example.com/catalogue/item?id=", key);
  return static_cast<std::size_t>(std::to_chars(key + size, key + kMaxKeyBytes, i).ptr - key);
}

/// Writes digits in bytes 15 to 24, the last digit first, followed by text. The digits that change
/// most often are on both sides of a boundary between blocks of 16 bytes.
inline std::size_t across_blocks(std::uint64_t i, char* key) {
  std::size_t size = write_text("/catalogue/item", key);
  size += write_digits(i, 10, key + size);
  std::reverse(key + size - 10, key + size);
  return size + write_text(".html?language=en", key + size);
}

/// Writes key i of the sequence of all keys of 1 byte, then all keys of 2, 3 and 4 bytes.
inline std::size_t shortest(std::uint64_t i, char* key) {
  std::size_t size = 1;
  for (; i >= std::uint64_t{1} << (8 * size); ++size) i -= std::uint64_t{1} << (8 * size);
  for (std::size_t place = 0; place < size; ++place) {
    key[place] = static_cast<char>(i >> (8 * place));
  }
  return size;
}

/// Writes a key of 4 to 64 bytes that ends in a number.
inline std::size_t all_lengths(std::uint64_t i, char* key) {
  const std::size_t size = 4 + i % 61;
  const std::uint64_t number = i / 61;
  std::memset(key, 'x', size);
  for (std::size_t place = 0; place < 4; ++place) {
    key[size - 1 - place] = static_cast<char>(number >> (8 * place));
  }
  return size;
}

/// A pattern of one of the key sources that configs can name, with consecutive item numbers.
template <std::size_t kIndex>
constexpr KeySet config_source = {kKeyPatterns[kIndex].description, [](std::uint64_t i, char* key) {
                                    return write_integer(kKeyPatterns[kIndex].value(i), key);
                                  }};

}  // namespace patterns

/// Patterns with keys of eight bytes.
inline constexpr std::array<KeySet, 8> kIntegerPatterns = {{
    {"random", patterns::random},
    {"i", patterns::write_integer},
    patterns::config_source<0>,
    patterns::config_source<1>,
    patterns::config_source<2>,
    patterns::config_source<3>,
    patterns::config_source<4>,
    patterns::config_source<5>,
}};
static_assert(kIntegerPatterns.size() == kKeyPatterns.size() + 2);

inline constexpr KeySet kAcrossBlocks = {"across blocks", patterns::across_blocks};

inline constexpr std::array<KeySet, 7> kStringPatterns = {{
    {"zero-padded digits",
     [](std::uint64_t i, char* key) { return patterns::write_digits(i, 20, key); }},
    {"NUL-padded", patterns::nul_padded},
    {"one bit apart", patterns::one_bit_apart},
    {"common prefix", patterns::common_prefix},
    kAcrossBlocks,
    {"shortest", patterns::shortest},
    {"all lengths", patterns::all_lengths},
}};

}  // namespace bloometry::test
