#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/block/block_operations.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/bit_array.hpp"
#include "core/store/fold.hpp"
#include "core/store/prefetch.hpp"
#include "variants/split_block/parquet_salts.hpp"
#include "variants/split_block/split_block_sizing.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Split-block Bloom filter: one block of 256 bits a key and one bit in each of its eight lanes of
/// 32, so that a vector unit sets or asks all of them at once. The filter of Parquet files, bit for
/// bit: Keyed<SplitBlockFilter, Xxh64Hasher> of seed 0 holds the bytes of a Parquet bitset.
///
/// Source: Apache Parquet, BloomFilter.md, after Apache Impala; theory 6.2. Layout: block b is the
/// 64-bit words 4b to 4b + 3; bit i of a block is bit i mod 64 of its word i / 64, so that lane w
/// of the specification is the 32-bit little-endian word w. num_blocks in [1, 2^31). Rate given the
/// state: mean over blocks of prod x_l/32, x_l set bits of lane l. Since k is 8 whatever the size,
/// it takes 10 % more bits than the standard filter at a rate of 1 %, 17 % at 0.1 % and 43 % at
/// 1e-5. Cost: insert and contains touch half a cache line, no allocation. Not safe for concurrent
/// insert.
template <ProbePolicy Probes = ParquetSaltProbes, class Memory = OwnedMemory>
class BasicSplitBlockFilter {
 public:
  static constexpr std::string_view kName = "split_block";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr unsigned kNumLanes = Probes::kNumLanes;
  static constexpr unsigned kBlockBits = Probes::kBlockBits;
  static constexpr VariantDescription kDescription = {
      .summary = "a bit in each of 8 lanes of a 256-bit block: the filter of Parquet files",
      .paper = "Apache Parquet, after Apache Impala",
      .rate_given_state = "mean over blocks of prod x_l/32, x_l set bits of lane l",
      .sized_by_blocks = true,
      .min_num_hashes = kNumLanes,
      .max_num_hashes = kNumLanes};
  static constexpr std::span<const ParamInfo> kParams = {};
  using SupportedProbes = ProbeList<ParquetSaltProbes>;
  template <ProbePolicy P>
  using WithProbes = BasicSplitBlockFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicSplitBlockFilter<Probes, M>;

