#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/key_view.hpp"
#include "core/store/bit_array.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

namespace bloometry {

/// A Bloom filter that another program stores in a bitmap of Redis and accesses by SETBIT and
/// GETBIT. The class holds the same bits in memory. A caller can fill a filter and store the filter
/// by one SET. A caller can also read a filter by one GET and query the filter many times.
///
/// The bitmap in Redis contains only the bits of the filter. The caller provides scheme, m and k.
/// The README lists the sources, keys and defects of the schemes.
/// Cost: insert and contains are O(num_hashes) and do not allocate. With pyrebloom, php3 and
/// go_seeded, each index needs a pass over the key.
class RedisBitmapFilter {
 public:
  static constexpr std::string_view kName = "redis_bitmap";

  /// Makes an empty filter.
  /// @throws ConfigError if checked_redis_sizes throws.
  RedisBitmapFilter(RedisScheme scheme, const RedisSizes& sizes);

  /// Returns an empty filter with the size that the program of the scheme chooses.
  /// @throws ConfigError if redis_sizes_for throws.
  [[nodiscard]] static RedisBitmapFilter for_capacity(RedisScheme scheme, std::uint64_t capacity,
                                                      double target_false_positive_rate);

  /// Returns an empty filter of scheme php3.
  /// @throws ConfigError if num_kibibytes is not in [1, 524288].
  [[nodiscard]] static RedisBitmapFilter for_kibibytes(std::uint64_t num_kibibytes);

  /// Returns the filter in a reply to GET. Zero bytes may be missing at the end of the reply. For a
  /// key that does not exist, all bytes are missing. A lost key therefore gives an empty filter,
  /// and a truncated string gives a filter of fewer keys.
  /// @throws ConfigError if the constructor throws, if the string is longer than m bits or has a
  /// set bit at m or above, or if the scheme divides m bits into several strings.
  [[nodiscard]] static RedisBitmapFilter parse(std::string_view string, RedisScheme scheme,
                                               const RedisSizes& sizes);

  /// Returns the filter in the given strings, which must be all strings of the filter in order.
  [[nodiscard]] static RedisBitmapFilter parse(std::span<const std::string_view> strings,
                                               RedisScheme scheme, const RedisSizes& sizes);

  /// Returns the filter in a bit set that a program of scheme go_seeded wrote (go_bitset.hpp).
  /// @throws ConfigError if the constructor or load_go_bitset throws.
  [[nodiscard]] static RedisBitmapFilter parse_go_bitset(std::string_view bytes,
                                                         const RedisSizes& sizes);

  /// Returns the string of ceil(m / 8) bytes for SET.
  /// @throws ConfigError if the filter has several strings.
  [[nodiscard]] std::string serialize() const;

  /// Returns string `number` of num_strings(). The program pyreBloom appends ".0" to the key of
  /// string 0, ".1" to the key of string 1, and so on.
  /// @throws ConfigError if string `number` does not exist.
  [[nodiscard]] std::string serialize_string(std::uint64_t number) const;

  /// Inserts a key. Returns whether at least one bit changed.
  bool insert(KeyView key) noexcept;

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong.
  [[nodiscard]] bool contains(KeyView key) const noexcept;

  /// Inserts the keys of the other filter. The bits equal those of a filter of both key sets.
  /// @throws ConfigError naming a field and both values unless scheme, num_bits and num_hashes are
  /// equal; this filter is then unchanged.
  void merge(const RedisBitmapFilter& other);

  /// Clears the bits that are not set in the other filter. The result still contains the keys of
  /// both filters. @throws ConfigError as merge() does.
  void intersect(const RedisBitmapFilter& other);

  /// Returns the k indices of a key, in the order in which the program computes them. With several
  /// strings, index x is offset x mod kPyrebloomStringBits of string x / kPyrebloomStringBits. With
  /// one string, index x is offset x.
  [[nodiscard]] std::vector<std::uint64_t> indices(KeyView key) const;

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] RedisScheme scheme() const noexcept { return scheme_; }

  [[nodiscard]] std::uint64_t num_strings() const noexcept {
    return num_redis_strings(scheme_, num_bits());
  }

  /// Returns the reason why core/theory has no formula for the rate with this scheme. The result is
  /// empty if model W applies (redis_bitmap_theory.hpp).
  [[nodiscard]] static std::string_view why_no_exact_rate(RedisScheme scheme) noexcept;

  friend bool operator==(const RedisBitmapFilter&, const RedisBitmapFilter&) noexcept = default;

 private:
  void require_like(const RedisBitmapFilter& other) const;

  BitArray<> bits_;
  unsigned num_hashes_;
  RedisScheme scheme_;
};

}  // namespace bloometry
