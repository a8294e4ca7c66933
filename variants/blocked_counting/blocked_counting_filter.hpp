#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/block/block_layout.hpp"
#include "core/block/block_operations.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/counter_array.hpp"
#include "core/store/nibbles.hpp"
#include "core/store/prefetch.hpp"
#include "variants/blocked/blocked_sizing.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Blocked counting filter: 4-bit counters, all of a key in one cache line of 128, so that keys can
/// be erased and every operation waits for memory once.
///
/// Source: the blocks of Putze, Sanders, Singler (2007) with the counters of Fan, Cao, Almeida,
/// Broder (2000); semantics: theory 3.1, rates: theory 6.1 with B = 128. Layout:
/// core/block/block_layout.hpp with cells of 4 bits; block b is words 8b to 8b + 7, one line. A key
/// adds one to each distinct position of its probes, so a doubled probe counts once. 15 means "15
/// or more" and is sticky: it never goes down. Rate given the state: as blocked, with non-zero
/// counters. Cost: every operation O(num_hashes) and eight words of one line, no allocation. Not
/// safe for concurrent insert or erase.
template <ProbePolicy Probes = BitFieldProbes, class Memory = OwnedMemory>
class BasicBlockedCountingFilter {
 public:
  static constexpr std::string_view kName = "blocked_counting";
  static constexpr ProbeModel kModel = Probes::kModel;
  static constexpr unsigned kCounterBits = 4;
  static constexpr unsigned kBlockCounters = 128;
  static constexpr VariantDescription kDescription = {
      .summary = "4-bit counters, all of a key in one cache line: erase at one access to memory",
      .paper = "Putze, Sanders, Singler 2007; Fan, Cao, Almeida, Broder 2000",
      .rate_given_state =
          "mean over blocks of (x_b/B)^k, x_b non-zero counters of B = 128; "
          "C(x_b,k)/C(B,k) for distinct probes",
      .sized_by_counters = true,
      .sized_by_blocks = true,
      .max_num_hashes = kMaxBlockHashes};
  static constexpr std::span<const ParamInfo> kParams = {};
  using SupportedProbes = BlockProbes;
  template <ProbePolicy P>
  using WithProbes = BasicBlockedCountingFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicBlockedCountingFilter<Probes, M>;

