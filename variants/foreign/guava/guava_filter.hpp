#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/digest.hpp"
#include "core/store/bit_array.hpp"
#include "variants/foreign/guava/guava_key.hpp"

namespace bloometry {

/// The ways in which Guava derives the indices of a key; the values are the first byte of its
/// files. h1 and h2 are the words of the digest, m is the number of bits.
enum class GuavaStrategy : std::uint8_t {
  /// With a and b the low and high half of h1: a + i b modulo 2^32 for i = 1..k; if the top bit is
  /// set, all bits are inverted; then mod m. There are only 2^31 values, so bits from 2^31 on stay
  /// zero.
  kMurmur128Mitz32 = 0,
  /// ((h1 + i h2) mod 2^63) mod m for i = 0..k-1. This is the default of BloomFilter.create.
  kMurmur128Mitz64 = 1,
};

/// The ways in which Guava chooses k, which changed between its releases. A file contains its k.
enum class GuavaNumHashes {
  kFromBits,  ///< max(1, round(bits / n ln 2)): Guava 31.1
  kFromRate,  ///< max(1, round(-log2 p)): the current source
};

/// BloomFilter of Guava (Java): reads the output of writeTo, and writes the input of readFrom.
///
/// Source: com.google.common.hash.BloomFilter, Guava 31.1. The README describes the layout of the
/// file and what it does not contain. Bit i is bit i mod 64 of long i / 64, as in the store.
/// Cost: insert and contains are O(num_hashes); a key of UTF-16 allocates.
class GuavaFilter {
 public:
  static constexpr std::string_view kName = "guava";
  static constexpr unsigned kMaxNumHashes = 255;             ///< one byte of the file
  static constexpr std::uint64_t kMaxNumLongs = 0x7fffffff;  ///< a Java int

  /// m and k of a filter.
  struct Sizes {
    std::uint64_t num_bits = 0;
    unsigned num_hashes = 0;
  };

  /// Makes the empty filter.
  /// @throws ConfigError unless num_bits is a multiple of 64 in [64, 64 kMaxNumLongs], num_hashes
  /// is in [1, 255], and strategy is one of the two.
  GuavaFilter(std::uint64_t num_bits, unsigned num_hashes,
              GuavaStrategy strategy = GuavaStrategy::kMurmur128Mitz64);

  /// Returns the sizes of BloomFilter.create(funnel, n, p): trunc(-n ln p / ln^2 2) bits, rounded
  /// up to whole longs; n = 0 counts as 1.
  /// @throws ConfigError if p is not in (0, 1), or if the sizes are out of range. n = 1 and p >=
  /// 0.62 give 0 bits, which Guava refuses as well.
  [[nodiscard]] static Sizes sizes_for(std::uint64_t capacity, double target_false_positive_rate,
                                       GuavaNumHashes rule = GuavaNumHashes::kFromBits);

  /// Returns the sizes after checking them.
  /// @throws ConfigError as the constructor.
  static Sizes checked(const Sizes& sizes);

  /// Returns the empty filter with these sizes.
  /// @throws ConfigError as sizes_for; MemoryError.
  [[nodiscard]] static GuavaFilter for_capacity(
      std::uint64_t capacity, double target_false_positive_rate,
      GuavaStrategy strategy = GuavaStrategy::kMurmur128Mitz64,
      GuavaNumHashes rule = GuavaNumHashes::kFromBits);

  /// Reads a whole file.
  /// @throws ConfigError that names the error, before allocating more memory than the size of the
  /// file.
  [[nodiscard]] static GuavaFilter parse(std::string_view bytes);

  /// Returns the bytes of writeTo.
  [[nodiscard]] std::string serialize() const;

  /// Inserts a key; returns true if a bit changed, as put does.
  bool insert(const GuavaKey& key) noexcept;

  /// Returns whether the filter contains the key: true may be wrong, false never is.
  [[nodiscard]] bool contains(const GuavaKey& key) const noexcept;

  /// Returns the k indices of a key, in the order in which Guava visits them.
  [[nodiscard]] std::vector<std::uint64_t> indices(const GuavaKey& key) const;

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] GuavaStrategy strategy() const noexcept { return strategy_; }

  /// Returns the reason why core/theory does not have a formula for the rate of this filter.
  [[nodiscard]] static constexpr std::string_view why_no_exact_rate() noexcept {
    return "probes are double hashing modulo num_bits, which does not follow a probe model whose "
           "rate is known: 4 times the rate of independent probes at n = 10, p = 0.01";
  }

  friend bool operator==(const GuavaFilter&, const GuavaFilter&) noexcept = default;

 private:
  [[nodiscard]] std::uint64_t index(const Digest& digest, unsigned i) const noexcept;

  BitArray<> bits_;
  unsigned num_hashes_;
  GuavaStrategy strategy_;
};

}  // namespace bloometry
