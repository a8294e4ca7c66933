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
  /// The capacity is raised accordingly.
  kPowerOfTwo,
};

/// Size and parameters of one filter of a chain, as stored in the header of a dump.
struct RedisBloomShape {
  std::uint64_t num_bits = 0;  ///< modulus of the indices, in bits
  std::uint64_t capacity = 0;  ///< "entries": number of items at which the next link opens
  double error_rate = 0;       ///< error rate of this link
  double bits_per_entry = 0;   ///< "bpe": |ln error_rate| / ln(2)^2
  unsigned num_hashes = 0;     ///< ceil(ln(2) bits_per_entry)
  RedisBloomSizing sizing = RedisBloomSizing::kWholeWords;

  /// Returns the shape that the module computes for a link, with the same arithmetic on doubles.
  /// @throws ConfigError if capacity is 0, error_rate is not in (0, 1), or 2^62 bits are too few.
  static RedisBloomShape for_capacity(std::uint64_t capacity, double error_rate,
                                      RedisBloomSizing sizing);

  /// Returns the shape with num_bits / divisor bits and the same number of hashes.
  /// @throws ConfigError if the format does not have a link of num_bits / divisor bits. The number
  /// of bits of a link must be a multiple of 64, or a power of two above 1.
  [[nodiscard]] RedisBloomShape folded(std::uint64_t divisor) const;

  /// Returns the number of bytes of the data of the link, which are whole words even if num_bits is
  /// less than a word.
  [[nodiscard]] std::uint64_t num_bytes() const noexcept {
    return 8 * BitArray<>::num_words_for(num_bits);
  }

  /// Returns the field "n2", which is log2 of num_bits, or 0 for sizing kWholeWords.
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

  /// Returns the link of num_bits / divisor bits that contains the same digests. The number of
  /// items of the result is that of this link.
  /// @throws ConfigError if RedisBloomShape::folded throws.
  [[nodiscard]] RedisBloomLink fold(std::uint64_t divisor) const;

  [[nodiscard]] const RedisBloomShape& shape() const noexcept { return shape_; }

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  /// Returns the bits for changes, so that the caller can read them from a dump.
  [[nodiscard]] BitArray<>& bits() noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_items() const noexcept { return num_items_; }

  [[nodiscard]] bool is_full() const noexcept { return num_items_ >= shape_.capacity; }

 private:
  /// Returns the index of probe i, which is (a + i b mod 2^64) mod num_bits.
  [[nodiscard]] std::uint64_t index(const Digest& digest, unsigned i) const noexcept {
    return (digest.lo + i * digest.hi) % shape_.num_bits;
  }

  RedisBloomShape shape_;
  BitArray<> bits_;
  std::uint64_t num_items_;
};

}  // namespace bloometry