  /// m in whole blocks, and k for a spec.
  /// @throws ConfigError if the spec leaves one open, contradicts itself or is out of range.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    static_cast<void>(resolve_params(kName, kParams, spec.params));
    return blocked_geometry(spec, kBlockCounters, kCounterBits);
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return CounterArray<Memory>::num_words_for(geometry.num_cells, kCounterBits);
  }

  /// @throws ConfigError as geometry does; if borrowed memory does not fit.
  explicit BasicBlockedCountingFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicBlockedCountingFilter(geometry(spec), memory) {}

  /// @throws ConfigError if m is not of whole blocks, or k not in [1, kMaxBlockHashes].
  explicit BasicBlockedCountingFilter(const Geometry& geometry, const Memory& memory = {})
      : counters_(checked(geometry).num_cells, kCounterBits, memory),
        layout_(geometry.num_cells / kBlockCounters, kBlockCounters),
        num_hashes_(geometry.num_hashes),
        operations_(geometry.num_hashes),
        max_fill_(geometry.max_fill) {}

  /// Adds one to each distinct position of the key, up to 15. True, "some counter was 0", proves
  /// that the key was not in the filter before. A key inserted twice needs two erases.
  bool insert(const Digest& digest) noexcept {
    if constexpr (kHasKernels) return operations_.insert(counters_.words(), num_blocks(), digest);
    std::uint64_t* block = counters_.words().data() + first_word(digest);
    const Selected selected = select(digest);
    std::uint64_t was_zero = 0;
    for (unsigned w = 0; w < kBlockWords; ++w) {
      was_zero |= selected[w] & ~nibbles::nonzero(block[w]);
      block[w] += selected[w] & ~nibbles::saturated(block[w]);
    }
    return was_zero != 0;
  }

  /// True may be wrong, false never is, as long as only keys that are in the filter were erased.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    if constexpr (kHasKernels) return operations_.contains(counters_.words(), num_blocks(), digest);
    const std::uint64_t* block = counters_.words().data() + first_word(digest);
    Probes probes(digest, kBlockCounters);
    for (unsigned i = 0; i < num_hashes_; ++i) {
      const std::uint64_t f = probes.next();
      if (((block[layout_.word_of(f)] >> layout_.shift_of(f)) & nibbles::kMaxValue) == 0) {
        return false;
      }
    }
    return true;
  }

  /// Takes one off each distinct position of the key; returns whether it did. Refused, changing
  /// nothing, when some counter is 0: the key is not in the filter. Only for keys that were
  /// inserted: erasing another key that tests positive loses members (theory 3.3), and the filter
  /// cannot know.
  bool erase(const Digest& digest) noexcept {
    if constexpr (kHasKernels) {
      const bool erased =
          operations_.erase(counters_.words(), num_blocks(), digest, num_skipped_decrements_);
      num_refused_erases_ += erased ? 0 : 1;
      return erased;
    }
    std::uint64_t* block = counters_.words().data() + first_word(digest);
    const Selected selected = select(digest);
    std::uint64_t is_zero = 0;
    for (unsigned w = 0; w < kBlockWords; ++w) {
      is_zero |= selected[w] & ~nibbles::nonzero(block[w]);
    }
    if (is_zero != 0) {
      ++num_refused_erases_;
      return false;
    }
    for (unsigned w = 0; w < kBlockWords; ++w) {
      const std::uint64_t stuck = selected[w] & nibbles::saturated(block[w]);
      num_skipped_decrements_ += nibbles::count(stuck);
      block[w] -= selected[w] & ~stuck;
    }
    return true;
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept {
    return num_bits() / 8 > kMinPrefetchBytes;
  }

  /// Asks for the key's line.
  void prefetch(const Digest& digest, Access access) const noexcept {
    const std::uint64_t* block = counters_.words().data() + first_word(digest);
    access == Access::kUpdate ? prefetch_to_write(block) : prefetch_to_read(block);
  }

  /// Bit i: contains(chunk[i]).
  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    if constexpr (kHasKernels) {
      return operations_.contains_mask(counters_.words(), num_blocks(), chunk);
    }
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      mask |= static_cast<std::uint64_t>(contains(chunk[i])) << i;
    }
    return mask;
  }

  /// Inserts the keys in their order; bit i: insert(chunk[i]).
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if constexpr (kHasKernels) {
      return operations_.insert_mask(counters_.words(), num_blocks(), chunk);
    }
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      mask |= static_cast<std::uint64_t>(insert(chunk[i])) << i;
    }
    return mask;
  }

  /// Erases the keys in their order; bit i: erase(chunk[i]).
  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept {
    if constexpr (kHasKernels) {
      const std::uint64_t erased =
          operations_.erase_mask(counters_.words(), num_blocks(), chunk, num_skipped_decrements_);
      num_refused_erases_ += chunk.size() - static_cast<unsigned>(std::popcount(erased));
      return erased;
    }
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      mask |= static_cast<std::uint64_t>(erase(chunk[i])) << i;
    }
    return mask;
  }

  /// Adds the counters, each stopping at 15: this becomes the filter of both multisets one after
  /// the other, as with counting filters. Refused erases and skipped decrements of both are added
  /// too.
  /// @throws ConfigError if m or k differs; nothing is changed then.
  template <class M>
  void merge(const BasicBlockedCountingFilter<Probes, M>& other) {
    require_compatible(other);
    counters_.merge(other.counters_);
    num_refused_erases_ += other.num_refused_erases_;
    num_skipped_decrements_ += other.num_skipped_decrements_;
  }

  void clear() noexcept {
    counters_.clear();
    num_refused_erases_ = 0;
    num_skipped_decrements_ = 0;
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return counters_.num_bits(); }

  [[nodiscard]] std::uint64_t num_blocks() const noexcept { return layout_.num_blocks(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] Geometry geometry() const noexcept {
    return {counters_.size(), kCounterBits, num_hashes_, kBlockCounters, max_fill_};
  }

  /// Cell f of block b is counter 128 b + 16 (f mod 8) + f / 8 of it.
  [[nodiscard]] const CounterArray<Memory>& counters() const noexcept { return counters_; }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits(),
                      .num_counters = counters_.size(),
                      .num_saturated = 0,
                      .num_refused_erases = num_refused_erases_,
                      .num_skipped_decrements = num_skipped_decrements_};
    std::array<std::uint64_t, kBlockCounters + 1> blocks_with{};  // [x]: with x non-zero counters
    const std::span<const std::uint64_t> words = counters_.words();
    for (std::uint64_t first = 0; first < words.size(); first += kBlockWords) {
      unsigned nonzero = 0;
      for (const std::uint64_t word : words.subspan(first, kBlockWords)) {
        nonzero += nibbles::count(nibbles::nonzero(word));
        *state.num_saturated += nibbles::count(nibbles::saturated(word));
      }
      ++blocks_with[nonzero];
      state.num_ones += nonzero;
    }
    state.conditional_false_positive_rate =
        rate_given_blocks(kModel, blocks_with, num_blocks(), num_hashes_);
    state.exceeds_max_fill =
        exceeds_fill(max_fill_, state.conditional_false_positive_rate, num_hashes_);
    return state;
  }

  /// Distinct keys, whatever their multiplicities, from the non-zero counters of all blocks
  /// together (core/rates/cardinality.hpp); +infinity if all are.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones_in_blocks(kModel, counters_.count_nonzero(), geometry());
  }

  /// Distinct keys here, in the other filter, and in either.
  /// @throws ConfigError as merge.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(
      const BasicBlockedCountingFilter<Probes, M>& other) const {
    require_compatible(other);
    const std::uint64_t either = counters_.count_nonzero_either(other.counters_);
    return {estimate_count(), other.estimate_count(),
            count_given_ones_in_blocks(kModel, either, geometry())};
  }

  /// Equal counters, k and max_fill: what happened on the way there does not matter.
  friend bool operator==(const BasicBlockedCountingFilter& a,
                         const BasicBlockedCountingFilter& b) noexcept {
    return a.counters_ == b.counters_ && a.num_hashes_ == b.num_hashes_ &&
           a.max_fill_ == b.max_fill_;
  }

 private:
  template <ProbePolicy, class>
  friend class BasicBlockedCountingFilter;

  /// The default scheme has vector bodies; the loops of this class are for the others.
  static constexpr bool kHasKernels = std::same_as<Probes, BitFieldProbes>;

  struct NoOperations {
    explicit NoOperations(unsigned /*num_hashes*/) noexcept {}
  };

  using Operations = std::conditional_t<kHasKernels, CountingOperations, NoOperations>;

  static constexpr unsigned kBlockWords = kBlockCounters * kCounterBits / 64;

  /// The distinct positions of a key, as a set of counters of each word of its block.
  using Selected = std::array<std::uint64_t, kBlockWords>;

  static const Geometry& checked(const Geometry& geometry) {
    require_whole_blocks(geometry, kBlockCounters);
    require_block_hashes(geometry);
    return geometry;
  }

  [[nodiscard]] std::uint64_t first_word(const Digest& digest) const noexcept {
    return layout_.first_word(block_word<Probes>(digest));
  }

  [[nodiscard]] Selected select(const Digest& digest) const noexcept {
    Selected selected{};
    Probes probes(digest, kBlockCounters);
    for (unsigned i = 0; i < num_hashes_; ++i) {
      const std::uint64_t f = probes.next();
      selected[layout_.word_of(f)] |= std::uint64_t{1} << layout_.shift_of(f);
    }
    return selected;
  }

  template <class M>
  void require_compatible(const BasicBlockedCountingFilter<Probes, M>& other) const {
    require_equal("num_counters", counters_.size(), other.counters_.size());
    require_equal("num_hashes", num_hashes_, other.num_hashes_);
  }

  CounterArray<Memory> counters_;
  BlockLayout<kCounterBits> layout_;
  unsigned num_hashes_;
  [[no_unique_address]] Operations operations_;
  std::uint64_t num_refused_erases_ = 0;
  std::uint64_t num_skipped_decrements_ = 0;
  std::optional<double> max_fill_;
};

using BlockedCountingFilter = BasicBlockedCountingFilter<>;

static_assert(ErasableFilter<BlockedCountingFilter> && BorrowingFilter<BlockedCountingFilter> &&
              BatchErasableFilter<BlockedCountingFilter>);
static_assert(MergeableFilter<BlockedCountingFilter> && SetEstimatingFilter<BlockedCountingFilter>);

}  // namespace bloometry
