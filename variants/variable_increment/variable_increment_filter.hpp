#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/engine/chunk_mask.hpp"
#include "core/engine/survivor_rounds.hpp"
#include "core/error.hpp"
#include "core/filter/filter.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/increment_words.hpp"
#include "core/probe/kept_probes.hpp"
#include "core/probe/limits.hpp"
#include "core/rates/cardinality.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/store/counter_array.hpp"
#include "variants/variable_increment/variable_increment_sizing.hpp"
#include "core/filter/variant_description.hpp"

namespace bloometry {

/// Variable-increment counting Bloom filter (VI-CBF): a probe adds an increment of its own from
/// D_L = {L, ..., 2L-1}, and a query asks whether its increment can be part of the counter's sum.
/// Fewer false positives than a counting filter of equal memory: about 3 times fewer at 30 bits a
/// key, 7 times at 50.
///
/// Source: Rottenstreich, Kanizo, Keslassy (2012), "The variable-increment counting Bloom filter",
/// D_L sequences; semantics: theory 5.1. Layout: m counters of counter_bits, packed. Increments
/// come from words of their own (core/probe/increment_words.hpp). A counter at its cap
/// 2^counter_bits - 1 means "that much or more": it passes every query and never goes down. Rate
/// given the state: (passing pairs / (m L))^k over all (position, increment) pairs. Cost: insert
/// and contains O(num_hashes), erase O(num_hashes^2); no allocation. Not safe for concurrent insert
/// or erase.
template <ProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
class BasicVariableIncrementFilter {
  static_assert(Probes::kModel == ProbeModel::kWithReplacement,
                "the rates of this filter are known for model W only");

 public:
  static constexpr std::string_view kName = "variable_increment";
  static constexpr ProbeModel kModel = Probes::kModel;
  static constexpr VariantDescription kDescription = {
      .summary =
          "counters that take increments of several sizes: erase, at a third to a seventh of "
          "a counting filter's rate",
      .paper = "Rottenstreich, Kanizo, Keslassy 2012",
      .rate_given_state = "(passing pairs/(m L))^k over (position, increment) pairs",
      .sized_by_counters = true};
  static constexpr std::array<ParamInfo, 3> kParams = {
      ParamInfo{.name = "form",
                .kind = ParamKind::kText,
                .meaning = "set of increments; dl: {L, ..., 2L-1}",
                .choices = "dl",
                .default_text = "dl"},
      ParamInfo{.name = "increment_base",
                .kind = ParamKind::kInteger,
                .meaning = "L, a power of two with 3 L - 1 <= 2^counter_bits - 1",
                .min = 1,
                .max = 16384,
                .default_number = 8},
      ParamInfo{.name = "counter_bits",
                .kind = ParamKind::kInteger,
                .meaning = "bits of a counter",
                .min = 1,
                .max = 16,
                .default_number = 8}};
  static constexpr std::size_t kChunkKeys = 32;
  static constexpr std::size_t kQueryKeys = kMaxQueryKeys;
  using SupportedProbes = WithReplacementProbes;
  template <ProbePolicy P>
  using WithProbes = BasicVariableIncrementFilter<P, Memory>;
  template <class M>
  using WithMemory = BasicVariableIncrementFilter<Probes, M>;

  /// m, counter_bits and k for a spec.
  /// @throws ConfigError if the spec leaves one open, contradicts itself or is out of range; if L
  /// is no power of two or two increments do not fit below the cap.
  [[nodiscard]] static Geometry geometry(const FilterSpec& spec) {
    const Params params = resolve_params(kName, kParams, spec.params);
    const auto counter_bits = static_cast<unsigned>(number_param(params, "counter_bits"));
    return variable_increment_geometry(spec, counter_bits, increment_base(spec));
  }

