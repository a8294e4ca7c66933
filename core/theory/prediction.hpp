#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// A rate with the name of its formula (theory.md's names: classic, semi, goel_gupta_upper, paper,
/// poisson, fluid, ...).
struct NamedRate {
  std::string_view name;
  std::optional<double> rate{};  ///< absent if outside [0, 1]: the formula is invalid
};

/// The theoretical values for one variant at one point.
struct Prediction {
  /// Exact expected false-positive rate for the probe model. Absent if no exact formula is known;
  /// never an approximation.
  std::optional<double> exact{};
  /// Further formulas. Always contains "classic" if the variant has one m and one k.
  std::vector<NamedRate> approximations{};
  std::optional<double> expected_fill_ratio{};  ///< E[non-zero cells] / cells
  std::optional<double> rate_stddev{};          ///< standard deviation of the rate between filters
};

namespace theory {

/// Returns all theoretical values for a filter in which a probe passes if and only if its cell was
/// hit, at n keys, m cells and k hashes. Such filters are standard, partitioned and counting. The
/// approximations are classic in all models, semi in models W and D, and goel_gupta_upper and
/// second_order in model W only.
/// @throws std::domain_error as exact_rate.
[[nodiscard]] Prediction bit_prediction(ProbeModel model, std::uint64_t n, std::uint64_t m,
                                        unsigned k);

}  // namespace theory
}  // namespace bloometry
