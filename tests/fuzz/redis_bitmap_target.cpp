#include <cstdint>

#include "core/hash/little_endian.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/targets.hpp"
#include "variants/foreign/redis_bitmap/redis_bitmap_filter.hpp"

namespace bloometry::fuzz {

bool run_redis_bitmap(std::string_view input) {
  // The input starts with arguments that the bitmap does not contain: scheme (1 byte), number of
  // hashes (2 bytes) and number of bits (4 bytes). Only the low 16 bits of the number of bits are
  // used. Unit tests cover pyrebloom filters in several strings, which have at least 2^32 bits.
  constexpr std::size_t kFrontBytes = 7;
  constexpr std::uint32_t kMostBits = (std::uint32_t{1} << 16U) - 1;
  if (input.size() < kFrontBytes) return false;
  const auto scheme = kRedisSchemes[static_cast<unsigned char>(input[0]) % kRedisSchemes.size()];
  const RedisSizes sizes{
      .num_bits = load_little_endian<std::uint32_t>(input.data() + 3) & kMostBits,
      .num_hashes = load_little_endian<std::uint16_t>(input.data() + 1)};
  const std::string_view string = input.substr(kFrontBytes);
  const auto filter = accepted(input, sizes.num_bits / 8 + kConstantBytes,
                               [&] { return RedisBitmapFilter::parse(string, scheme, sizes); });
  if (!filter) return false;
  const std::string again = filter->serialize();
  require(again.starts_with(string), "redis_bitmap: the string is written again");
  require(again.find_first_not_of('\0', string.size()) == std::string::npos,
          "redis_bitmap: what was missing at the end of the string is zeros");
  require(RedisBitmapFilter::parse(again, scheme, sizes) == *filter,
          "redis_bitmap: the string is read again");
  require_inserts(*filter);
  return true;
}

}  // namespace bloometry::fuzz
