#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/chunk_cells.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/survivor_rounds.hpp"
#include "core/error.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/kept_probes.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/rates/sizing.hpp"
#include "core/store/bit_array.hpp"
#include "core/store/fold.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Partitioned Bloom filter: k slices, one probe in each. The one classic design whose exact rate
/// is a closed form; its slices can be read, sent or dropped one by one.
///
/// Source: Mullin (1983), "A second look at Bloom filters"; model P of theory 1.2. Layout: slice i
/// follows slice i - 1; the first m mod k slices have floor(m/k) + 1 bits, the others floor(m/k).
/// Probe i is the i-th 64-bit word of the scheme, reduced by fastrange onto slice i, so the scheme
/// must be made of words. Rate given the state: product of the slice fills. Cost: insert and
/// contains O(num_hashes), no allocation. Not safe for concurrent insert.
template <WordProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
class BasicPartitionedFilter {
 public:
  static constexpr std::string_view kName = "partitioned";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr VariantDescription kDescription = {
      .summary = "k slices, one probe in each; the exact rate is a closed form",
      .paper = "Mullin 1983",
      .rate_given_state = "prod X_i/w_i, X_i set bits of slice i of w_i bits"};
  static constexpr std::span<const ParamInfo> kParams = {};
  static constexpr std::size_t kChunkKeys = ChunkCells::kMaxKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using SupportedProbes = WordProbes;
  template <WordProbePolicy P>
  using WithProbes = BasicPartitionedFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicPartitionedFilter<Probes, M>;

