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
  kPresent = 0,  ///< a link contained the item; the filter did not change
  kAdded = 1,
  kFull = -2,  ///< the filter is full and does not scale; the filter did not change
};

/// The filter of the Redis module RedisBloom (BF.RESERVE and BF.ADD), which is a chain of links.
/// When the newest link is full, the filter adds a larger link with a lower error rate.
///
/// Source: RedisBloom 1.1 to 8.9 (deps/bloom/bloom.c, src/sb.c). Hash: two calls of MurmurHash64A
/// (Murmur64aHasher with the module's seed). Index i of a link of m bits is (a + i b mod 2^64) mod
/// m. The class reads and writes the dumps of BF.SCANDUMP and BF.LOADCHUNK. Other servers with BF
/// commands have different dumps.
/// Cost: a query probes the links, the newest first, and does not allocate. An insert that adds a
/// link allocates memory.
class RedisBloomFilter {
 public:
  static constexpr std::string_view kName = "redisbloom";

  /// Returns the shape of the first link of `BF.RESERVE key error_rate capacity`, with EXPANSION or
  /// NONSCALING as given in the options. As in the module, an error rate above 0.25 is lowered to
  /// 0.25. The first link of a filter that scales has half the requested error rate.
  /// @throws ConfigError if capacity is 0, error_rate is not in (0, 1), a scaling filter has
  /// expansion 0, or the link needs more than 2^62 bits.
  static RedisBloomShape first_link_for(std::uint64_t capacity, double error_rate,
                                        const RedisBloomOptions& options = {});

  /// Returns an empty filter whose first link has the shape that first_link_for returns.
  /// @throws ConfigError if first_link_for throws; MemoryError if the bits cannot be allocated.
  static RedisBloomFilter for_capacity(std::uint64_t capacity, double error_rate,
                                       const RedisBloomOptions& options = {});

  /// Returns the filter in an output of serialize, which is a header followed by the bits of all
  /// links.
  /// @throws ConfigError if a field is not valid. The error message names the field, its value and
  /// the allowed values.
  static RedisBloomFilter parse(std::string_view bytes);

  /// Returns the filter in the chunks of BF.SCANDUMP. The first chunk is the header, with iterator
  /// 1. The other chunks contain all bits in order, and each chunk contains bits of only one link.
  /// @throws ConfigError if parse would throw, or if bits are missing. If bits are missing, a
  /// server replies "absent" for their keys instead.
  static RedisBloomFilter load(std::span<const RedisBloomChunk> chunks);

  /// Inserts a key as BF.ADD does. If at least one link contains the key, the filter does not
  /// change.
  /// @throws ConfigError or MemoryError if the next link cannot be created; the filter is then
  /// unchanged.
  RedisBloomReply insert(KeyView key);

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong.
  [[nodiscard]] bool contains(KeyView key) const noexcept;

  /// Inserts the items of the other filter. The bits equal those of a filter of both sets of items.
  /// num_items() becomes the estimate from the set bits, but at least the larger and at most the
  /// sum of both numbers.
  /// @throws ConfigError naming a field and both values unless both filters have one link and equal
  /// options and shapes; this filter is then unchanged.
  void merge(const RedisBloomFilter& other);

  /// Clears the bits that are not set in the other filter. The result still contains the items of
  /// both filters. num_items() becomes the estimate of the number of common items
  /// (common_count_given_ones), in [0, the smaller of both numbers]. The set bits may be those of
  /// more items. @throws ConfigError as merge() does.
  void intersect(const RedisBloomFilter& other);

  /// Returns a filter in which each link has 1/divisor of the bits and the same hashes. The bits
  /// equal those of a link of that size with the same items. The capacity of each link is also
  /// divided by `divisor`.
  /// @throws ConfigError if the size of a link would be neither a multiple of 64 bits nor a power
  /// of two above 1.
  [[nodiscard]] RedisBloomFilter fold(std::uint64_t divisor) const;

  /// Returns the header and the bits of all links, in one string.
  [[nodiscard]] std::string serialize() const;

  /// Returns the reply of BF.SCANDUMP to an iterator. The reply to iterator 0 is the header. Later
  /// ones contain the next bits of one link and the iterator of the next call. After the last bits,
  /// it is {0, ""}.
  [[nodiscard]] RedisBloomChunk scan_dump(
      std::int64_t iterator, std::uint64_t max_chunk_bytes = kRedisBloomMaxChunkBytes) const;

  /// Returns the links, the oldest first. The filter has at least one link.
  [[nodiscard]] const std::vector<RedisBloomLink>& links() const noexcept { return links_; }

  [[nodiscard]] const RedisBloomOptions& options() const noexcept { return options_; }

  /// Returns the total number of bits of all links.
  [[nodiscard]] std::uint64_t num_bits() const noexcept;

  /// Returns the number of items that changed a bit. BF.CARD replies with the same number.
  [[nodiscard]] std::uint64_t num_items() const noexcept;

  /// Returns the reason why RedisBloomFilter does not give an exact rate.
  [[nodiscard]] static std::string_view why_no_exact_rate() noexcept;

 private:
  /// Creates a chain without links. The caller adds the links.
  explicit RedisBloomFilter(const RedisBloomOptions& options) : options_(options) {}

  [[nodiscard]] RedisBloomHeader header() const;

  void require_like(const RedisBloomFilter& other) const;

  RedisBloomOptions options_;
  std::vector<RedisBloomLink> links_;
  Murmur64aHasher hasher_{kMurmur64aMultiplier};
};

}  // namespace bloometry
