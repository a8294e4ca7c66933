#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/engine/chunk_cells.hpp"
#include "core/engine/chunk_mask.hpp"
#include "core/engine/survivor_rounds.hpp"
#include "core/error.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/kept_probes.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/rates/sizing.hpp"
#include "core/store/bit_array.hpp"
#include "core/store/fold.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Standard Bloom filter: m bits, k probes anywhere in them. The yardstick: least memory of the
/// classic designs, no erase.
///
/// Source: Bloom (1970), "Space/time trade-offs in hash coding with allowable errors". His probes
/// are distinct (scheme "distinct", model D); with all other schemes probes may repeat, as in
/// almost every library (model W). Layout: bit i is bit i mod 64 of word i / 64. Rate given X set
/// bits: (X/m)^k in W, C(X,k) / C(m,k) in D. Cost: insert and contains O(num_hashes), no
/// allocation. Any number of threads may query at once, one may insert while none queries;
/// AtomicStandardFilter lifts that.
template <ProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
class BasicStandardFilter {
 public:
  static constexpr std::string_view kName = "standard";
  static constexpr ProbeModel kModel = Probes::kModel;
  static constexpr VariantDescription kDescription = {
      .summary = "m bits, k probes anywhere; the least memory of the classic designs, no erase",
      .paper = "Bloom 1970",
      .rate_given_state = "(X/m)^k, X set bits; C(X,k)/C(m,k) for distinct probes"};
  static constexpr std::span<const ParamInfo> kParams = {};
  static constexpr std::size_t kChunkKeys = ChunkCells::kMaxKeys;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using SupportedProbes = AllProbes;
  template <ProbePolicy P>
  using WithProbes = BasicStandardFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicStandardFilter<Probes, M>;

