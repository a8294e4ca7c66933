#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/store/bit_array.hpp"

namespace bloometry {

/// The rules by which RedisBloom computes the number of bits for a capacity.
enum class RedisBloomSizing {
  /// The number of bits is rounded up to whole 64-bit words, as in the module since version 2.2.0.
  kWholeWords,
  /// The number of bits is rounded up to a power of two, as in versions 1.1 to 2.0 of the module.
  /// The capacity is raised to the number of items that fit.
  kPowerOfTwo,
};

/// Size and parameters of one filter of a chain, as stored in the header of a dump.
struct RedisBloomShape {
  std::uint64_t num_bits = 0;  ///< modulus of the indices, in bits
  std::uint64_t capacity = 0;  ///< "entries": number of items after which the next link is added
  double error_rate = 0;       ///< error rate of this link
  double bits_per_entry = 0;   ///< "bpe": |ln error_rate| / ln(2)^2
  unsigned num_hashes = 0;     ///< ceil(ln(2) bits_per_entry)
  RedisBloomSizing sizing = RedisBloomSizing::kWholeWords;

  /// Returns the shape that the module computes for a link, with the same arithmetic on doubles.
  /// @throws ConfigError if capacity is 0, error_rate is not in (0, 1), or the link needs more than
  /// 2^62 bits.
  static RedisBloomShape for_capacity(std::uint64_t capacity, double error_rate,
                                      RedisBloomSizing sizing);

  /// Returns the shape with num_bits / divisor bits and the same number of hashes.
  /// @throws ConfigError if num_bits / divisor is neither a multiple of 64 nor a power of two above
  /// 1.
  [[nodiscard]] RedisBloomShape folded(std::uint64_t divisor) const;

  /// Returns the number whose divisors folded() accepts.
  [[nodiscard]] std::uint64_t foldable_size() const noexcept {
    const std::uint64_t least = sizing == RedisBloomSizing::kPowerOfTwo ? 2 : 64;
    return num_bits > 0 && num_bits % least == 0 ? num_bits / least : 1;
  }

  /// Returns the size of the link's data in bytes. The size is a multiple of 8, even if num_bits is
  /// less than 64.
  [[nodiscard]] std::uint64_t num_bytes() const noexcept {
    return 8 * BitArray<>::num_words_for(num_bits);
  }

  /// Returns the header's field "n2": log2 of num_bits, or 0 with kWholeWords.
  [[nodiscard]] unsigned log2_num_bits() const noexcept;
};

/// Checks the rate.
/// @throws ConfigError if error_rate is not in (0, 1).
void require_redisbloom_error_rate(double error_rate);

/// Returns the bits per entry that the module computes for an error rate.
[[nodiscard]] double redisbloom_bits_per_entry(double error_rate) noexcept;

/// Returns the number of hashes that the module computes for a number of bits per entry. The module
/// checks the number of hashes when it loads a dump.
[[nodiscard]] double redisbloom_num_hashes(double bits_per_entry) noexcept;

/// One Bloom filter of a RedisBloom chain. Bit i of a link is bit i mod 8 of byte i / 8 of its
/// data.
class RedisBloomLink {
 public:
  /// Makes an empty link.
  /// @throws MemoryError if the bits cannot be allocated.
  explicit RedisBloomLink(const RedisBloomShape& shape, std::uint64_t num_items = 0)
      : shape_(shape), bits_(shape.num_bits), num_items_(num_items) {}

  /// Sets the bits of a digest. Returns true, and increments num_items(), if at least one bit of
  /// the digest was not set before.
  bool insert(const Digest& digest) noexcept;

  [[nodiscard]] bool contains(const Digest& digest) const noexcept;

  /// Inserts the items of a link of the same shape, as RedisBloomFilter::merge() does.
  void merge(const RedisBloomLink& other) noexcept;

  /// Keeps the bits that are set in both links, as RedisBloomFilter::intersect() does.
  void intersect(const RedisBloomLink& other) noexcept;

  /// Returns the link of num_bits / divisor bits that contains the same digests. The result has the
  /// number of items of this link, but at most one item per set bit.
  /// @throws ConfigError if RedisBloomShape::folded throws.
  [[nodiscard]] RedisBloomLink fold(std::uint64_t divisor) const;

  [[nodiscard]] const RedisBloomShape& shape() const noexcept { return shape_; }

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  /// Returns the mutable bits, so that the caller can read the bits from a dump.
  [[nodiscard]] BitArray<>& bits() noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_items() const noexcept { return num_items_; }

  [[nodiscard]] bool is_full() const noexcept { return num_items_ >= shape_.capacity; }

 private:
  /// Returns the index of probe i, which is (a + i b mod 2^64) mod num_bits.
  [[nodiscard]] std::uint64_t index(const Digest& digest, unsigned i) const noexcept {
    return (digest.lo + i * digest.hi) % shape_.num_bits;
  }

  /// Returns the number of items that is estimated from the set bits, in [least, most]. The result
  /// is a number of items that can set as many bits.
  [[nodiscard]] std::uint64_t estimated_items(std::uint64_t least,
                                              std::uint64_t most) const noexcept;

  RedisBloomShape shape_;
  BitArray<> bits_;
  std::uint64_t num_items_;
};

}  // namespace bloometry
