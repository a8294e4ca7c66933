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

/// A number for which Parquet has a physical type: INT32, INT64, FLOAT, DOUBLE.
template <class Number>
concept ParquetNumber = (std::signed_integral<Number> ||
                         std::floating_point<Number>)&&(sizeof(Number) == 4 || sizeof(Number) == 8);

/// A value of a Parquet column as its filter hashes it: the XXH64, seed 0, of its PLAIN encoding.
class ParquetValue {
 public:
  // Implicit on purpose: insert("a"), insert(std::int64_t{5}).

  /// Hashes BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY: the bytes, without the length that PLAIN puts
  /// before them.
  template <std::convertible_to<std::string_view> Bytes>
  ParquetValue(const Bytes& bytes) noexcept : digest_(digest_of(std::string_view(bytes))) {}

  /// Hashes the number's 4 or 8 bytes, little-endian. Cast an unsigned or logical type to its
  /// physical type first.
  template <ParquetNumber Number>
  ParquetValue(Number number) noexcept : digest_(digest_of_number(number)) {}

  /// Returns the digest: lo is the hash; hi is not used.
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

/// The Bloom filter of a column chunk of a Parquet file, with its header: blocks of 256 bits, one
/// bit in each of eight lanes of 32.
///
/// Source: Apache Parquet, BloomFilter.md and parquet.thrift. Blocks and bits are those of
/// variants/split_block, computed by the same kernels. A filter has at most 2^26 - 1 blocks (2
/// GiB), because the header counts bytes in 31 bits.
/// Cost: insert and contains access half a cache line.
class ParquetSbbfFilter {
 public:
  static constexpr std::string_view kName = "parquet_sbbf";
  static constexpr std::uint64_t kBlockBytes = 32;
  static constexpr std::uint64_t kMaxBlocks = (std::uint64_t{1} << 26U) - 1;

  /// Makes the empty filter.
  /// @throws ConfigError unless num_blocks is in [1, kMaxBlocks]; MemoryError.
  explicit ParquetSbbfFilter(std::uint64_t num_blocks);

  /// Returns the number of blocks that Arrow C++ allocates for num_keys distinct values: -8 n /
  /// ln(1 - p^(1/8)) bits, rounded up to a power of two of bytes in [32 B, 128 MiB]. A larger
  /// filter is cut to 128 MiB and does not keep the rate.
  /// @throws ConfigError unless the rate is in (0, 1) and num_keys is below 2^32, as in Arrow.
  static std::uint64_t num_blocks_for(std::uint64_t num_keys, double false_positive_rate);

  /// Returns the empty filter with that number of blocks.
  /// @throws ConfigError as num_blocks_for; MemoryError.
  static ParquetSbbfFilter for_capacity(std::uint64_t num_keys, double false_positive_rate);

  /// Reads a header and the bits after it, as they are at bloom_filter_offset of a Parquet file.
  /// @throws ConfigError that names the field, its value and the allowed values.
  static ParquetSbbfFilter parse(std::string_view bytes);

  /// Inserts a value. The result true proves that the value was not in the filter before.
  bool insert(const ParquetValue& value) noexcept {
    return kernels_.insert(bits_.words(), num_blocks(), value.digest());
  }

  /// Returns whether the filter contains the value: true may be wrong, false never is.
  [[nodiscard]] bool contains(const ParquetValue& value) const noexcept {
    return kernels_.contains(bits_.words(), num_blocks(), value.digest());
  }

  /// Returns the filter of the same values with num_blocks / divisor blocks: the OR of every
  /// `divisor` neighbouring blocks. The result equals a filter built with that size, bit for bit.
  /// @throws ConfigError unless divisor divides num_blocks.
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