  /// m and k for a spec.
  /// @throws ConfigError if the spec leaves one open, contradicts itself or is out of range.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    static_cast<void>(resolve_params(kName, kParams, spec.params));
    return bloom_geometry(spec, 1);
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return BitArray<Memory>::num_words_for(geometry.num_cells);
  }

  /// @throws ConfigError as geometry does; if probes are distinct and k > m; if borrowed memory
  /// does not fit.
  explicit BasicStandardFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicStandardFilter(geometry(spec), memory) {}

  explicit BasicStandardFilter(const Geometry& geometry, const Memory& memory = {})
      : bits_(geometry.num_cells, memory),
        num_hashes_(geometry.num_hashes),
        max_fill_(geometry.max_fill) {
    require_distinct_fit(kModel, geometry);
  }

  /// Sets the key's k bits. True, "some bit changed", proves that the key was not in the filter
  /// before.
  bool insert(const Digest& digest) noexcept {
    bool changed = false;
    Probes probes(digest, bits_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) changed |= bits_.set(probes.next());
    return changed;
  }

  /// True may be wrong, false never is.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    Probes probes(digest, bits_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      if (!bits_.test(probes.next())) return false;
    }
    return true;
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept { return bits_.pays_to_prefetch(); }

  /// Asks for the line that a query starts with, half of which go no further (insert_mask asks for
  /// its own).
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kQuery) bits_.prefetch_to_read(Probes(digest, bits_.size()).next());
  }

  /// insert of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    if (!bits_.pays_to_prefetch()) {
      return mask_of_each(chunk, [this](const Digest& digest) { return insert(digest); });
    }
    const ChunkCells cells(
        chunk, num_hashes_, [this](const Digest& digest) { return Probes(digest, bits_.size()); },
        [](Probes& probes, unsigned /*i*/) { return probes.next(); },
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

  /// The same of up to kQueryKeys keys: bit i of masks[i / 64].
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    SurvivorRounds rounds(Question{KeptProbes<Probes>(bits_.size()), bits_});
    rounds.ask(chunk, num_hashes_, bits_.pays_to_prefetch(), masks);
  }

  /// OR: this becomes the filter of the keys of both, bit for bit.
  /// @throws ConfigError if m or k differs; nothing is changed then.
  template <class M>
  void merge(const BasicStandardFilter<Probes, M>& other) {
    require_compatible(other);
    bits_.merge(other.bits());
  }

  /// AND: contains every key of both filters, but has more bits than a filter built from these keys
  /// alone: its rate is about (f_A + f_B - f_U)^k, at most either one's own (theory 2), and
  /// estimate_count no longer estimates a number of keys.
  /// @throws ConfigError if m or k differs; nothing is changed then.
  template <class M>
  void intersect(const BasicStandardFilter<Probes, M>& other) {
    require_compatible(other);
    bits_.intersect(other.bits());
  }

  /// The filter of the same keys with m / divisor bits, bit for bit as if built so: its rate is
  /// that of the smaller size. Owns its memory. Only with schemes that have a fold rule.
  /// @throws ConfigError unless divisor divides m.
  [[nodiscard]] auto fold(std::uint64_t divisor) const
      requires(kFoldRule<Probes> != FoldRule::kNone) {
    require_divisor(divisor, "num_bits", num_bits());
    return WithMemory<OwnedMemory>(folded<kFoldRule<Probes>>(bits_, divisor), num_hashes_,
                                   max_fill_);
  }

  /// How many of the key's k probes fall on set bits, repeats counted each time.
  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    Probes probes(digest, bits_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      num_set += static_cast<unsigned>(bits_.test(probes.next()));
    }
    return num_set;
  }

  void clear() noexcept { bits_.clear(); }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return bits_.size(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] const BitArray<Memory>& bits() const noexcept { return bits_; }

  [[nodiscard]] FilterState state() const noexcept {
    const std::uint64_t ones = bits_.count();
    const double rate = rate_given_ones(kModel, ones, bits_.size(), num_hashes_);
    return {.num_bits = num_bits(),
            .num_ones = ones,
            .conditional_false_positive_rate = rate,
            .exceeds_max_fill = exceeds_fill(max_fill_, rate, num_hashes_)};
  }

  /// Distinct keys, from the set bits (theory 2); +infinity if all are set.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones(kModel, bits_.count(), bits_.size(), num_hashes_);
  }

  /// Keys here, in the other filter, and in either.
  /// @throws ConfigError if m or k differs.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(const BasicStandardFilter<Probes, M>& other) const {
    require_compatible(other);
    return set_estimates_given_ones(kModel, bits_.count(), other.bits().count(),
                                    bits_.count_either(other.bits()), bits_.size(), num_hashes_);
  }

  friend bool operator==(const BasicStandardFilter&, const BasicStandardFilter&) = default;

 private:
  /// Whether the bit of a probe is set.
  struct Question {
    using State = typename KeptProbes<Probes>::State;

    [[nodiscard]] State start(const Digest& digest) const noexcept { return kept.start(digest); }

    [[nodiscard]] std::uint64_t cell(State& state, unsigned /*round*/) const noexcept {
      return kept.next(state);
    }

    [[nodiscard]] bool passes(const State& /*state*/, std::uint64_t cell) const noexcept {
      return bits.test(cell);
    }

    void prefetch(std::uint64_t cell) const noexcept { bits.prefetch_to_read(cell); }

    KeptProbes<Probes> kept;
    const BitArray<Memory>& bits;
  };

  template <ProbePolicy, class>
  friend class BasicStandardFilter;

  BasicStandardFilter(BitArray<Memory> bits, unsigned num_hashes,
                      std::optional<double> max_fill) noexcept
      : bits_(std::move(bits)), num_hashes_(num_hashes), max_fill_(max_fill) {}

  template <class M>
  void require_compatible(const BasicStandardFilter<Probes, M>& other) const {
    require_equal("num_bits", num_bits(), other.num_bits());
    require_equal("num_hashes", num_hashes_, other.num_hashes());
  }

  BitArray<Memory> bits_;
  unsigned num_hashes_;
  std::optional<double> max_fill_;
};

using StandardFilter = BasicStandardFilter<>;

/// A standard filter that any number of threads fill and ask at once (README, "Threads"): insert,
/// contains, num_set_probes, state and estimate_count may be called together, all else alone.
///
/// The bits are those of a serial build. insert still proves with true that no insert of the key
/// was over when this one began; of several threads that insert a new key together at least one is
/// told true, perhaps several. contains is true for a key whose insert happened before: what makes
/// it so between threads (a join, a latch, a flag stored with release and loaded with acquire) is
/// the caller's. Without that it may be false for a while, and never again after it was true.
using AtomicStandardFilter = BasicStandardFilter<RemixProbes, Atomic<OwnedMemory>>;

static_assert(Filter<StandardFilter> && BorrowingFilter<StandardFilter>);
static_assert(MergeableFilter<StandardFilter> && IntersectableFilter<StandardFilter> &&
              SetEstimatingFilter<StandardFilter> && FoldableFilter<StandardFilter>);
static_assert(ProbeCountingFilter<StandardFilter> && LongQueryFilter<StandardFilter>);
static_assert(Filter<AtomicStandardFilter> && CountEstimatingFilter<AtomicStandardFilter>);

}  // namespace bloometry
