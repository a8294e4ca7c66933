#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bloometry {

/// The schemes of programs that store a Bloom filter in a bitmap of Redis. A scheme determines the
/// indices of a key and the size of the bitmap. Redis does not store the scheme. The README lists
/// the sources and defects of the schemes.
enum class RedisScheme {
  kJedis,      ///< Java: double hashing of murmur3, as in MITZ_64 of Guava, for any m
  kPyrebloom,  ///< pyreBloom (Python, C): MurmurHash64A with k seeds
  kPhp3,       ///< PHP: the three string hashes of core/study_hash, k = 3
  kGoSeeded,   ///< Go: murmur3 with the seeds 0 to k - 1
};

inline constexpr std::array kRedisSchemes = {RedisScheme::kJedis, RedisScheme::kPyrebloom,
                                             RedisScheme::kPhp3, RedisScheme::kGoSeeded};

/// Returns the name of a scheme: jedis, pyrebloom, php3 or go_seeded.
[[nodiscard]] std::string_view name_of(RedisScheme scheme) noexcept;

/// Returns the scheme with the given name.
/// @throws ConfigError if the scheme does not exist.
[[nodiscard]] RedisScheme redis_scheme_named(std::string_view name);

/// The number of bits m and the number of hashes k of a bitmap.
struct RedisSizes {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;

  friend bool operator==(const RedisSizes&, const RedisSizes&) = default;
};

/// Maximum number of hashes of a bitmap. For rates of type double, the programs never choose more
/// than kMaxRedisHashes hashes.
inline constexpr unsigned kMaxRedisHashes = 1075;

/// Maximum number of bits of a jedis filter, the largest int of Java.
inline constexpr std::uint64_t kMaxJedisBits = 0x7fffffff;

/// Maximum number of bits of a pyrebloom filter. The sizes for all capacities below 2^32 are below
/// this maximum. A filter of another scheme cannot exceed one string: Redis limits a string to 2^32
/// bits, and offsets in Java have the type int.
inline constexpr std::uint64_t kMaxPyrebloomBits = std::uint64_t{1} << 43U;

/// Number of bits of each string of pyreBloom. Redis allows one more bit per string, but pyreBloom
/// never uses offset 2^32 - 1.
inline constexpr std::uint64_t kPyrebloomStringBits = 4294967295;

/// Returns the maximum number of bits of a filter.
[[nodiscard]] std::uint64_t max_redis_bits(RedisScheme scheme) noexcept;

/// Returns the number of strings of a filter of m bits, which is 1 for all schemes but pyrebloom.
[[nodiscard]] std::uint64_t num_redis_strings(RedisScheme scheme, std::uint64_t num_bits) noexcept;

/// Checks the sizes and returns them.
/// @throws ConfigError if the program of the scheme cannot create a bitmap of these sizes. The
/// number of bits m must be in range. For php3, k must be 3, and m must be a multiple of 8192. For
/// pyrebloom, the program must create names for all strings of m bits.
RedisSizes checked_redis_sizes(RedisScheme scheme, const RedisSizes& sizes);

/// Returns the sizes that the program of the scheme computes for n keys at rate p. All logarithms
/// are natural:
///
///     jedis      m = trunc(-n ln p / ln^2 2), at most 2^31 - 1, k = max(1, round(m / n ln 2))
///     pyrebloom  m = trunc(-n ln p / ln^2 2), k = ceil(ln 2 m / n), n below 2^32
///     go_seeded  m = ceil(-n ln p / ln^2 2), k = ceil(ln 2 m / n)
///
/// @throws ConfigError if n is 0, p is not in (0, 1), the sizes are out of range, or the scheme is
/// php3, which does not compute a size from n and p.
[[nodiscard]] RedisSizes redis_sizes_for(RedisScheme scheme, std::uint64_t capacity,
                                         double target_false_positive_rate);

}  // namespace bloometry
