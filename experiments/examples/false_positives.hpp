#pragma once

#include <cstdint>
#include <string>

#include "core/filter/filter_spec.hpp"
#include "core/theory/theory.hpp"
#include "experiments/examples/checks.hpp"

namespace bloometry::examples {

/// Probability that the check of a correct filter fails.
inline constexpr double kFalseAlarm = 1e-6;

/// The expected rates of a filter, computed before any query.
struct ExpectedRate {
  double given_bits = 0;  ///< rate given this filter's bits, by the law of its false positives
  double exact = 0;       ///< mean rate over all filters of this size and number of keys
};

/// Returns the expected rates. @param filter made from `spec` with `num_keys` distinct keys
template <class F>
[[nodiscard]] ExpectedRate expected_rate(const F& filter, const FilterSpec& spec,
                                         std::uint64_t num_keys) {
  return {.given_bits = filter.state().conditional_false_positive_rate,
          .exact = Theory<F>::expected_rate(spec, F::Probes::kModel, num_keys)};
}

/// The number of distinct absent keys that were queried, and of those that were positive. A
/// repeated key counts once, because its second answer is not an independent trial.
struct FalsePositives {
  std::uint64_t num_queries = 0;
  std::uint64_t num_passed = 0;

  /// Returns the rate with its 95 % Clopper-Pearson interval: `1.002 % (0.969 to 1.035)`.
  [[nodiscard]] std::string rate_text() const;

  /// Returns the p-value of the exact two-sided binomial test.
  [[nodiscard]] double p_value(const ExpectedRate& expected) const;

  /// Requires a p-value of at least kFalseAlarm.
  void check(const ExpectedRate& expected, const std::string& filter, Checks& checks) const;
};

/// Returns `1.004 %`.
[[nodiscard]] std::string percent(double rate);

}  // namespace bloometry::examples