  /// L for a spec. @throws ConfigError as geometry does.
  [[nodiscard]] static unsigned increment_base(const FilterSpec& spec) {
    const Params params = resolve_params(kName, kParams, spec.params);
    return checked_increment_base(static_cast<unsigned>(number_param(params, "increment_base")),
                                  static_cast<unsigned>(number_param(params, "counter_bits")));
  }

  [[nodiscard]] static std::uint64_t num_words_for(const Geometry& geometry) noexcept {
    return CounterArray<Memory>::num_words_for(geometry.num_cells, geometry.cell_bits);
  }

  /// @throws ConfigError as geometry does; if borrowed memory does not fit.
  explicit BasicVariableIncrementFilter(const FilterSpec& spec, const Memory& memory = {})
      : BasicVariableIncrementFilter(geometry(spec), increment_base(spec), memory) {}

  BasicVariableIncrementFilter(const Geometry& geometry, unsigned increment_base,
                               const Memory& memory = {})
      : counters_(geometry.num_cells, geometry.cell_bits, memory),
        num_hashes_(geometry.num_hashes),
        increment_base_(checked_increment_base(increment_base, geometry.cell_bits)),
        max_fill_(geometry.max_fill) {}

  /// Adds the key's increments, stopping at the cap; a position probed twice gets both. True proves
  /// that the key was not in the filter before. A key inserted twice needs two erases.
  bool insert(const Digest& digest) noexcept {
    const Additions additions = additions_of(digest);
    bool was_present = true;  // before the first counter changes
    for (unsigned i = 0; i < num_hashes_; ++i) {
      was_present &= passes(counters_.get(additions.positions[i]), additions.increments[i]);
    }
    for (unsigned i = 0; i < num_hashes_; ++i) {
      counters_.add_saturating(additions.positions[i], additions.increments[i]);
    }
    return !was_present;
  }

  /// True may be wrong, false never is, as long as only keys that are in the filter were erased.
  [[nodiscard]] bool contains(const Digest& digest) const noexcept {
    Probes probes(digest, counters_.size());
    IncrementWords words(digest);
    for (unsigned i = 0; i < num_hashes_; ++i) {
      if (!passes(counters_.get(probes.next()), next_increment(words))) return false;
    }
    return true;
  }

  /// How many of the key's k probes fall on counters that are not 0 (whether they pass or not),
  /// repeats counted each time.
  [[nodiscard]] unsigned num_set_probes(const Digest& digest) const noexcept {
    unsigned num_set = 0;
    Probes probes(digest, counters_.size());
    for (unsigned i = 0; i < num_hashes_; ++i) {
      num_set += static_cast<unsigned>(counters_.get(probes.next()) > 0);
    }
    return num_set;
  }

  /// Takes the key's increments off; returns whether it did. Refused, changing nothing, when a
  /// counter below the cap would end at a value that no sum of increments has: negative or in
  /// 1..L-1. Counters at the cap stay. Only for keys that were inserted: erasing another key that
  /// tests positive damages members, and the filter cannot know.
  bool erase(const Digest& digest) noexcept {
    const Additions additions = additions_of(digest);
    // All subtractions are tried before any is made: a refusal must leave the filter as it was. The
    // rule for one increment serves for the sum of those that fall on one counter.
    for (unsigned i = 0; i < num_hashes_; ++i) {
      const unsigned total = additions.total_at(i, num_hashes_);
      if (!passes(counters_.get(additions.positions[i]), total)) {
        ++num_refused_erases_;
        return false;
      }
    }
    for (unsigned i = 0; i < num_hashes_; ++i) {
      subtract(additions.positions[i], additions.increments[i]);
    }
    return true;
  }

  /// Whether the filter is larger than the caches.
  [[nodiscard]] bool pays_to_prefetch() const noexcept { return counters_.pays_to_prefetch(); }

  /// Asks for the lines of an update, or that of the first probe of a query.
  void prefetch(const Digest& digest, Access access) const noexcept {
    Probes probes(digest, counters_.size());
    if (access == Access::kQuery) return counters_.prefetch_to_read(probes.next());
    for (unsigned i = 0; i < num_hashes_; ++i) counters_.prefetch_to_write(probes.next());
  }

