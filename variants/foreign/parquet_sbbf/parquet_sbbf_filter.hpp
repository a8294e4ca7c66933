#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/block/block_operations.hpp"
#include "core/hash/digest.hpp"
#include "core/store/bit_array.hpp"

namespace bloometry {

/// A number of Parquet's physical type INT32, INT64, FLOAT or DOUBLE.
template <class Number>
concept ParquetNumber = (std::signed_integral<Number> ||
                         std::floating_point<Number>)&&(sizeof(Number) == 4 || sizeof(Number) == 8);

/// The hash of a value of a Parquet column: XXH64 (seed 0) of the value's PLAIN encoding.
class ParquetValue {
 public:
  // The constructors are implicit, so that insert("a") and insert(std::int64_t{5}) compile.

  /// Hashes a value of type BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY. The hash does not include the
  /// length that precedes the bytes in the PLAIN encoding.
  template <std::convertible_to<std::string_view> Bytes>
  ParquetValue(const Bytes& bytes) noexcept : digest_(digest_of(std::string_view(bytes))) {}

  /// Hashes the 4 or 8 bytes of a number in little-endian order. Cast a number of an unsigned or
  /// logical type to its physical type first.
  template <ParquetNumber Number>
  ParquetValue(Number number) noexcept : digest_(digest_of_number(number)) {}

  /// Returns the digest. The word `lo` is the hash, and the word `hi` is not used.
  [[nodiscard]] const Digest& digest() const noexcept { return digest_; }

 private:
  static Digest digest_of(std::string_view bytes) noexcept;
  static Digest digest_of_word(std::uint32_t word) noexcept;
  static Digest digest_of_word(std::uint64_t word) noexcept;

  template <class Number>
  static Digest digest_of_number(Number number) noexcept {
    if constexpr (sizeof(Number) == 4) {
      return digest_of_word(std::bit_cast<std::uint32_t>(number));
    } else {
      return digest_of_word(std::bit_cast<std::uint64_t>(number));
    }
  }

  Digest digest_;
};

/// The Bloom filter of a column chunk of a Parquet file, with the filter's header. Blocks have 256
/// bits, and a value sets one bit in each of the eight lanes of 32 bits of a block.
///
/// Source: Apache Parquet, BloomFilter.md and parquet.thrift. The filter has the blocks and bits of
/// variants/split_block, and uses the same kernels. A filter has at most 2^26 - 1 blocks (2 GiB),
/// because the header counts bytes in 31 bits.
/// Cost: insert and contains access half a cache line.
class ParquetSbbfFilter {
 public:
  static constexpr std::string_view kName = "parquet_sbbf";
  static constexpr std::uint64_t kBlockBytes = 32;
  /// Largest number of blocks that num_blocks_for returns: 128 MiB.
  static constexpr std::uint32_t kMaxSizedBlocks = std::uint32_t{1} << 22U;
  static constexpr std::uint64_t kMaxBlocks = (std::uint64_t{1} << 26U) - 1;

  /// Makes an empty filter.
  /// @throws ConfigError if num_blocks is not in [1, kMaxBlocks]; MemoryError if the bits cannot be
  /// allocated.
  explicit ParquetSbbfFilter(std::uint64_t num_blocks);

  /// Returns the number of blocks that Arrow C++ allocates for num_keys distinct values. Arrow
  /// computes `-8 n / ln(1 - p^(1/8))` bits and rounds the size up to a power of two in [32 B, 128
  /// MiB]. If the rate needs a larger filter, Arrow uses 128 MiB, and the filter exceeds the rate.
  /// @throws ConfigError if the rate is not in (0, 1) or num_keys is 2^32 or more, as in Arrow.
  static std::uint64_t num_blocks_for(std::uint64_t num_keys, double false_positive_rate);

  /// Returns an empty filter with the number of blocks that num_blocks_for returns.
  /// @throws ConfigError if num_blocks_for throws; MemoryError if the bits cannot be allocated.
  static ParquetSbbfFilter for_capacity(std::uint64_t num_keys, double false_positive_rate);

  /// Returns the filter in a header and the bits that follow the header. In a Parquet file, the
  /// header begins at bloom_filter_offset.
  /// @throws ConfigError if a field is not valid. The error message names the field, its value and
  /// the allowed values.
  static ParquetSbbfFilter parse(std::string_view bytes);

  /// Inserts a value. A true result means that the filter did not contain the value before.
  bool insert(const ParquetValue& value) noexcept {
    return kernels_.insert(bits_.words(), num_blocks(), value.digest());
  }

  /// Returns whether the filter may contain the value. A true result may be wrong; a false result
  /// is never wrong.
  [[nodiscard]] bool contains(const ParquetValue& value) const noexcept {
    return kernels_.contains(bits_.words(), num_blocks(), value.digest());
  }

  /// Inserts the values of the other filter. The bits equal those of a filter of both sets of
  /// values.
  /// @throws ConfigError naming a field and both values unless the numbers of blocks are equal;
  /// this filter is then unchanged.
  void merge(const ParquetSbbfFilter& other);

  /// Clears the bits that are not set in the other filter. The result still contains the values of
  /// both filters. @throws ConfigError as merge() does.
  void intersect(const ParquetSbbfFilter& other);

  /// Returns the filter of the same values with num_blocks / divisor blocks. Each block is the OR
  /// of `divisor` neighbouring blocks. The bits equal those of a filter built with num_blocks /
  /// divisor blocks.
  /// @throws ConfigError if divisor does not divide num_blocks.
  [[nodiscard]] ParquetSbbfFilter fold(std::uint64_t divisor) const;

  [[nodiscard]] std::string serialize() const;

  [[nodiscard]] const BitArray<>& bits() const noexcept { return bits_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept {
    return bits_.size() / (8 * kBlockBytes);
  }

  [[nodiscard]] static constexpr unsigned num_hashes() noexcept { return 8; }

 private:
  BitArray<> bits_;
  SplitBlockOperations kernels_;
};

}  // namespace bloometry
