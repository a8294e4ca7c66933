#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/contract/variant_description.hpp"
#include "core/engine/cell_filter.hpp"
#include "core/error.hpp"
#include "core/probe/all_probes.hpp"
#include "core/probe/increment_words.hpp"
#include "core/probe/limits.hpp"
#include "core/rates/rate_given_state.hpp"
#include "variants/variable_increment/variable_increment_sizing.hpp"

namespace bloometry {

/// Variable-increment counting Bloom filter (VI-CBF). Each probe of a key has an increment from D_L
/// = {L, ..., 2L-1}, which an insert adds to the probe's counter. A query tests for each probe
/// whether its increment can be a summand of the counter's value. At equal memory, the rate is
/// about a third of that of a counting filter at 30 bits per key, and a seventh at 50.
///
/// Source: Rottenstreich, Kanizo, Keslassy (2012), "The variable-increment counting Bloom filter",
/// D_L sequences. Semantics: theory 5.1.
/// Layout: an array of m counters of counter_bits bits, without gaps. The increments are computed
/// from hash words that are independent of the probe positions (core/probe/increment_words.hpp). A
/// counter at its cap 2^counter_bits - 1 means "the cap or more". A counter at its cap passes every
/// query and never decreases.
/// Rate given the state: (P / (m L))^k, where P is the number of pairs of a position and an
/// increment that pass. The formula holds only for model W.
/// Cost: insert and contains are O(num_hashes), and erase is O(num_hashes^2). The operations do not
/// allocate memory.
class VariableIncrementDesign {
 public:
  static constexpr std::string_view kName = "variable_increment";
  static constexpr VariantDescription kDescription = {
      .summary =
          "counters with increments of several sizes: can erase, with a third to a seventh of the "
          "rate of a counting filter",
      .paper = "Rottenstreich, Kanizo, Keslassy 2012",
      .rate_given_state = "(passing pairs/(m L))^k over (position, increment) pairs",
      .probe_passes = ProbePasses::kByOwnRule,
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
  static constexpr Traits kTraits = {.erase = true, .estimate = true};
  using SupportedProbes = WithReplacementProbes;
  using Cells = Counters<8>;
  using Words = IncrementWords;

  static Geometry geometry(const FilterSpec& spec, const Params& params) {
    const auto counter_bits = static_cast<unsigned>(number_param(params, "counter_bits"));
    return variable_increment_geometry(spec, counter_bits, checked_increment_base(params));
  }

  /// Returns the increment base L that a spec requests.
  /// @throws ConfigError if L is not a power of two, or if two increments do not fit below the cap.
  [[nodiscard]] static unsigned increment_base(const FilterSpec& spec) {
    return checked_increment_base(resolve_params(kName, kParams, spec.params));
  }

  VariableIncrementDesign(const Geometry& geometry, unsigned increment_base)
      : increment_base_(checked_increment_base(increment_base, geometry.cell_bits)),
        cap_((1U << geometry.cell_bits) - 1) {}

  VariableIncrementDesign(const Geometry& geometry, const Params& params)
      : VariableIncrementDesign(geometry, checked_increment_base(params)) {}

  [[nodiscard]] Params params(const Geometry& geometry) const {
    return {{"form", "dl"},
            {"increment_base", double(increment_base_)},
            {"counter_bits", double(geometry.cell_bits)}};
  }

  [[nodiscard]] unsigned increment_base() const noexcept { return increment_base_; }

  /// Adds the increments of a key to its counters, up to the cap. If two probes of the key fall on
  /// one counter, both increments are added. Returns true if a query before the insert would have
  /// returned false.
  [[gnu::always_inline]] inline bool insert(auto& counters, auto&& positions,
                                            IncrementWords words) const noexcept {
    const Additions additions(*this, positions, words);
    bool was_present = true;  // before the counters change
    for (unsigned i = 0; i < additions.num; ++i) {
      was_present &= passes(counters.get(additions.positions[i]), additions.increments[i]);
    }
    for (unsigned i = 0; i < additions.num; ++i) {
      counters.add_saturating(additions.positions[i], additions.increments[i]);
    }
    return !was_present;
  }

  [[gnu::always_inline]] inline bool passes(const auto& counters, std::uint64_t i,
                                            IncrementWords& words) const noexcept {
    return passes(counters.get(i), next_increment(words));
  }

  /// Returns whether a probe with the given increment passes a counter of the given value. An
  /// increment v passes a counter of value c if `c == cap`, if `c == v`, or if `c - v` is a sum of
  /// increments. Every value of at least L is a sum of increments.
  [[nodiscard]] bool passes(unsigned value, unsigned increment) const noexcept {
    return value == cap_ || value == increment || value >= increment + increment_base_;
  }

  /// Subtracts the increments of a key from its counters below the cap and returns true. If a
  /// counter would become negative or fall in 1..L-1, the function does not change any counter and
  /// returns false. Negative values and the values 1..L-1 are not sums of increments.
  [[gnu::always_inline]] inline bool erase(auto& counters, auto&& positions, IncrementWords words,
                                           std::uint64_t& num_skipped) const noexcept {
    const Additions additions(*this, positions, words);
    // The function tests all subtractions before the first subtraction, because a refused erase
    // must leave the filter unchanged. If several probes fall on one counter, the test is made for
    // the sum of their increments.
    for (unsigned i = 0; i < additions.num; ++i) {
      if (!passes(counters.get(additions.positions[i]), additions.total_at(i))) return false;
    }
    for (unsigned i = 0; i < additions.num; ++i) {
      const unsigned value = counters.get(additions.positions[i]);
      if (value == cap_) {
        ++num_skipped;
      } else {
        counters.set(additions.positions[i], value - additions.increments[i]);
      }
    }
    return true;
  }

  /// Returns the number of increments in D_L that pass a counter of the given value. With a value
  /// of 0, increments do not pass. With a value in L..2L-1, which is a single increment, only that
  /// increment passes. With a value in 2L..3L-2, value - 2L + 1 increments pass. With a value of at
  /// least 3L-1, all L increments pass.
  [[nodiscard]] unsigned num_passing_increments(unsigned value) const noexcept {
    const unsigned L = increment_base_;
    if (value < L) return 0;
    if (value == cap_ || value >= 3 * L - 1) return L;
    return value < 2 * L ? 1 : value - 2 * L + 1;
  }

  double rate(ProbeModel /*model*/, const auto& counters, FilterState& counts,
              unsigned num_hashes) const noexcept {
    std::uint64_t num_passing = 0;
    for (std::uint64_t i = 0; i < counters.size(); ++i) {
      num_passing += num_passing_increments(counters.get(i));
    }
    counts.num_passing_pairs = num_passing;
    const double num_pairs = static_cast<double>(counters.size()) * increment_base_;
    return integer_power(static_cast<double>(num_passing) / num_pairs, num_hashes);
  }

  friend bool operator==(const VariableIncrementDesign&, const VariableIncrementDesign&) = default;

 private:
  /// Additions of one insert: increments[i] is added at positions[i].
  struct Additions {
    Additions(const VariableIncrementDesign& design, auto&& all, IncrementWords& words) noexcept {
      unsigned i = 0;  // a local variable, because the member `num` is in memory
      for (const std::uint64_t position : all) {
        positions[i] = position;
        increments[i++] = design.next_increment(words);
      }
      num = i;
    }

    /// Returns the sum of the increments that the key adds at the position of probe i.
    [[nodiscard]] unsigned total_at(unsigned i) const noexcept {
      unsigned total = 0;
      for (unsigned j = 0; j < num; ++j) {
        if (positions[j] == positions[i]) total += increments[j];
      }
      return total;
    }

    // The elements from `num` on are not initialised.
    std::array<std::uint64_t, kMaxNumHashes> positions;
    std::array<unsigned, kMaxNumHashes> increments;
    unsigned num;
  };

  static unsigned checked_increment_base(const Params& params) {
    return checked_increment_base(static_cast<unsigned>(number_param(params, "increment_base")),
                                  static_cast<unsigned>(number_param(params, "counter_bits")));
  }

  static unsigned checked_increment_base(unsigned increment_base, unsigned counter_bits) {
    if (!std::has_single_bit(increment_base)) {
      throw ConfigError("increment_base",
                        "must be a power of two, got " + std::to_string(increment_base));
    }
    const unsigned cap = (1U << counter_bits) - 1;
    if (cap < 3 * increment_base - 1) {
      throw ConfigError("counter_bits", "must be at least " +
                                            std::to_string(std::bit_width(3 * increment_base - 1)) +
                                            " with increment_base " +
                                            std::to_string(increment_base) + ", got " +
                                            std::to_string(counter_bits));
    }
    return increment_base;
  }

  [[nodiscard, gnu::always_inline]] inline unsigned next_increment(
      IncrementWords& words) const noexcept {
    return increment_base_ + static_cast<unsigned>(words.next(increment_base_));
  }

  unsigned increment_base_;
  unsigned cap_;
};

template <ProbePolicy Probes = RemixProbes, class Memory = OwnedMemory>
requires(Probes::kModel == ProbeModel::kWithReplacement)

    using BasicVariableIncrementFilter = CellFilter<VariableIncrementDesign, Probes, Memory>;

using VariableIncrementFilter = BasicVariableIncrementFilter<>;

}  // namespace bloometry
