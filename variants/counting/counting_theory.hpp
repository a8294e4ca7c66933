#pragma once

#include "core/theory/theory.hpp"
#include "variants/counting/counting_filter.hpp"

namespace bloometry {

/// Counting filter, model W or D: the rates and the fill of the bit filter with the same m and k at
/// the current number of keys (theory 3.3). Counters stuck at their maximum come on top; they are
/// rare (core/theory/counter_tails.hpp) and not part of these values.
template <>
struct Theory<CountingFilter> {
  static Prediction predict(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static double expected_rate(const FilterSpec& spec, ProbeModel model, std::uint64_t num_keys);
  static std::optional<theory::FillLaw> fill_law(const FilterSpec& spec, ProbeModel model,
                                                 std::uint64_t num_keys);
  static double rate_given_counts(const FilterSpec& spec, ProbeModel model,
                                  const FilterState& counts);
};

static_assert(HasTheory<CountingFilter> && HasRateGivenCounts<CountingFilter>);

}  // namespace bloometry
