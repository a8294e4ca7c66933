#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash/digest.hpp"
#include "core/store/bit_array.hpp"
#include "variants/foreign/guava/guava_key.hpp"

namespace bloometry {

/// The rules by which Guava derives the indices of a key. The first byte of a file is a value of
/// this enumeration. In the comments below, h1 and h2 are the words of the digest, and m is the
/// number of bits.
enum class GuavaStrategy : std::uint8_t {
  /// In MITZ_32, a and b are the low and the high half of h1. The value c_i is a + i b modulo 2^32,
  /// for i from 1 to k. If the top bit of c_i is set, all bits of c_i are inverted. Index i is then
  /// c_i mod m. Each c_i is below 2^31, so bits from 2^31 on stay zero.
  kMurmur128Mitz32 = 0,
  /// Index i is ((h1 + i h2) mod 2^63) mod m, for i from 0 to k-1. MITZ_64 is the default of
  /// BloomFilter.create.
  kMurmur128Mitz64 = 1,
};

/// The rules by which releases of Guava choose k. A file contains the k of its filter.
enum class GuavaNumHashes {
  kFromBits,  ///< the rule max(1, round(bits / n ln 2)) of Guava 31.1
  kFromRate,  ///< the rule max(1, round(-log2 p)) of the current source
};

/// The BloomFilter of the Java library Guava. The class reads the output of writeTo and writes the
/// input of readFrom.
///
/// Source: com.google.common.hash.BloomFilter, Guava 31.1. The README describes the layout of the
/// file and the values that are missing from it. Bit i is bit i mod 64 of long i / 64, as in
/// BitArray.
/// Cost: insert and contains are O(num_hashes). Inserting or querying a UTF-16 key allocates
/// memory.
class GuavaFilter {
 public:
  static constexpr std::string_view kName = "guava";
  static constexpr unsigned kMaxNumHashes = 255;             ///< k is one byte of a file
  static constexpr std::uint64_t kMaxNumLongs = 0x7fffffff;  ///< L is a Java int in a file
  /// Number of values of c_i in MITZ_32. Index c_i mod m never reaches bits from 2^31 on.
  static constexpr std::uint64_t kNumMitz32Values = std::uint64_t{1} << 31U;

  /// The size m in bits and the number of hashes k of a filter.
  struct Sizes {
    std::uint64_t num_bits = 0;
    unsigned num_hashes = 0;
  };

  /// Makes an empty filter.
  /// @throws ConfigError if num_bits is not a multiple of 64 in [64, 64 kMaxNumLongs], num_hashes
  /// is not in [1, 255], or the strategy is unknown.
  GuavaFilter(std::uint64_t num_bits, unsigned num_hashes,
              GuavaStrategy strategy = GuavaStrategy::kMurmur128Mitz64);

  /// Returns the sizes of BloomFilter.create(funnel, n, p). The number of bits is trunc(-n ln p /
  /// ln^2 2), rounded up to whole longs. For n = 0, the function uses n = 1.
  /// @throws ConfigError if p is not in (0, 1), or if the sizes are out of range. For example, n =
  /// 1 and p >= 0.62 give 0 bits; Guava also rejects this size.
  [[nodiscard]] static Sizes sizes_for(std::uint64_t capacity, double target_false_positive_rate,
                                       GuavaNumHashes rule = GuavaNumHashes::kFromBits);

  /// Checks the sizes and returns them.
  /// @throws ConfigError if the constructor would throw.
  static Sizes checked(const Sizes& sizes);

  /// Returns an empty filter with the sizes that sizes_for returns.
  /// @throws ConfigError if sizes_for throws; MemoryError if the bits cannot be allocated.
  [[nodiscard]] static GuavaFilter for_capacity(
      std::uint64_t capacity, double target_false_positive_rate,
      GuavaStrategy strategy = GuavaStrategy::kMurmur128Mitz64,
      GuavaNumHashes rule = GuavaNumHashes::kFromBits);

  /// Returns the filter in the bytes of a whole file.
  /// @throws ConfigError if the file is not valid; the message states the error. The function does
  /// not allocate more memory than the size of the file before it detects an error.
  [[nodiscard]] static GuavaFilter parse(std::string_view bytes);

  /// Returns the bytes that writeTo of Guava writes.
  [[nodiscard]] std::string serialize() const;

  /// Inserts a key. Returns whether at least one bit changed, like Guava's put().
  bool insert(const GuavaKey& key) noexcept;

  /// Returns whether the filter may contain the key. A true result may be wrong; a false result is
  /// never wrong.
  [[nodiscard]] bool contains(const GuavaKey& key) const noexcept;

  /// Inserts the keys of the other filter. The bits equal those of a filter of both key sets.
  /// @throws ConfigError naming a field and both values unless strategy, num_bits and num_hashes
  /// are equal; this filter is then unchanged.
  void merge(const GuavaFilter& other);

  /// Clears the bits that are not set in the other filter. The result still contains the keys of
  /// both filters. @throws ConfigError as merge() does.
  void intersect(const GuavaFilter& other);

  /// Returns the k indices of a key, in the order in which Guava visits them.
  [[nodiscard]] std::vector<std::uint64_t> indices(const GuavaKey& key) const;

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] GuavaStrategy strategy() const noexcept { return strategy_; }

  /// Returns the reason why core/theory has no formula for the rate of this filter.
  [[nodiscard]] static constexpr std::string_view why_no_exact_rate() noexcept {
    return "probes are double hashing modulo num_bits, which does not follow a probe model";
  }

  friend bool operator==(const GuavaFilter&, const GuavaFilter&) noexcept = default;

 private:
  void require_like(const GuavaFilter& other) const;
  [[nodiscard]] std::uint64_t index(const Digest& digest, unsigned i) const noexcept;

  BitArray<> bits_;
  unsigned num_hashes_;
  GuavaStrategy strategy_;
};

}  // namespace bloometry
