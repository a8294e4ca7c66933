#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/narrow_digest.hpp"

namespace bloometry {
namespace crc32_detail {

/// Returns the table of the remainders of all byte values modulo the reflected polynomial
/// 0xedb88320.
constexpr std::array<std::uint32_t, 256> make_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? 0xedb88320U : 0U);
    }
    table[byte] = remainder;
  }
  return table;
}

inline constexpr std::array<std::uint32_t, 256> kTable = make_table();

}  // namespace crc32_detail

/// Returns the CRC-32 of IEEE 802.3, as in zlib, PNG and PHP's crc32(). The CRC-32 is reflected,
/// starts with all ones, and is complemented at the end. The function crc32 processes one byte per
/// step (Sarwate 1988), because a CRC for study need not be fast.
[[nodiscard]] constexpr std::uint32_t crc32(std::string_view bytes) noexcept {
  std::uint32_t remainder = 0xffffffffU;
  for (const char byte : bytes) {
    const std::size_t index = (remainder ^ static_cast<unsigned char>(byte)) & 0xffU;
    remainder = (remainder >> 8U) ^ crc32_detail::kTable[index];
  }
  return ~remainder;
}

/// Hasher with CRC-32, unseeded and weak. CRC-32 has 32 bits and is linear, so the XOR of two keys
/// of equal length determines whether the keys collide. CRC-32 was designed to detect transmission
/// errors, but is often used as a hash.
class Crc32Hasher {
 public:
  static constexpr std::string_view kName = "crc32";
  static constexpr bool kIsSeeded = false;
  static constexpr bool kIsWeak = true;
  static constexpr double kNumBits = 32;

  explicit Crc32Hasher(std::uint64_t /*ignored_seed*/ = 0) noexcept {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return digest_of_32_bits(crc32({key.data(), key.size()}));
  }

  friend bool operator==(const Crc32Hasher&, const Crc32Hasher&) noexcept = default;
};

static_assert(Hasher<Crc32Hasher>);

}  // namespace bloometry