  /// insert of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t insert_mask(std::span<const Digest> chunk) noexcept {
    return mask_of_each(chunk, [this](const Digest& digest) { return insert(digest); });
  }

  /// erase of the chunk's keys in their order; bit i is what it says of key i.
  std::uint64_t erase_mask(std::span<const Digest> chunk) noexcept {
    return mask_of_each(chunk, [this](const Digest& digest) { return erase(digest); });
  }

  /// Bit i is contains of the chunk's key i.
  [[nodiscard]] std::uint64_t contains_mask(std::span<const Digest> chunk) const noexcept {
    std::uint64_t mask = 0;
    contains_masks(chunk, &mask);
    return mask;
  }

  /// The same of up to kQueryKeys keys: bit i of masks[i / 64].
  void contains_masks(std::span<const Digest> chunk, std::uint64_t* masks) const noexcept {
    SurvivorRounds rounds(Question{KeptProbes<Probes>(counters_.size()), *this});
    rounds.ask(chunk, num_hashes_, counters_.pays_to_prefetch(), masks);
  }

  void clear() noexcept {
    counters_.clear();
    num_refused_erases_ = 0;
    num_skipped_decrements_ = 0;
  }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return counters_.num_bits(); }

  [[nodiscard]] unsigned num_hashes() const noexcept { return num_hashes_; }

  [[nodiscard]] unsigned increment_base() const noexcept { return increment_base_; }

  [[nodiscard]] const CounterArray<Memory>& counters() const noexcept { return counters_; }

  /// The rule of a query: a probe with increment v passes a counter of value c if c is at the cap,
  /// is v alone, or leaves a sum of increments when v is taken off (every value >= L is one).
  [[nodiscard]] bool passes(unsigned value, unsigned increment) const noexcept {
    return value == counters_.max_value() || value == increment ||
           value >= increment + increment_base_;
  }

  /// Number of increments in D_L that pass a counter of this value: 0 none, one increment is known
  /// exactly, two leave value - 2L + 1 candidates, three or more exclude nothing.
  [[nodiscard]] unsigned num_passing_increments(unsigned value) const noexcept {
    const unsigned L = increment_base_;
    if (value < L) return 0;
    if (value == counters_.max_value() || value >= 3 * L - 1) return L;
    return value < 2 * L ? 1 : value - 2 * L + 1;
  }

  [[nodiscard]] FilterState state() const noexcept {
    FilterState state{.num_bits = num_bits(), .num_counters = counters_.size()};
    std::uint64_t num_passing = 0;
    std::uint64_t num_saturated = 0;
    for (std::uint64_t i = 0; i < counters_.size(); ++i) {
      const unsigned value = counters_.get(i);
      state.num_ones += value > 0 ? 1U : 0U;
      num_passing += num_passing_increments(value);
      num_saturated += value == counters_.max_value() ? 1U : 0U;
    }
    state.num_passing_pairs = num_passing;
    state.num_saturated = num_saturated;
    state.num_refused_erases = num_refused_erases_;
    state.num_skipped_decrements = num_skipped_decrements_;
    const double num_pairs = static_cast<double>(counters_.size()) * increment_base_;
    state.conditional_false_positive_rate =
        power(static_cast<double>(num_passing) / num_pairs, num_hashes_);
    state.exceeds_max_fill =
        exceeds_fill(max_fill_, state.conditional_false_positive_rate, num_hashes_);
    return state;
  }

  /// Distinct keys, whatever their multiplicities, from the non-zero counters (theory 2):
  /// increments are at least 1, so a counter is zero iff no probe fell on it. +infinity if none is.
  [[nodiscard]] double estimate_count() const noexcept {
    return count_given_ones(kModel, counters_.count_nonzero(), counters_.size(), num_hashes_);
  }

  /// Equal counters, k, L and max_fill: what happened on the way there does not matter.
  friend bool operator==(const BasicVariableIncrementFilter& a,
                         const BasicVariableIncrementFilter& b) noexcept {
    return a.counters_ == b.counters_ && a.num_hashes_ == b.num_hashes_ &&
           a.increment_base_ == b.increment_base_ && a.max_fill_ == b.max_fill_;
  }

 private:
  /// Whether the increment of a probe can be part of its counter.
  struct Question {
    struct State {
      typename KeptProbes<Probes>::State probes;
      IncrementWords words;
    };

    [[nodiscard]] State start(const Digest& digest) const noexcept {
      return {kept.start(digest), IncrementWords(digest)};
    }

    [[nodiscard]] std::uint64_t cell(State& state, unsigned /*round*/) const noexcept {
      return kept.next(state.probes);
    }

    [[nodiscard]] bool passes(State& state, std::uint64_t cell) const noexcept {
      return filter.passes(filter.counters_.get(cell), filter.next_increment(state.words));
    }

    void prefetch(std::uint64_t cell) const noexcept { filter.counters_.prefetch_to_read(cell); }

    KeptProbes<Probes> kept;
    const BasicVariableIncrementFilter& filter;
  };

  /// What one key adds: increments[i] at positions[i]. Filled up to num_hashes only.
  struct Additions {
    std::array<std::uint64_t, kMaxNumHashes> positions;
    std::array<unsigned, kMaxNumHashes> increments;

    /// All that the key adds at the position of probe i.
    [[nodiscard]] unsigned total_at(unsigned i, unsigned num_hashes) const noexcept {
      unsigned total = 0;
      for (unsigned j = 0; j < num_hashes; ++j) {
        if (positions[j] == positions[i]) total += increments[j];
      }
      return total;
    }
  };

  static unsigned checked_increment_base(unsigned increment_base, unsigned counter_bits) {
    if (!std::has_single_bit(increment_base)) {
      throw ConfigError("increment_base must be a power of two, got " +
                        std::to_string(increment_base));
    }
    const unsigned cap = (1U << counter_bits) - 1;
    if (cap < 3 * increment_base - 1) {
      throw ConfigError("counter_bits must give a cap of at least 3 increment_base - 1 = " +
                        std::to_string(3 * increment_base - 1) + ", got " +
                        std::to_string(counter_bits) + " with cap " + std::to_string(cap));
    }
    return increment_base;
  }

  [[nodiscard]] unsigned next_increment(IncrementWords& words) const noexcept {
    return increment_base_ + static_cast<unsigned>(words.next(increment_base_));
  }

  [[nodiscard]] Additions additions_of(const Digest& digest) const noexcept {
    Additions additions;
    Probes probes(digest, counters_.size());
    IncrementWords words(digest);
    for (unsigned i = 0; i < num_hashes_; ++i) {
      additions.positions[i] = probes.next();
      additions.increments[i] = next_increment(words);
    }
    return additions;
  }

  void subtract(std::uint64_t position, unsigned increment) noexcept {
    const unsigned value = counters_.get(position);
    if (value == counters_.max_value()) {
      ++num_skipped_decrements_;
    } else {
      counters_.set(position, value - increment);
    }
  }

  CounterArray<Memory> counters_;
  unsigned num_hashes_;
  unsigned increment_base_;
  std::uint64_t num_refused_erases_ = 0;
  std::uint64_t num_skipped_decrements_ = 0;
  std::optional<double> max_fill_;
};

using VariableIncrementFilter = BasicVariableIncrementFilter<>;

static_assert(ErasableFilter<VariableIncrementFilter> && BorrowingFilter<VariableIncrementFilter> &&
              CountEstimatingFilter<VariableIncrementFilter>);
static_assert(ProbeCountingFilter<VariableIncrementFilter> &&
              LongQueryFilter<VariableIncrementFilter> &&
              BatchErasableFilter<VariableIncrementFilter>);

}  // namespace bloometry
