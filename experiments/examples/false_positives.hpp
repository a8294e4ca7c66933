#pragma once

#include <cstdint>
#include <string>

#include "core/filter/filter_spec.hpp"
#include "core/theory/theory.hpp"
#include "experiments/examples/checks.hpp"

namespace bloometry::examples {

/// Probability that the check of an honest filter fails.
inline constexpr double kFalseAlarm = 1e-6;

/// What is expected of a filter before any key is asked.
struct ExpectedRate {
  double given_bits = 0;  ///< of exactly this filter: the law of its false positives
  double exact = 0;       ///< the mean over all filters of this size and number of keys
};

/// @param filter made of `spec` with `num_keys` distinct keys
template <class F>
[[nodiscard]] ExpectedRate expected_rate(const F& filter, const FilterSpec& spec,
                                         std::uint64_t num_keys) {
  return {.given_bits = filter.state().conditional_false_positive_rate,
          .exact = Theory<F>::expected_rate(spec, F::Probes::kModel, num_keys)};
}

/// Distinct absent keys that were asked, and those that passed. A key that is asked twice counts
/// once: its second answer is no trial of its own.
struct FalsePositives {
  std::uint64_t num_asked = 0;
  std::uint64_t num_passed = 0;

  /// `1.002 % (0.969 to 1.035)`: the rate with its 95 % Clopper-Pearson interval.
  [[nodiscard]] std::string rate_text() const;

  /// p-value of the exact two-sided binomial test.
  [[nodiscard]] double p_value(const ExpectedRate& expected) const;

  /// Requires a p-value of at least kFalseAlarm.
  void check(const ExpectedRate& expected, const std::string& filter, Checks& checks) const;
};

/// `1.004 %`
[[nodiscard]] std::string percent(double rate);

}  // namespace bloometry::examples