  /// m and k for a spec.
  /// @throws ConfigError if the spec leaves one open, contradicts itself or is out of range, or if
  /// k > m: a slice would be empty.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    static_cast<void>(resolve_params(kName, kParams, spec.params));
    return with_no_empty_slice(bloom_geometry(spec, 1));
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return BitArray<Memory>::num_words_for(geometry.num_cells);
  }

  /// @throws ConfigError as geometry does; if borrowed memory does not fit.
  explicit BasicPartitionedFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicPartitionedFilter(geometry(spec), memory) {}

  explicit BasicPartitionedFilter(const Geometry& geometry, const Memory& memory = {})
      : bits_(with_no_empty_slice(geometry).num_cells, memory),
        slices_(geometry),
        num_hashes_(geometry.num_hashes),
        max_fill_(geometry.max_fill) {}

  /// Sets one bit in every slice. True, "some bit changed", proves that the key was not in the
  /// filter before.
  bool insert(const Digest& digest) noexcept { return set_bits(digest) > 0; }

  /// insert that returns how many bits changed, for a filter that watches its fill.
  unsigned set_bits(const Digest& digest) noexcept {
    unsigned num_changed = 0;
    Probes probes(digest, bits_.size());
    Slices slices = slices_;
    for (unsigned i = 0; i < num_hashes_; ++i) {
      num_changed += static_cast<unsigned>(bits_.set(slices.next().index(probes.next_word())));
    }
    return num_changed;
  }

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    Probes probes(digest, bits_.size());
    Slices slices = slices_;
    for (unsigned i = 0; i < num_hashes_; ++i) {
      if (!bits_.test(slices.next().index(probes.next_word()))) return false;
    }
    return true;
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept { return bits_.pays_to_prefetch(); }

  /// Asks for the line that a query starts with, that of the first slice (insert_mask asks for its
  /// own).
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kUpdate) return;
    bits_.prefetch_to_read(slices_.at(0).index(Probes(digest, bits_.size()).next_word()));
  }

  /// Asks for all lines of a key that is about to be inserted.
  void prefetch_insert(const Digest& digest) const noexcept {
    Probes probes(digest, bits_.size());
    Slices slices = slices_;
    for (unsigned i = 0; i < num_hashes_; ++i) {
      bits_.prefetch_to_write(slices.next().index(probes.next_word()));
    }
  }

  /// insert of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if (!bits_.pays_to_prefetch()) {
      return mask_of_each(chunk, [this](const Digest& digest) { return insert(digest); });
    }
    const ChunkCells cells(
        chunk, num_hashes_, [this](const Digest& digest) { return Probes(digest, bits_.size()); },
        [this](Probes& probes, unsigned i) { return slices_.at(i).index(probes.next_word()); },
        [this](std::uint64_t cell) { bits_.prefetch_to_write(cell); });
    return mask_of_each_key(chunk.size(), [&](std::size_t key) {
      bool changed = false;
      for (const std::uint64_t cell : cells.of(key)) changed |= bits_.set(cell);
      return changed;
    });
  }

  /// Bit i is contains of the chunk's key i.
  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    std::uint64_t mask = 0;
    contains_masks(chunk, &mask);
    return mask;
  }

  /// The same of up to kQueryKeys keys: bit i of masks[i / 64]. With derive, of the digests that it
  /// makes of theirs.
  template <class Derive = std::identity>
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks,
                      Derive derive = {}) const noexcept {
    SurvivorRounds rounds(
        Question<Derive>{KeptProbes<Probes>(bits_.size()), slices_, bits_, derive});
    rounds.ask(chunk, num_hashes_, bits_.pays_to_prefetch(), masks);
  }

  /// OR: this becomes the filter of the keys of both, bit for bit.
  /// @throws ConfigError if m or k differs; nothing is changed then.
  template <class M>
  void merge(const BasicPartitionedFilter<Probes, M>& other) {
    require_compatible(other);
    bits_.merge(other.bits());
  }

  /// The filter of the same keys with m / divisor bits, bit for bit as if built so: every slice is
  /// folded onto one of its own, so divisor must divide the length that all slices have. Slices of
  /// two lengths, w and w + 1, share no divisor. Owns its memory.
  /// @throws ConfigError unless k divides m and divisor divides m/k; divisor 1 is a copy.
  [[nodiscard]] auto fold(std::uint64_t divisor) const {
    const std::uint64_t num_longer = num_bits() % num_hashes_;
    if (num_longer != 0 && divisor != 1) {
      throw ConfigError("fold divisor must be 1 where slices differ in length (num_bits " +
                        std::to_string(num_bits()) + ", num_hashes " + std::to_string(num_hashes_) +
                        "), got " + std::to_string(divisor));
    }
    if (num_longer == 0) require_divisor(divisor, "slice bits", num_bits() / num_hashes_);
    return WithMemory<OwnedMemory>(folded<FoldRule::kFastrange>(bits_, divisor), num_hashes_,
                                   max_fill_);
  }

  /// How many of the key's k probes fall on set bits, repeats counted each time.
  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    Probes probes(digest, bits_.size());
    Slices slices = slices_;
    for (unsigned i = 0; i < num_hashes_; ++i) {
      num_set += static_cast<unsigned>(bits_.test(slices.next().index(probes.next_word())));
    }
    return num_set;
  }

  void clear() noexcept { bits_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] const BitArray<Memory>& bits() const noexcept { return bits_; }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits(), .conditional_false_positive_rate = 1};
    Slices slices = slices_;
    for (unsigned i = 0; i < num_hashes_; ++i) {
      const Slice slice = slices.next();
      const std::uint64_t ones = bits_.count(slice.first, slice.first + slice.num_bits);
      state.num_ones += ones;
      state.conditional_false_positive_rate *=
          static_cast<double>(ones) / static_cast<double>(slice.num_bits);
    }
    state.exceeds_max_fill =
        exceeds_fill(max_fill_, state.conditional_false_positive_rate, num_hashes_);
    return state;
  }

  /// Distinct keys, from the set bits of all slices together (theory 2); +infinity if all are set.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones(kModel, bits_.count(), bits_.size(), num_hashes_);
  }

  /// Keys here, in the other filter, and in either.
  /// @throws ConfigError if m or k differs.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(const BasicPartitionedFilter<Probes, M>& other) const {
    require_compatible(other);
    return set_estimates_given_ones(kModel, bits_.count(), other.bits().count(),
                                    bits_.count_either(other.bits()), bits_.size(), num_hashes_);
  }

  friend bool operator==(const BasicPartitionedFilter&, const BasicPartitionedFilter&) = default;

 private:
  template <WordProbePolicy, class>
  friend class BasicPartitionedFilter;

  BasicPartitionedFilter(BitArray<Memory> bits, unsigned num_hashes,
                         std::optional<double> max_fill) noexcept
      : bits_(std::move(bits)),
        slices_(Geometry{bits_.size(), 1, num_hashes}),
        num_hashes_(num_hashes),
        max_fill_(max_fill) {}

  template <class M>
  void require_compatible(const BasicPartitionedFilter<Probes, M>& other) const {
    require_equal("num_bits", num_bits(), other.num_bits());
    require_equal("num_hashes", num_hashes_, other.num_hashes());
  }

  struct Slice {
    std::uint64_t first;
    std::uint64_t num_bits;

    [[nodiscard]] std::uint64_t index(std::uint64_t word) const noexcept {
      return first + fastrange(word, num_bits);
    }
  };

  /// Gives the slices one after the other. A filter keeps one at the start and copies it, so that
  /// no operation divides.
  class Slices {
   public:
    explicit Slices(const Geometry& geometry) noexcept
        : num_bits_(geometry.num_cells / geometry.num_hashes),
          num_longer_(geometry.num_cells % geometry.num_hashes) {}

    /// Slice i of a copy that has not been moved on.
    [[nodiscard]] Slice at(unsigned i) const noexcept {
      assert(first_ == 0);
      return {i * num_bits_ + std::min<std::uint64_t>(i, num_longer_),
              num_bits_ + static_cast<std::uint64_t>(i < num_longer_)};
    }

    Slice next() noexcept {
      const std::uint64_t is_longer = num_longer_ > 0 ? 1 : 0;
      const Slice slice{first_, num_bits_ + is_longer};
      first_ += slice.num_bits;
      num_longer_ -= is_longer;
      return slice;
    }

    friend bool operator==(const Slices&, const Slices&) = default;

   private:
    std::uint64_t first_ = 0;
    std::uint64_t num_bits_;
    std::uint64_t num_longer_;
  };

  /// Whether the bit of a probe is set; probe i is put to slice i.
  template <class Derive>
  struct Question {
    using State = typename KeptProbes<Probes>::State;

    [[nodiscard]] State start(const Digest& digest) const noexcept {
      return kept.start(derive(digest));
    }

    [[nodiscard]] std::uint64_t cell(State& state, unsigned round) const noexcept {
      return slices.at(round).index(kept.next_word(state));
    }

    [[nodiscard]] bool passes(const State& /*state*/, std::uint64_t cell) const noexcept {
      return bits.test(cell);
    }

    void prefetch(std::uint64_t cell) const noexcept { bits.prefetch_to_read(cell); }

    KeptProbes<Probes> kept;
    Slices slices;
    const BitArray<Memory>& bits;
    Derive derive;
  };

  static Geometry with_no_empty_slice(const Geometry& geometry) {
    if (geometry.num_hashes < 1 || geometry.num_hashes > geometry.num_cells) {
      throw ConfigError("num_hashes must be in [1, " + std::to_string(geometry.num_cells) +
                        "], a bit or more for every slice, got " +
                        std::to_string(geometry.num_hashes));
    }
    return geometry;
  }

  BitArray<Memory> bits_;
  Slices slices_;
  unsigned num_hashes_;
  std::optional<double> max_fill_;
};

using PartitionedFilter = BasicPartitionedFilter<>;

static_assert(Filter<PartitionedFilter> && BorrowingFilter<PartitionedFilter>);
static_assert(MergeableFilter<PartitionedFilter> && SetEstimatingFilter<PartitionedFilter> &&
              FoldableFilter<PartitionedFilter>);
static_assert(ProbeCountingFilter<PartitionedFilter> && LongQueryFilter<PartitionedFilter>);

}  // namespace bloometry
