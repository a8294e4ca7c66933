#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bloometry {

/// How a program that keeps a Bloom filter in a bitmap of Redis makes the indices of a key, and how
/// it sizes the bitmap. Redis does not store which one. README: sources, defects.
enum class RedisScheme {
  kJedis,      ///< Java: double hashing of murmur3, as Guava's MITZ_64, modulo any m
  kPyrebloom,  ///< pyreBloom (Python, C): MurmurHash64A under k seeds
  kPhp3,       ///< PHP: the three string hashes of core/study_hash, k = 3
  kGoSeeded,   ///< Go: murmur3 under the seeds 0 to k - 1
};

inline constexpr std::array kRedisSchemes = {RedisScheme::kJedis, RedisScheme::kPyrebloom,
                                             RedisScheme::kPhp3, RedisScheme::kGoSeeded};

/// jedis, pyrebloom, php3, go_seeded.
[[nodiscard]] std::string_view name_of(RedisScheme scheme) noexcept;

/// @throws ConfigError if no scheme has that name.
[[nodiscard]] RedisScheme redis_scheme_named(std::string_view name);

/// m and k of a bitmap.
struct RedisSizes {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;

  friend bool operator==(const RedisSizes&, const RedisSizes&) = default;
};

/// Most hash functions of a bitmap; no scheme uses more at any rate that a double holds.
inline constexpr unsigned kMaxRedisHashes = 1075;

/// Most bits of pyrebloom: above the size for any capacity of 32 bits. Others have one string,
/// whose offsets Redis bounds by 2^32; Java's is an int.
inline constexpr std::uint64_t kMaxPyrebloomBits = std::uint64_t{1} << 43U;

/// Bits of each string of pyreBloom. One less than Redis allows: offset 2^32 - 1 is never used.
inline constexpr std::uint64_t kPyrebloomStringBits = 4294967295;

/// Returns the number of strings that hold m bits: 1 unless the scheme is pyrebloom.
[[nodiscard]] std::uint64_t num_redis_strings(RedisScheme scheme, std::uint64_t num_bits) noexcept;

/// Returns the sizes.
/// @throws ConfigError unless the scheme's program could have made them: m in range, k = 3 and m a
/// multiple of 8192 for php3, m for which pyreBloom names all of its strings.
RedisSizes checked_redis_sizes(RedisScheme scheme, const RedisSizes& sizes);

/// Returns what the scheme's program makes of n keys at rate p. Natural logarithms throughout:
///
///     jedis      m = trunc(-n ln p / ln^2 2), at most 2^31 - 1, k = max(1, round(m / n ln 2))
///     pyrebloom  m = trunc(-n ln p / ln^2 2), k = ceil(ln 2 m / n), n below 2^32
///     go_seeded  m = ceil(-n ln p / ln^2 2), k = ceil(ln 2 m / n)
///
/// @throws ConfigError if n is 0, p not in (0, 1), the sizes out of range, or the scheme php3,
/// which is sized in KiB.
[[nodiscard]] RedisSizes redis_sizes_for(RedisScheme scheme, std::uint64_t capacity,
                                         double target_false_positive_rate);

}  // namespace bloometry
