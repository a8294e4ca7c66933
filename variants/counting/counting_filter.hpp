#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/engine/chunk_mask.hpp"
#include "core/engine/key_cells.hpp"
#include "core/engine/survivor_rounds.hpp"
#include "core/error.hpp"
#include "core/filter/compatible.hpp"
#include "core/filter/filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/kept_probes.hpp"
#include "core/probe/limits.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/rates/sizing.hpp"
#include "core/store/counter_array.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Counting Bloom filter: a small counter in place of every bit, so that keys can be erased, at
/// counter_bits times the memory.
///
/// Source: Fan, Cao, Almeida, Broder (2000), "Summary cache", section on counting Bloom filters:
/// 4-bit counters. Semantics: theory 3.1. Layout: m counters packed without gaps. A key adds one to
/// each distinct position of its probes, so a doubled probe counts once. A counter at its maximum
/// means "that many or more": it is sticky and never goes down (saturation sticky), or goes down
/// and may lose keys (saturation clamped, for study). Rate given the state: as the standard
/// filter's, with X = non-zero counters. Cost: insert, erase and contains O(num_hashes) counter
/// accesses, insert and erase O(num_hashes^2 / 8) comparisons beside to find doubled probes; no
/// allocation. Not safe for concurrent insert or erase.
template <ProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
class BasicCountingFilter {
 public:
  static constexpr std::string_view kName = "counting";
  static constexpr ProbeModel kModel = Probes::kModel;
  static constexpr VariantDescription kDescription = {
      .summary = "a small counter in place of every bit: keys can be erased",
      .paper = "Fan, Cao, Almeida, Broder 2000",
      .rate_given_state = "(X/m)^k, X non-zero counters of m; C(X,k)/C(m,k) for distinct probes",
      .sized_by_counters = true};
  static constexpr std::array<ParamInfo, 2> kParams = {
      ParamInfo{.name = "counter_bits",
                .kind = ParamKind::kInteger,
                .meaning = "bits of a counter; 4 saturate in 1.6e-15 of counters at half fill",
                .min = 1,
                .max = 16,
                .default_number = 4},
      ParamInfo{.name = "saturation",
                .kind = ParamKind::kText,
                .meaning =
                    "sticky: a counter at its maximum never goes down; clamped: it does, and "
                    "may lose keys (for study)",
                .choices = "sticky|clamped",
                .default_text = "sticky"}};
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using SupportedProbes = AllProbes;
  template <ProbePolicy P>
  using WithProbes = BasicCountingFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicCountingFilter<Probes, M>;

  enum class Saturation { kSticky, kClamped };

