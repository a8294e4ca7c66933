#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace bloometry {

/// The ways in which programs that keep a Bloom filter in a bitmap of Redis compute the indices of
/// a key and size the bitmap. Redis does not store the scheme. The README lists sources and
/// defects.
enum class RedisScheme {
  kJedis,      ///< Java: double hashing of murmur3, as in Guava's MITZ_64, for any m
  kPyrebloom,  ///< pyreBloom (Python, C): MurmurHash64A under k seeds
  kPhp3,       ///< PHP: the three string hashes of core/study_hash, k = 3
  kGoSeeded,   ///< Go: murmur3 under the seeds 0 to k - 1
};

inline constexpr std::array kRedisSchemes = {RedisScheme::kJedis, RedisScheme::kPyrebloom,
                                             RedisScheme::kPhp3, RedisScheme::kGoSeeded};

/// Returns jedis, pyrebloom, php3 or go_seeded.
[[nodiscard]] std::string_view name_of(RedisScheme scheme) noexcept;

/// Returns the scheme of that name.
/// @throws ConfigError if the scheme does not exist.
[[nodiscard]] RedisScheme redis_scheme_named(std::string_view name);

/// The number of bits m and the number of hashes k of a bitmap.
struct RedisSizes {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;

  friend bool operator==(const RedisSizes&, const RedisSizes&) = default;
};

/// Maximum number of hash functions of a bitmap. The schemes never use more for a rate that a
/// double can hold.
inline constexpr unsigned kMaxRedisHashes = 1075;

/// Maximum number of bits of pyrebloom, which exceeds the size for any capacity of 32 bits. The
/// other schemes use one string. Redis limits the offsets of a string to 2^32, and offsets in Java
/// are an int.
inline constexpr std::uint64_t kMaxPyrebloomBits = std::uint64_t{1} << 43U;

/// Number of bits of each string of pyreBloom. Redis allows one bit more, but pyreBloom never uses
/// offset 2^32 - 1.
inline constexpr std::uint64_t kPyrebloomStringBits = 4294967295;

/// Returns the number of strings that hold m bits. The number is 1 for all schemes but pyrebloom.
[[nodiscard]] std::uint64_t num_redis_strings(RedisScheme scheme, std::uint64_t num_bits) noexcept;

/// Returns the sizes after checking them.
/// @throws ConfigError if the scheme's program cannot create a bitmap of these sizes. m must be in
/// range. php3 requires k = 3 and a multiple of 8192 for m, and pyrebloom an m for which it names
/// all of its strings.
RedisSizes checked_redis_sizes(RedisScheme scheme, const RedisSizes& sizes);

/// Returns the sizes that the scheme's program computes for n keys at rate p. All logarithms are
/// natural:
///
///     jedis      m = trunc(-n ln p / ln^2 2), at most 2^31 - 1, k = max(1, round(m / n ln 2))
///     pyrebloom  m = trunc(-n ln p / ln^2 2), k = ceil(ln 2 m / n), n below 2^32
///     go_seeded  m = ceil(-n ln p / ln^2 2), k = ceil(ln 2 m / n)
///
/// @throws ConfigError if n is 0, p is not in (0, 1), the sizes are out of range, or the scheme is
/// php3, which is sized in KiB.
[[nodiscard]] RedisSizes redis_sizes_for(RedisScheme scheme, std::uint64_t capacity,
                                         double target_false_positive_rate);

}  // namespace bloometry
