#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/murmur64a_hasher.hpp"
#include "core/store/bit_array.hpp"
#include "variants/foreign/redisbloom/redisbloom_dump.hpp"
#include "variants/foreign/redisbloom/redisbloom_link.hpp"

namespace bloometry {

/// The reply of BF.ADD.
enum class RedisBloomReply {
  kPresent = 0,  ///< some link contains the item; nothing changed
  kAdded = 1,
  kFull = -2,  ///< a filter that does not scale holds its capacity; nothing changed
};

/// The filter of the Redis module RedisBloom, BF.RESERVE and BF.ADD: a chain of filters. When the
/// newest link holds its capacity, a larger and stricter one opens.
///
/// Source: RedisBloom 1.1 to 8.9 (deps/bloom/bloom.c, src/sb.c). Hash: MurmurHash64A twice
/// (Murmur64aHasher under the module's seed), index i of a link of m bits (a + i b mod 2^64) mod m.
/// Dumps are those of BF.SCANDUMP and BF.LOADCHUNK; other servers with BF commands have different
/// dumps.
/// Cost: a query probes every link, newest first, and does not allocate. An insert that opens a
/// link allocates it.
class RedisBloomFilter {
 public:
  static constexpr std::string_view kName = "redisbloom";

  /// Returns the shape of the first link of `BF.RESERVE key error_rate capacity`, with EXPANSION or
  /// NONSCALING as the options state. An error rate above 0.25 is lowered to 0.25, as the module
  /// does; the link of a filter that scales is sized for half of it.
  /// @throws ConfigError if capacity is 0, error_rate is not in (0, 1), a scaling filter has
  /// expansion 0, or 2^62 bits are too few.
  static RedisBloomShape first_link_for(std::uint64_t capacity, double error_rate,
                                        const RedisBloomOptions& options = {});

  /// Returns the empty filter with that link.
  /// @throws ConfigError as first_link_for; MemoryError.
  static RedisBloomFilter for_capacity(std::uint64_t capacity, double error_rate,
                                       const RedisBloomOptions& options = {});

  /// Reads the output of serialize: a header and the bits of all links.
  /// @throws ConfigError that names the field, its value and the allowed values.
  static RedisBloomFilter parse(std::string_view bytes);

  /// Reads the chunks of BF.SCANDUMP: the header under iterator 1, then all bits in order, in
  /// pieces of any size within a link.
  /// @throws ConfigError as parse, and if bits are missing. A server replies "absent" for keys
  /// whose bits have not arrived.
  static RedisBloomFilter load(std::span<const RedisBloomChunk> chunks);

  /// Inserts a key as BF.ADD does. If some link contains the key, the filter does not change.
  /// @throws ConfigError or MemoryError if the next link is not possible; the filter is then
  /// unchanged.
  RedisBloomReply insert(KeyView key);

  /// Returns whether the filter contains the key: true may be wrong, false never is.
  [[nodiscard]] bool contains(KeyView key) const noexcept;

  /// Returns the filter in which each link has 1/divisor of the bits, with the same hashes. Each
  /// link equals, bit for bit, a link built with that size from the same items. Capacities are
  /// divided too.
  /// @throws ConfigError unless every link keeps whole words (or a power of two above 1).
  [[nodiscard]] RedisBloomFilter fold(std::uint64_t divisor) const;

  /// Returns the header and the bits of all links, in one string.
  [[nodiscard]] std::string serialize() const;

  /// Returns the reply of BF.SCANDUMP: the header for iterator 0, then the next bits of one link
  /// with the iterator to continue with, and {0, ""} at the end.
  [[nodiscard]] RedisBloomChunk scan_dump(
      std::int64_t iterator, std::uint64_t max_chunk_bytes = kRedisBloomMaxChunkBytes) const;

  /// Returns the links, oldest first; never empty.
  [[nodiscard]] const std::vector<RedisBloomLink>& links() const noexcept { return links_; }

  [[nodiscard]] const RedisBloomOptions& options() const noexcept { return options_; }

  /// Returns the number of bits of all links.
  [[nodiscard]] std::uint64_t num_bits() const noexcept;

  /// Returns the number of items that BF.CARD counts: those that changed a bit.
  [[nodiscard]] std::uint64_t num_items() const noexcept;

  /// Returns the reason why this class does not give an exact rate.
  [[nodiscard]] static std::string_view why_no_exact_rate() noexcept;

 private:
  /// Makes a chain without links; the caller adds them.
  explicit RedisBloomFilter(const RedisBloomOptions& options) : options_(options) {}

  [[nodiscard]] RedisBloomHeader header() const;

  RedisBloomOptions options_;
  std::vector<RedisBloomLink> links_;
  Murmur64aHasher hasher_{kMurmur64aMultiplier};
};

}  // namespace bloometry
