#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/probe/probe_policy.hpp"
#include "core/theory/expected_rate.hpp"
#include "core/theory/phase_rates.hpp"

namespace bloometry {

/// A rate with the name of its formula, such as classic, semi, goel_gupta_upper, paper, poisson or
/// fluid.
struct NamedRate {
  std::string_view name;
  std::optional<double> rate{};  ///< absent if the formula gives a value outside [0, 1]
};

/// The theoretical values for one variant at one point.
///
/// Theory<F> predicts the rates of a probe model with digests of unlimited width. The functions of
/// variants/registry/filter_rates.hpp then add the collisions of the digests that the filter uses,
/// and set `expected`.
struct Prediction {
  /// Exact expected false-positive rate. The value is never an approximation. The value is absent
  /// if an exact formula is not known.
  std::optional<double> exact{};
  /// The best known rate of the filter, with its kind. The value is absent if neither a formula nor
  /// a model of the rate is known, and in a prediction of Theory<F>. If the kind is kExact, the
  /// value equals `exact`.
  std::optional<ExpectedRate> expected{};
  /// Rates by other formulas. The list always contains "classic" if the variant has one m and one
  /// k, unless the filter forgets.
  std::vector<NamedRate> approximations{};
  std::optional<double> expected_fill_ratio{};  ///< E[non-zero cells] / cells
  std::optional<double> rate_stddev{};          ///< standard deviation of the rate between filters
  /// Rates over the phases of a generation, of a filter that forgets. Absent in a prediction of
  /// Theory<F>. If the kind of `expected` is kBound, these rates are upper bounds too.
  std::optional<PhaseRates> phase_rates{};
  /// False if a limited filter has more keys than cells. Only `expected` then has a value.
  bool has_room = true;
};

namespace theory {

/// Returns all theoretical values for a filter with n keys, m cells and k hashes. A probe of the
/// filter must pass if and only if its cell was hit, as in standard, partitioned and counting
/// filters. The approximations are "classic" in all models and "semi" in models W and D. In model
/// W, "goel_gupta_upper" and "second_order" are approximations too.
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
[[nodiscard]] Prediction bit_prediction(ProbeModel model, std::uint64_t n, std::uint64_t m,
                                        unsigned k);

}  // namespace theory
}  // namespace bloometry
