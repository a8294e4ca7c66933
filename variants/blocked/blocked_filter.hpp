#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/block/block_layout.hpp"
#include "core/block/block_operations.hpp"
#include "core/error.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/bit_array.hpp"
#include "core/store/fold.hpp"
#include "core/store/prefetch.hpp"
#include "variants/blocked/blocked_sizing.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Blocked Bloom filter: all probes of a key fall in one block of the size of a cache line, so that
/// a query of a large filter waits for memory once and not k times; for that it takes 3.5 % more
/// bits at a rate of 1 %, 8 % at 0.1 % and 35 % at 1e-6.
///
/// Source: Putze, Sanders, Singler (2007), "Cache-, Hash- and Space-Efficient Bloom Filters",
/// section 3, blocked filter without patterns; theory 6.1. Layout: core/block/block_layout.hpp; a
/// block of 512 bits is a cache line, of 256 half of one. The block is fastrange of block_word, the
/// bits are the first k indices of the scheme on block_bits, drawn freely: probes of a key may
/// coincide, except in scheme "distinct". Rate given the state: mean over blocks of (x_b/B)^k, or
/// of C(x_b,k)/C(B,k) for distinct probes, x_b set bits of block b. Cost: insert and contains
/// O(num_hashes), one cache line, no allocation. Any number of threads may query at once, one may
/// insert while none queries; AtomicBlockedFilter lifts that.
template <ProbePolicy Probes = BitFieldProbes, class Memory = OwnedMemory>
class BasicBlockedFilter {
  using WordAccess = typename Memory::WordAccess;

  /// The default scheme has vector bodies for memory that one thread writes; the loops of this
  /// class are for the others.
  static constexpr bool kHasKernels =
      std::same_as<Probes, BitFieldProbes> && std::same_as<WordAccess, PlainAccess>;

 public:
  static constexpr std::string_view kName = "blocked";
  static constexpr ProbeModel kModel = Probes::kModel;
  static constexpr VariantDescription kDescription = {
      .summary = "k probes in one cache line: one access to memory a key, for some more bits",
      .paper = "Putze, Sanders, Singler 2007",
      .rate_given_state =
          "mean over blocks of (x_b/B)^k, x_b set bits of B; C(x_b,k)/C(B,k) for "
          "distinct probes",
      .sized_by_blocks = true,
      .max_num_hashes = kMaxBlockHashes};
  static constexpr std::array<ParamInfo, 1> kParams = {
      ParamInfo{.name = "block_bits",
                .kind = ParamKind::kInteger,
                .meaning = "bits of a block: 512, a cache line, or 256, half of one",
                .min = 256,
                .max = 512,
                .choices = "256|512",
                .default_number = 512}};
  using SupportedProbes = BlockProbes;
  template <ProbePolicy P>
  using WithProbes = BasicBlockedFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicBlockedFilter<Probes, M>;

