#include <bit>
#include <cstdint>

#include "core/hash/little_endian.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"

namespace bloometry::fuzz {

bool run_go_bitset(std::string_view input) {
  // The input starts with arguments that the bit set does not contain or that must equal it: number
  // of hashes (2 bytes) and number of bits (4 bytes, of which 16 bits are used).
  constexpr std::size_t kFrontBytes = 6;
  constexpr std::uint32_t kMostBits = (std::uint32_t{1} << 16U) - 1;
  if (input.size() < kFrontBytes) return false;
  const RedisSizes sizes{
      .num_bits = load_little_endian<std::uint32_t>(input.data() + 2) & kMostBits,
      .num_hashes = load_little_endian<std::uint16_t>(input.data())};
  const std::string_view bit_set = input.substr(kFrontBytes);
  const auto filter = accepted(input, sizes.num_bits / 8 + kConstantBytes,
                               [&] { return RedisBitmapFilter::parse_go_bitset(bit_set, sizes); });
  if (!filter) return false;
  constexpr std::size_t kLengthBytes = 8;
  std::uint64_t num_ones = 0;
  for (const char byte : bit_set.substr(kLengthBytes)) {
    num_ones += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned char>(byte)));
  }
  require(filter->bits().count() == num_ones, "go_bitset: every set bit is in the filter");
  require(RedisBitmapFilter::parse(filter->serialize(), RedisScheme::kGoSeeded, sizes) == *filter,
          "go_bitset: the bitmap is read again");
  require_inserts(*filter);
  return true;
}

}  // namespace bloometry::fuzz
