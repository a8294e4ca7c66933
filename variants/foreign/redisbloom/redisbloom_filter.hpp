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

/// What BF.ADD answers.
enum class RedisBloomReply {
  kPresent = 0,  ///< some link contains the item; nothing changed
  kAdded = 1,
  kFull = -2,  ///< a filter that does not scale holds its capacity; nothing changed
};

/// The filter of the Redis module RedisBloom, BF.RESERVE and BF.ADD: a chain of filters, of which a
/// larger and stricter one opens when the newest holds its capacity.
///
/// Source: RedisBloom 1.1 to 8.9 (deps/bloom/bloom.c, src/sb.c). Hash: MurmurHash64A twice
/// (Murmur64aHasher under the module's seed), index i of a link of m bits (a + i b mod 2^64) mod m.
/// Dumps are those of BF.SCANDUMP and BF.LOADCHUNK; those of other servers that know BF commands
/// differ. Cost: a query asks every link, newest first, and allocates nothing. An insert that opens
/// a link allocates it.
class RedisBloomFilter {
 public:
  static constexpr std::string_view kName = "redisbloom";

  /// Returns the shape of the first link of `BF.RESERVE key error_rate capacity`, with EXPANSION or
  /// NONSCALING as the options say. An error rate above 0.25 is lowered to 0.25, as the module
  /// does; the link of a filter that scales is made for half of it.
  /// @throws ConfigError if capacity is 0, error_rate is not in (0, 1), a scaling filter has
  /// expansion 0, or 2^62 bits are too few.
  static RedisBloomShape first_link_for(std::uint64_t capacity, double error_rate,
                                        const RedisBloomOptions& options = {});

  /// Returns the empty filter of that link.
  /// @throws ConfigError as first_link_for; MemoryError.
  static RedisBloomFilter for_capacity(std::uint64_t capacity, double error_rate,
                                       const RedisBloomOptions& options = {});

  /// Reads what serialize wrote: a header and the bits of all links.
  /// @throws ConfigError that names the field, its value and what is allowed.
  static RedisBloomFilter parse(std::string_view bytes);

  /// Reads the chunks of BF.SCANDUMP: the header under iterator 1, then all bits in order, in
  /// pieces of any size within a link.
  /// @throws ConfigError as parse, and if bits are missing: a server answers "absent" until they
  /// have come.
  static RedisBloomFilter load(std::span<const RedisBloomChunk> chunks);

  /// Inserts a key as BF.ADD does: a key that some link contains changes nothing.
  /// @throws ConfigError or MemoryError if the next link is not possible; nothing changes then.
  RedisBloomReply insert(KeyView key);

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(KeyView key) const noexcept;

  /// Returns the filter of which each link has 1/divisor of the bits, with the same hashes: bit for
  /// bit the link that the same items leave in one built so small. Capacities are divided too.
  /// @throws ConfigError unless every link leaves whole words (or a power of two above 1).
  [[nodiscard]] RedisBloomFilter fold(std::uint64_t divisor) const;

  /// The header and the bits of all links, in one piece.
  [[nodiscard]] std::string serialize() const;

  /// Returns the reply of BF.SCANDUMP: the header for iterator 0, then the next bits of one link
  /// with the iterator to continue with, and {0, ""} at the end.
  [[nodiscard]] RedisBloomChunk scan_dump(
      std::int64_t iterator, std::uint64_t max_chunk_bytes = kRedisBloomMaxChunkBytes) const;

  /// Oldest first; never empty.
  [[nodiscard]] const std::vector<RedisBloomLink>& links() const noexcept { return links_; }

  [[nodiscard]] const RedisBloomOptions& options() const noexcept { return options_; }

  /// Bits of all links.
  [[nodiscard]] std::uint64_t num_bits() const noexcept;

  /// Items that BF.CARD counts: those that changed a bit.
  [[nodiscard]] std::uint64_t num_items() const noexcept;

  /// Why no exact rate is given.
  [[nodiscard]] static std::string_view why_no_exact_rate() noexcept;

 private:
  /// A chain without links, which the caller adds.
  explicit RedisBloomFilter(const RedisBloomOptions& options) : options_(options) {}

  [[nodiscard]] RedisBloomHeader header() const;

  RedisBloomOptions options_;
  std::vector<RedisBloomLink> links_;
  Murmur64aHasher hasher_{kMurmur64aMultiplier};
};

}  // namespace bloometry