  /// m in whole blocks, block_bits and k for a spec.
  /// @throws ConfigError if the spec leaves one open, contradicts itself or is out of range.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    const Params params = resolve_params(kName, kParams, spec.params);
    return blocked_geometry(
        spec, checked_block_bits(static_cast<unsigned>(number_param(params, "block_bits"))), 1);
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return BitArray<Memory>::num_words_for(geometry.num_cells);
  }

  /// @throws ConfigError as geometry does; if borrowed memory does not fit.
  explicit BasicBlockedFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicBlockedFilter(geometry(spec), memory) {}

  /// @throws ConfigError if block_cells is neither 256 nor 512, m not of whole blocks, or k not in
  /// [1, kMaxBlockHashes].
  explicit BasicBlockedFilter(const Geometry& geometry, const Memory& memory = {})
      : bits_(checked(geometry).num_cells, memory),
        layout_(geometry.num_blocks(), geometry.block_cells),
        num_hashes_(geometry.num_hashes),
        operations_(geometry.block_cells, geometry.num_hashes),
        max_fill_(geometry.max_fill) {}

  /// Sets the key's k bits. True, "some bit changed", proves that the key was not in the filter
  /// before.
  bool insert(const Digest& digest) noexcept {
    if constexpr (kHasKernels) return operations_.insert(bits_.words(), num_blocks(), digest);
    std::uint64_t* block = bits_.words().data() + first_word(digest);
    std::uint64_t changed = 0;
    Probes probes(digest, layout_.block_cells());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      const std::uint64_t f = probes.next();
      const std::uint64_t bit = std::uint64_t{1} << layout_.shift_of(f);
      changed |= ~WordAccess::fetch_or(block[layout_.word_of(f)], bit) & bit;
    }
    return changed != 0;
  }

  /// insert that counts the set bits of the key's block, for a filter that watches its fill.
  OnesInBlock insert_counted(const Digest& digest) noexcept requires(kHasKernels) {
    return operations_.insert_counted(bits_.words(), num_blocks(), digest);
  }

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    if constexpr (kHasKernels) return operations_.contains(bits_.words(), num_blocks(), digest);
    const std::uint64_t* block = bits_.words().data() + first_word(digest);
    Probes probes(digest, layout_.block_cells());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      const std::uint64_t f = probes.next();
      const std::uint64_t word = WordAccess::load(block[layout_.word_of(f)]);
      if (((word >> layout_.shift_of(f)) & 1U) == 0) return false;
    }
    return true;
  }

  /// Set bits of the key's block.
  [[nodiscard]] unsigned num_ones_in_block(const Digest& digest) const noexcept {
    const std::uint64_t* block = bits_.words().data() + first_word(digest);
    unsigned ones = 0;
    for (unsigned i = 0; i < layout_.words_per_block(); ++i) {
      ones += static_cast<unsigned>(std::popcount(WordAccess::load(block[i])));
    }
    return ones;
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
    if constexpr (kHasKernels) return operations_.contains_mask(bits_.words(), num_blocks(), chunk);
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      mask |= static_cast<std::uint64_t>(contains(chunk[i])) << i;
    }
    return mask;
  }

  /// Inserts the keys in their order; bit i: insert(chunk[i]).
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if constexpr (kHasKernels) return operations_.insert_mask(bits_.words(), num_blocks(), chunk);
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      mask |= static_cast<std::uint64_t>(insert(chunk[i])) << i;
    }
    return mask;
  }

  /// OR: this becomes the filter of the keys of both, bit for bit.
  /// @throws ConfigError if m, block_bits or k differs; nothing is changed then.
  template <class M>
  void merge(const BasicBlockedFilter<Probes, M>& other) {
    require_compatible(other);
    bits_.merge(other.bits());
  }

  /// AND: contains every key of both filters, but has more bits than a filter built from these keys
  /// alone, and estimate_count no longer estimates a number of keys.
  /// @throws ConfigError if m, block_bits or k differs; nothing is changed then.
  template <class M>
  void intersect(const BasicBlockedFilter<Probes, M>& other) {
    require_compatible(other);
    bits_.intersect(other.bits());
  }

  /// The filter of the same keys with num_blocks / divisor blocks, bit for bit as if built so: the
  /// OR of every `divisor` neighbouring blocks, as the block is fastrange of a word that knows no
  /// number of blocks, and bits in a block stay where they are. With every scheme. Owns its memory.
  /// @throws ConfigError unless divisor divides num_blocks.
  [[nodiscard]] auto fold(std::uint64_t divisor) const {
    require_divisor(divisor, "num_blocks", num_blocks());
    Geometry smaller = geometry();
    smaller.num_cells /= divisor;
    WithMemory<OwnedMemory> result(smaller);
    fold_blocks(bits_.words(), result.bits_.words(), divisor, layout_.words_per_block());
    return result;
  }

  void clear() noexcept { bits_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return layout_.num_blocks(); }

  [[nodiscard]] unsigned block_bits() const noexcept { return layout_.block_cells(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] Geometry geometry() const noexcept {
    return {bits_.size(), 1, num_hashes_, layout_.block_cells(), max_fill_};
  }

  [[nodiscard]] const BitArray<Memory>& bits() const noexcept { return bits_; }

  [[nodiscard]] FilterState state() const noexcept {
    std::array<std::uint64_t, 512 + 1> blocks_with{};  // [x]: with x set bits
    const std::span<const std::uint64_t> words = bits_.words();
    const unsigned width = layout_.words_per_block();
    FilterState state{.num_bits = num_bits()};
    for (std::uint64_t first = 0; first < words.size(); first += width) {
      unsigned ones = 0;
      for (const std::uint64_t& word : words.subspan(first, width)) {
        ones += static_cast<unsigned>(std::popcount(WordAccess::load(word)));
      }
      ++blocks_with[ones];
      state.num_ones += ones;
    }
    state.conditional_false_positive_rate = rate_given_blocks(
        kModel, std::span(blocks_with).first(block_bits() + 1), num_blocks(), num_hashes_);
    state.exceeds_max_fill =
        exceeds_fill(max_fill_, state.conditional_false_positive_rate, num_hashes_);
    return state;
  }

  /// Distinct keys, from the set bits of all blocks together (core/rates/cardinality.hpp);
  /// +infinity if all are set.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones_in_blocks(kModel, bits_.count(), geometry());
  }

  /// Keys here, in the other filter, and in either.
  /// @throws ConfigError if m, block_bits or k differs.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(const BasicBlockedFilter<Probes, M>& other) const {
    require_compatible(other);
    return {estimate_count(), other.estimate_count(),
            count_given_ones_in_blocks(kModel, bits_.count_either(other.bits()), geometry())};
  }

  friend bool operator==(const BasicBlockedFilter&, const BasicBlockedFilter&) = default;

 private:
  template <ProbePolicy, class>
  friend class BasicBlockedFilter;

  struct NoOperations {
    NoOperations(unsigned /*block_bits*/, unsigned /*num_hashes*/) noexcept {}

    friend bool operator==(const NoOperations&, const NoOperations&) = default;
  };

  using Operations = std::conditional_t<kHasKernels, BitFieldOperations, NoOperations>;

  static unsigned checked_block_bits(unsigned block_bits) {
    if (block_bits == 256 || block_bits == 512) return block_bits;
    throw ConfigError("block_bits must be 256 or 512, got " + std::to_string(block_bits));
  }

  static const Geometry& checked(const Geometry& geometry) {
    require_whole_blocks(geometry, checked_block_bits(geometry.block_cells));
    require_block_hashes(geometry);
    return geometry;
  }

  [[nodiscard]] std::uint64_t first_word(const Digest& digest) const noexcept {
    return layout_.first_word(block_word<Probes>(digest));
  }

  template <class M>
  void require_compatible(const BasicBlockedFilter<Probes, M>& other) const {
    require_equal("num_bits", num_bits(), other.num_bits());
    require_equal("block_bits", block_bits(), other.block_bits());
    require_equal("num_hashes", num_hashes_, other.num_hashes());
  }

  BitArray<Memory> bits_;
  BlockLayout<1> layout_;
  unsigned num_hashes_;
  [[no_unique_address]] Operations operations_;
  std::optional<double> max_fill_;
};

using BlockedFilter = BasicBlockedFilter<>;

/// A blocked filter that any number of threads fill and ask at once: insert, contains, their masks,
/// prefetch, state and estimate_count may be called together, all else alone. What they promise is
/// what AtomicStandardFilter does (README of standard, "Threads").
using AtomicBlockedFilter = BasicBlockedFilter<BitFieldProbes, Atomic<OwnedMemory>>;

static_assert(Filter<BlockedFilter> && BorrowingFilter<BlockedFilter> &&
              BatchFilter<BlockedFilter>);
static_assert(BatchFilter<AtomicBlockedFilter> && CountEstimatingFilter<AtomicBlockedFilter>);
static_assert(MergeableFilter<BlockedFilter> && IntersectableFilter<BlockedFilter> &&
              SetEstimatingFilter<BlockedFilter> && FoldableFilter<BlockedFilter>);

}  // namespace bloometry
