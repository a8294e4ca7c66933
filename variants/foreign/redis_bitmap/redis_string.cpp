#include "variants/foreign/redis_bitmap/redis_string.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/error.hpp"
#include "core/hash/little_endian.hpp"

namespace bloometry {
namespace {

/// Returns the word with the bits of each byte in reverse order. The function exchanges
/// neighbouring bits, then pairs of bits, then halves of bytes.
constexpr std::uint64_t reversed_in_bytes(std::uint64_t word) noexcept {
  word = (word >> 1U & 0x5555555555555555U) | (word & 0x5555555555555555U) << 1U;
  word = (word >> 2U & 0x3333333333333333U) | (word & 0x3333333333333333U) << 2U;
  return (word >> 4U & 0x0f0f0f0f0f0f0f0fU) | (word & 0x0f0f0f0f0f0f0f0fU) << 4U;
}

/// Returns the bits from bit `first` on as a word, in which bit `first` is the lowest. The argument
/// num_bits is the number of bits, at most 64.
std::uint64_t bits_at(const BitArray<>& bits, std::uint64_t first,
                      std::uint64_t num_bits) noexcept {
  const auto words = bits.words();
  const std::uint64_t shift = first % 64;
  std::uint64_t word = words[first / 64] >> shift;
  if (shift + num_bits > 64) word |= words[first / 64 + 1] << (64 - shift);
  return num_bits < 64 ? word & ((std::uint64_t{1} << num_bits) - 1) : word;
}

/// Sets the bits of the array that are set in `word`; bit 0 of `word` is bit `first` of the array.
void set_bits_at(BitArray<>& bits, std::uint64_t first, std::uint64_t word) noexcept {
  const auto words = bits.words();
  const std::uint64_t shift = first % 64;
  words[first / 64] |= word << shift;
  // If the array ends with this word, the remaining bits of `word` are 0, because all set bits of
  // `word` are in range.
  if (shift != 0 && word >> (64 - shift) != 0) words[first / 64 + 1] |= word >> (64 - shift);
}

std::uint64_t num_bytes_for(std::uint64_t num_bits) noexcept {
  return num_bits / 8 + static_cast<std::uint64_t>(num_bits % 8 != 0);
}

[[noreturn]] void refuse(const std::string& text) {
  throw ConfigError("redis_bitmap string", text);
}

}  // namespace

std::string redis_string(const BitArray<>& bits, std::uint64_t first, std::uint64_t last) {
  std::string string(num_bytes_for(last - first), '\0');
  for (std::size_t byte = 0; byte < string.size(); byte += 8) {
    const std::uint64_t at = first + 8 * byte;
    const std::uint64_t word =
        reversed_in_bytes(bits_at(bits, at, std::min<std::uint64_t>(64, last - at)));
    const std::size_t num_bytes = std::min<std::size_t>(8, string.size() - byte);
    for (std::size_t i = 0; i < num_bytes; ++i) {
      string[byte + i] = static_cast<char>(word >> (8 * i) & 0xffU);
    }
  }
  return string;
}

void set_bits_of_redis_string(BitArray<>& bits, std::uint64_t first, std::uint64_t last,
                              std::string_view string) {
  const std::uint64_t num_bits = last - first;
  if (string.size() > num_bytes_for(num_bits)) {
    refuse("must have at most " + std::to_string(num_bytes_for(num_bits)) + " bytes for " +
           std::to_string(num_bits) + " bits, got " + std::to_string(string.size()));
  }
  const bool has_last_byte = !string.empty() && string.size() == num_bytes_for(num_bits);
  const std::uint64_t num_unused = 8 * num_bytes_for(num_bits) - num_bits;
  const auto unused =
      static_cast<unsigned char>(has_last_byte ? string.back() & ((1 << num_unused) - 1) : 0);
  if (unused != 0) {
    const std::uint64_t bit =
        8 * (string.size() - 1) + static_cast<unsigned>(std::countl_zero(unused));
    refuse("must not have bits set from bit " + std::to_string(num_bits) + " on, got bit " +
           std::to_string(bit));
  }
  for (std::size_t byte = 0; byte < string.size(); byte += 8) {
    const std::string_view part = string.substr(byte, 8);
    const std::uint64_t word = part.size() == 8 ? load_little_endian<std::uint64_t>(part.data())
                                                : load_tail(part.data(), part.size());
    set_bits_at(bits, first + 8 * byte, reversed_in_bytes(word));
  }
}

}  // namespace bloometry