  /// m, counter_bits and k for a spec.
  /// @throws ConfigError if the spec leaves one open, contradicts itself or is out of range.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    const Params params = resolve_params(kName, kParams, spec.params);
    return bloom_geometry(spec, static_cast<unsigned>(number_param(params, "counter_bits")));
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return CounterArray<Memory>::num_words_for(geometry.num_cells, geometry.cell_bits);
  }

  /// @throws ConfigError as geometry does; if probes are distinct and k > m; if borrowed memory
  /// does not fit.
  explicit BasicCountingFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicCountingFilter(geometry(spec), saturation_of(spec), memory) {}

  explicit BasicCountingFilter(const Geometry& geometry,
                               Saturation saturation = Saturation::kSticky,
                               const Memory& memory = {})
      : counters_(geometry.num_cells, geometry.cell_bits, memory),
        num_hashes_(geometry.num_hashes),
        saturation_(saturation),
        max_fill_(geometry.max_fill) {
    require_distinct_fit(kModel, geometry);
  }

  /// Adds one to each distinct position of the key, up to the maximum. True, "some counter was 0",
  /// proves that the key was not in the filter before. A key inserted twice needs two erases.
  bool insert(const Digest& digest) noexcept {
    const KeyCells cells = cells_of(digest);
    return with_width([&](auto width) { return add_one<width()>(cells.distinct()); });
  }

  /// True may be wrong, false never is, as long as only keys that are in the filter were erased and
  /// saturation is sticky.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    Probes probes(digest, counters_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      if (counters_.get(probes.next()) == 0) return false;
    }
    return true;
  }

  /// How many of the key's k probes fall on counters that are not 0, repeats counted each time.
  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    Probes probes(digest, counters_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      num_set += static_cast<unsigned>(counters_.get(probes.next()) > 0);
    }
    return num_set;
  }

  /// Takes one off each distinct position of the key; returns whether it did. Refused, changing
  /// nothing, when some counter is 0: the key is not in the filter. Only for keys that were
  /// inserted: erasing another key that tests positive loses k L / (e^L - 1) members on average at
  /// load L (theory 3.3), and the filter cannot know.
  bool erase(const Digest& digest) noexcept {
    const KeyCells cells = cells_of(digest);
    return with_width([&](auto width) { return take_one<width()>(cells.distinct()); });
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept { return counters_.pays_to_prefetch(); }

  /// Asks for the line that a query starts with (updates ask for their own).
  void prefetch(const Digest& digest, Access access) const noexcept {
    if (access == Access::kUpdate) return;
    counters_.prefetch_to_read(Probes(digest, counters_.size()).next());
  }

  /// insert of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    return with_width([&](auto width) {
      return update_mask(chunk,
                         [this](auto cells) { return add_one<decltype(width)::value>(cells); });
    });
  }

  /// erase of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept {
    return with_width([&](auto width) {
      return update_mask(chunk,
                         [this](auto cells) { return take_one<decltype(width)::value>(cells); });
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
    with_width([&](auto width) {
      SurvivorRounds rounds(Question<width()>{KeptProbes<Probes>(counters_.size()), counters_});
      rounds.ask(chunk, num_hashes_, counters_.pays_to_prefetch(), masks);
    });
  }

  /// Adds the counters, each stopping at the maximum: this becomes the filter of both multisets one
  /// after the other. A key that both hold is there as often as in both together and needs that
  /// many erases; merging a filter with itself doubles every key. Bit for bit the filter of all
  /// inserts, as long as no counter that had saturated was to be decremented; sticky counters stay
  /// sticky, so no member is lost either way. Refused erases and skipped decrements of both are
  /// added too.
  /// @throws ConfigError if m, counter_bits, k or saturation differs; nothing is changed then.
  template <class M>
  void merge(const BasicCountingFilter<Probes, M>& other) {
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

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] const CounterArray<Memory>& counters() const noexcept { return counters_; }

  [[nodiscard]] FilterState state() const noexcept {
    const std::uint64_t nonzero = counters_.count_nonzero();
    const unsigned max = counters_.max_value();
    const double rate = rate_given_ones(kModel, nonzero, counters_.size(), num_hashes_);
    return {.num_bits = num_bits(),
            .num_counters = counters_.size(),
            .num_ones = nonzero,
            .num_saturated = counters_.count_if([max](unsigned value) { return value == max; }),
            .num_refused_erases = num_refused_erases_,
            .num_skipped_decrements = num_skipped_decrements_,
            .conditional_false_positive_rate = rate,
            .exceeds_max_fill = exceeds_fill(max_fill_, rate, num_hashes_)};
  }

  /// Distinct keys, whatever their multiplicities, from the non-zero counters (theory 2); +infinity
  /// if all are.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones(kModel, counters_.count_nonzero(), counters_.size(), num_hashes_);
  }

  /// Distinct keys here, in the other filter, and in either.
  /// @throws ConfigError as merge.
  template <class M>
  [[nodiscard]] SetEstimates estimate_sets(const BasicCountingFilter<Probes, M>& other) const {
    require_compatible(other);
    return set_estimates_given_ones(
        kModel, counters_.count_nonzero(), other.counters_.count_nonzero(),
        counters_.count_nonzero_either(other.counters_), counters_.size(), num_hashes_);
  }

  /// Equal counters, k, saturation and max_fill: what happened on the way there does not matter.
  friend bool operator==(const BasicCountingFilter& a, const BasicCountingFilter& b) noexcept {
    return a.counters_ == b.counters_ && a.num_hashes_ == b.num_hashes_ &&
           a.saturation_ == b.saturation_ && a.max_fill_ == b.max_fill_;
  }

 private:
  /// Whether the counter of a probe is above 0.
  template <unsigned kCounterBits>
  struct Question {
    using State = typename KeptProbes<Probes>::State;

    [[nodiscard]] State start(const Digest& digest) const noexcept { return kept.start(digest); }

    [[nodiscard]] std::uint64_t cell(State& state, unsigned /*round*/) const noexcept {
      return kept.next(state);
    }

    [[nodiscard]] bool passes(const State& /*state*/, std::uint64_t cell) const noexcept {
      return counters.template get<kCounterBits>(cell) != 0;
    }

    void prefetch(std::uint64_t cell) const noexcept { counters.prefetch_to_read(cell); }

    KeptProbes<Probes> kept;
    const CounterArray<Memory>& counters;
  };

  /// 8 keys of 7 probes ask for 56 lines, more than a core waits for at a time.
  static constexpr std::size_t kKeysAhead = 8;

  using Cells = std::span<const std::uint64_t>;

  template <ProbePolicy, class>
  friend class BasicCountingFilter;

  static std::string_view name_of(Saturation saturation) noexcept {
    return saturation == Saturation::kSticky ? "sticky" : "clamped";
  }

  template <class M>
  void require_compatible(const BasicCountingFilter<Probes, M>& other) const {
    require_equal("num_counters", counters_.size(), other.counters_.size());
    require_equal("counter_bits", counters_.counter_bits(), other.counters_.counter_bits());
    require_equal("num_hashes", num_hashes_, other.num_hashes_);
    // The enums of filters over owned and borrowed memory are two types with the same values.
    require_equal("saturation", name_of(saturation_),
                  name_of(static_cast<Saturation>(other.saturation_)));
  }

  static Saturation saturation_of(const FilterSpec& spec) {
    const Params params = resolve_params(kName, kParams, spec.params);
    return text_param(params, "saturation") == "sticky" ? Saturation::kSticky
                                                        : Saturation::kClamped;
  }

  /// Calls with the width of the counters: the usual one as a constant.
  template <class Call>
  decltype(auto) with_width(Call call) const noexcept {
    constexpr unsigned kUsual = 4;
    if (counters_.counter_bits() == kUsual) return call(std::integral_constant<unsigned, kUsual>{});
    return call(std::integral_constant<unsigned, CounterArray<Memory>::kAnyWidth>{});
  }

  void make_cells(const Digest& digest, KeyCells& cells) const noexcept {
    const KeptProbes<Probes> kept(counters_.size());
    auto state = kept.start(digest);
    cells.fill(num_hashes_, [&] { return kept.next(state); });
  }

  [[nodiscard]] KeyCells cells_of(const Digest& digest) const noexcept {
    KeyCells cells;
    make_cells(digest, cells);
    return cells;
  }

  /// Adds one to each of the cells, which are distinct; whether one was 0.
  template <unsigned kCounterBits>
  bool add_one(Cells cells) noexcept {
    unsigned below = 0;  // its sign is set if one was 0
    for (const std::uint64_t cell : cells) {
      below |= counters_.template increment<kCounterBits>(cell) - 1;
    }
    return below >> 31U != 0;
  }

  /// Takes one off each of the cells, which are distinct; refuses if one is 0.
  template <unsigned kCounterBits>
  bool take_one(Cells cells) noexcept {
    // All counters are read before any is changed: a refusal must leave the filter as it was.
    unsigned below = 0;
    for (const std::uint64_t cell : cells) {
      below |= counters_.template get<kCounterBits>(cell) - 1;
    }
    if (below >> 31U != 0) return refuse();
    const unsigned max = counters_.template max_value<kCounterBits>();
    const unsigned stuck = saturation_ == Saturation::kSticky ? max : max + 1;
    unsigned num_stuck = 0;
    for (const std::uint64_t cell : cells) {
      num_stuck += counters_.template decrement_unless<kCounterBits>(stuck, cell) == stuck ? 1 : 0;
    }
    num_skipped_decrements_ += num_stuck;
    return true;
  }

  /// Updates the keys of a chunk in their order. In a large filter the cells of a key are made and
  /// asked for kKeysAhead keys before it is its turn.
  template <class Update>
  std::uint64_t update_mask(std::span<const Digest> chunk, Update update) noexcept {
    if (!counters_.pays_to_prefetch()) {
      return mask_of_each(chunk,
                          [&](const Digest& key) { return update(cells_of(key).distinct()); });
    }
    std::array<KeyCells, kKeysAhead> ahead;  // key i at i mod kKeysAhead
    const auto make = [&](std::size_t key) {
      KeyCells& cells = ahead[key % kKeysAhead];
      make_cells(chunk[key], cells);
      for (const std::uint64_t cell : cells.distinct()) counters_.prefetch_to_write(cell);
    };
    for (std::size_t key = 0; key < std::min(kKeysAhead, chunk.size()); ++key) make(key);
    return mask_of_each_key(chunk.size(), [&](std::size_t key) {
      const bool answer = update(ahead[key % kKeysAhead].distinct());
      if (key + kKeysAhead < chunk.size()) make(key + kKeysAhead);
      return answer;
    });
  }

  bool refuse() noexcept {
    ++num_refused_erases_;
    return false;
  }

  CounterArray<Memory> counters_;
  unsigned num_hashes_;
  Saturation saturation_;
  std::uint64_t num_refused_erases_ = 0;
  std::uint64_t num_skipped_decrements_ = 0;
  std::optional<double> max_fill_;
};

using CountingFilter = BasicCountingFilter<>;

static_assert(ErasableFilter<CountingFilter> && BorrowingFilter<CountingFilter>);
static_assert(MergeableFilter<CountingFilter> && SetEstimatingFilter<CountingFilter>);
static_assert(ProbeCountingFilter<CountingFilter> && LongQueryFilter<CountingFilter> &&
              BatchErasableFilter<CountingFilter>);

}  // namespace bloometry
