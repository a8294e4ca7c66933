#pragma once

#include <cstdint>
#include <string>

#include "core/contract/filter_spec.hpp"
#include "core/theory/theory.hpp"
#include "experiments/examples/checks.hpp"

namespace bloometry::examples {

/// Probability that a correct filter fails the check of its false positives.
inline constexpr double kFalseAlarm = 1e-6;

/// The expected rates of a filter, computed before any query.
struct ExpectedRate {
  double given_bits = 0;  ///< expected rate of this filter, given its set bits
  double exact = 0;       ///< mean rate over all filters of equal size and number of keys
};

/// Returns the expected rates of a filter. The filter must be built from `spec` with `num_keys`
/// distinct keys.
template <class F>
[[nodiscard]] ExpectedRate expected_rate(const F& filter, const FilterSpec& spec,
                                         std::uint64_t num_keys) {
  return {.given_bits = filter.state().conditional_false_positive_rate,
          .exact = Theory<F>::expected_rate(spec, F::Probes::kModel, num_keys)};
}

/// The number of distinct absent keys that were queried, and the number of false positives among
/// these keys. A repeated key counts once, because its second answer is not an independent trial.
struct FalsePositives {
  std::uint64_t num_queries = 0;
  std::uint64_t num_passed = 0;

  /// Returns the rate with its 95 % Clopper-Pearson interval, such as `1.002 % (0.969 to 1.035)`.
  [[nodiscard]] std::string rate_text() const;

  /// Returns the p-value of the exact two-sided binomial test against the expected rate given the
  /// filter's bits.
  [[nodiscard]] double p_value(const ExpectedRate& expected) const;

  /// Counts the claim that the p-value is at least kFalseAlarm.
  void check(const ExpectedRate& expected, const std::string& filter, Checks& checks) const;
};

}  // namespace bloometry::examples
