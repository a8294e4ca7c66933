#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "core/block/block_operations.hpp"
#include "core/contract/variant_description.hpp"
#include "core/engine/block_filter.hpp"
#include "core/rates/rate_given_state.hpp"
#include "variants/split_block/parquet_salts.hpp"
#include "variants/split_block/split_block_sizing.hpp"

namespace bloometry {

/// Split-block Bloom filter. A key falls in one block of 256 bits and sets one bit in each of the
/// eight 32-bit lanes of this block. Vector instructions set or test the eight bits at once. A
/// filter has the same bits as a filter in a Parquet file. A Keyed<SplitBlockFilter, Xxh64Hasher>
/// with seed 0 contains the bytes of a Parquet bitset.
///
/// Source: Apache Parquet, BloomFilter.md, after Apache Impala; theory 6.2.
/// Layout: block b consists of the 64-bit words 4b to 4b + 3. Bit i of a block is bit `i mod 64` of
/// its word `i / 64`, so lane w of the specification is the 32-bit little-endian word w. The number
/// of blocks is in [1, 2^31).
/// Rate given the state: the mean over blocks of prod x_l/32, where x_l is the number of set bits
/// of lane l. Every filter has k = 8. The filter needs 10 %, 17 % and 71 % more bits than the
/// standard filter at rates of 1 %, 0.1 % and 1e-5.
/// Cost: insert and contains access half a cache line and do not allocate.
struct SplitBlockDesign {
  static constexpr std::string_view kName = "split_block";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr unsigned kNumLanes = ParquetSaltProbes::kNumLanes;
  static constexpr unsigned kBlockBits = ParquetSaltProbes::kBlockBits;
  static constexpr VariantDescription kDescription = {
      .summary = "a bit in each of 8 lanes of a 256-bit block: the filter of Parquet files",
      .paper = "Apache Parquet, after Apache Impala",
      .rate_given_state = "mean over blocks of prod x_l/32, x_l set bits of lane l",
      .probe_passes = ProbePasses::kIfNonzero,
      .sized_by_blocks = true,
      .min_num_hashes = kNumLanes,
      .max_num_hashes = kNumLanes};
  static constexpr Traits kTraits = {.merge = true, .fold = true, .estimate = true};
  using SupportedProbes = ProbeList<ParquetSaltProbes>;
  using KernelProbes = ParquetSaltProbes;
  using Cells = Bits;

  static Geometry geometry(const FilterSpec& spec) { return split_block_geometry(spec); }

  /// Checks that the Parquet specification allows the geometry, and returns the geometry.
  [[gnu::always_inline]] static Geometry checked(const Geometry& geometry) {
    require_whole_blocks(geometry, kBlockBits);
    Geometry checked =
        split_block_geometry({.num_bits = geometry.num_cells, .num_hashes = geometry.num_hashes});
    checked.max_fill = geometry.max_fill;
    return checked;
  }

  /// Returns the kernels that set and test one bit in each lane of the key's block.
  static SplitBlockOperations kernels(const Geometry& /*geometry*/) noexcept { return {}; }

  static std::uint64_t block_number(const Digest& digest, std::uint64_t num_blocks) noexcept {
    return block::split_block_of(digest.lo, num_blocks);
  }

  static double rate(ProbeModel /*model*/, const auto& blocks, const FilterState& /*counts*/,
                     unsigned /*num_hashes*/) noexcept {
    // The product of the x_l is at most 2^40, and sums of doubles are exact up to 2^53.
    double sum = 0;
    const auto words = blocks.words();
    for (std::uint64_t first = 0; first < words.size(); first += kBlockBits / 64) {
      std::uint64_t product = 1;
      for (const std::uint64_t word : words.subspan(first, kBlockBits / 64)) {
        product *= static_cast<std::uint64_t>(std::popcount(word & 0xffffffffU)) *
                   static_cast<std::uint64_t>(std::popcount(word >> 32U));
      }
      sum += static_cast<double>(product);
    }
    return sum / 0x1p40 / static_cast<double>(blocks.size());
  }
};

template <ProbePolicy Probes = ParquetSaltProbes, class Memory = OwnedMemory>
using BasicSplitBlockFilter = BlockFilter<SplitBlockDesign, Probes, Memory>;

/// Split-block filter whose words contain the bitset of a Parquet file.
using SplitBlockFilter = BasicSplitBlockFilter<>;

}  // namespace bloometry