  /// m in whole blocks; k is 8.
  /// @throws ConfigError if the spec leaves the size open, contradicts itself or is out of range.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    static_cast<void>(resolve_params(kName, kParams, spec.params));
    return split_block_geometry(spec);
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return BitArray<Memory>::num_words_for(geometry.num_cells);
  }

  /// @throws ConfigError as geometry does; if borrowed memory does not fit.
  explicit BasicSplitBlockFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicSplitBlockFilter(geometry(spec), memory) {}

  /// @throws ConfigError if m is not of whole blocks or k not 8.
  explicit BasicSplitBlockFilter(const Geometry& geometry, const Memory& memory = {})
      : bits_(checked(geometry).num_cells, memory), max_fill_(geometry.max_fill) {}

  /// Sets a bit in each lane of the key's block. True, "some bit changed", proves that the key was
  /// not in the filter before.
  bool insert(const Digest& digest) noexcept {
    return operations_.insert(bits_.words(), num_blocks(), digest);
  }

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    return operations_.contains(bits_.words(), num_blocks(), digest);
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept {
    return num_bits() / 8 > kMinPrefetchBytes;
  }

  /// Asks for the key's line.
  void prefetch(const Digest& digest, Access access) const noexcept {
    const std::uint64_t* block = bits_.words().data() + first_word(digest);
    access == Access::kUpdate ? prefetch_to_write(block) : prefetch_to_read(block);
  }

  /// Bit i: contains(chunk[i]).
  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    return operations_.contains_mask(bits_.words(), num_blocks(), chunk);
  }

  /// Inserts the keys in their order; bit i: insert(chunk[i]).
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    return operations_.insert_mask(bits_.words(), num_blocks(), chunk);
  }

  /// OR: this becomes the filter of the keys of both, bit for bit.
  /// @throws ConfigError if m differs; nothing is changed then.
  template <class M>
  void merge(const BasicSplitBlockFilter<Probes, M>& other) {
    require_compatible(other);
    bits_.merge(other.bits());
  }

  /// The filter of the same keys with num_blocks / divisor blocks, bit for bit as if built so: the
  /// OR of every `divisor` neighbouring blocks, as floor(((h >> 32) z >> 32) / d) is the block of
  /// z/d. Owns its memory.
  /// @throws ConfigError unless divisor divides num_blocks.
  [[nodiscard]] auto fold(std::uint64_t divisor) const {
    require_divisor(divisor, "num_blocks", num_blocks());
    Geometry smaller = geometry();
    smaller.num_cells /= divisor;
    WithMemory<OwnedMemory> result(smaller);
    fold_blocks(bits_.words(), result.bits_.words(), divisor, kWordsPerBlock);
    return result;
  }

  void clear() noexcept { bits_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return bits_.size() / kBlockBits; }

  [[nodiscard]] unsigned num_hashes() const noexcept { return kNumLanes; }

  [[nodiscard]] Geometry geometry() const noexcept {
    return {bits_.size(), 1, kNumLanes, kBlockBits, max_fill_};
  }

  /// Its words are the bitset of a Parquet file.
  [[nodiscard]] const BitArray<Memory>& bits() const noexcept { return bits_; }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits(), .num_ones = bits_.count()};
    // prod x_l is at most 2^40: whole numbers up to 2^53 add up exactly.
    double sum = 0;
    const std::span<const std::uint64_t> words = bits_.words();
    for (std::uint64_t first = 0; first < words.size(); first += kWordsPerBlock) {
      std::uint64_t product = 1;
      for (unsigned w = 0; w < kWordsPerBlock; ++w) {
        const std::uint64_t word = words[first + w];
        product *= static_cast<std::uint64_t>(std::popcount(word & 0xffffffffU)) *
                   static_cast<std::uint64_t>(std::popcount(word >> 32U));
      }
      sum += static_cast<double>(product);
    }
    state.conditional_false_positive_rate = sum / 0x1p40 / static_cast<double>(num_blocks());
    state.exceeds_max_fill =
        exceeds_fill(max_fill_, state.conditional_false_positive_rate, kNumLanes);
    return state;
  }

  /// Distinct keys, from the set bits of all blocks together (core/rates/cardinality.hpp);
  /// +infinity if all are set.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones_in_blocks(kModel, bits_.count(), geometry());
  }

  /// Keys here, in the other filter, and in either.
  /// @throws ConfigError if m differs.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(const BasicSplitBlockFilter<Probes, M>& other) const {
    require_compatible(other);
    return {estimate_count(), other.estimate_count(),
            count_given_ones_in_blocks(kModel, bits_.count_either(other.bits()), geometry())};
  }

  friend bool operator==(const BasicSplitBlockFilter&, const BasicSplitBlockFilter&) = default;

 private:
  template <ProbePolicy, class>
  friend class BasicSplitBlockFilter;

  static constexpr unsigned kWordsPerBlock = kBlockBits / 64;

  /// Only the geometry of the specification: what a spec may ask for has one place.
  static Geometry checked(const Geometry& geometry) {
    require_whole_blocks(geometry, kBlockBits);
    return split_block_geometry(
        {.num_bits = geometry.num_cells, .num_hashes = geometry.num_hashes});
  }

  [[nodiscard]] std::uint64_t first_word(const Digest& digest) const noexcept {
    return parquet_block(digest, num_blocks()) * kWordsPerBlock;
  }

  template <class M>
  void require_compatible(const BasicSplitBlockFilter<Probes, M>& other) const {
    require_equal("num_bits", num_bits(), other.num_bits());
  }

  BitArray<Memory> bits_;
  SplitBlockOperations operations_;
  std::optional<double> max_fill_;
};

using SplitBlockFilter = BasicSplitBlockFilter<>;

static_assert(Filter<SplitBlockFilter> && BorrowingFilter<SplitBlockFilter> &&
              BatchFilter<SplitBlockFilter>);
static_assert(MergeableFilter<SplitBlockFilter> && SetEstimatingFilter<SplitBlockFilter> &&
              FoldableFilter<SplitBlockFilter>);

}  // namespace bloometry
