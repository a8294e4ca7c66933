#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/key/key_view.hpp"
#include "core/store/bit_array.hpp"
#include "variants/foreign/redis_bitmap/redis_scheme.hpp"

namespace bloometry {

/// A Bloom filter that a program keeps in a bitmap of Redis, by SETBIT and GETBIT: the same bits in
/// memory, to fill and store with one SET, or to read with one GET and query many times.
///
/// The bitmap carries nothing beside its bits: scheme, m and k come from the caller. Sources, keys
/// and defects: README. Cost: insert and contains O(num_hashes), and with pyrebloom, php3 and
/// go_seeded a pass over the key for each index; no allocation.
class RedisBitmapFilter {
 public:
  static constexpr std::string_view kName = "redis_bitmap";

  /// @throws ConfigError as checked_redis_sizes does.
  RedisBitmapFilter(RedisScheme scheme, const RedisSizes& sizes);

  /// Sizes the filter as the scheme's program does. Throws as redis_sizes_for.
  [[nodiscard]] static RedisBitmapFilter for_capacity(RedisScheme scheme, std::uint64_t capacity,
                                                      double target_false_positive_rate);

  /// The size of php3. @throws ConfigError unless num_kibibytes is in [1, 524288].
  [[nodiscard]] static RedisBitmapFilter for_kibibytes(std::uint64_t num_kibibytes);

  /// Reads the reply of GET. Zero bytes may be missing at its end, all of them for a key that does
  /// not exist: a lost key reads as an empty filter, and a string cut short as one of fewer keys.
  /// @throws ConfigError as the constructor; if the string has more bytes or bits than m; if the
  /// scheme keeps m in several strings.
  [[nodiscard]] static RedisBitmapFilter parse(std::string_view string, RedisScheme scheme,
                                               const RedisSizes& sizes);

  /// The same of all strings of the filter, in order.
  [[nodiscard]] static RedisBitmapFilter parse(std::span<const std::string_view> strings,
                                               RedisScheme scheme, const RedisSizes& sizes);

  /// Returns the string to SET, ceil(m / 8) bytes.
  /// @throws ConfigError if there are several.
  [[nodiscard]] std::string serialize() const;

  /// Returns string `number` of num_strings(). pyreBloom appends ".0", ".1", ... to its key's name.
  /// @throws ConfigError if there is none of that number.
  [[nodiscard]] std::string serialize_string(std::uint64_t number) const;

  /// Inserts a key; true if a bit changed.
  bool insert(KeyView key) noexcept;

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(KeyView key) const noexcept;

  /// Returns the k indices of a key, in the program's order. With several strings, index i is
  /// offset i mod kPyrebloomStringBits of string i / kPyrebloomStringBits; else it is the offset.
  [[nodiscard]] std::vector<std::uint64_t> indices(KeyView key) const;

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] RedisScheme scheme() const noexcept { return scheme_; }

  [[nodiscard]] std::uint64_t num_strings() const noexcept {
    return num_redis_strings(scheme_, num_bits());
  }

  /// Returns why no formula of core/theory gives the rate with this scheme; empty if model W does
  /// (redis_bitmap_theory.hpp).
  [[nodiscard]] static std::string_view why_no_exact_rate(RedisScheme scheme) noexcept;

  friend bool operator==(const RedisBitmapFilter&, const RedisBitmapFilter&) noexcept = default;

 private:
  BitArray<> bits_;
  unsigned num_hashes_;
  RedisScheme scheme_;
};

}  // namespace bloometry
