#pragma once

#include <cstdint>

#include "core/contract/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// The law of filters of one geometry with n keys each. `bloometry verify --claim` compares the
/// answers of another program's filters with this law (Theory<F>::claim_law).
struct ClaimLaw {
  double expected_rate;
  double rate_stddev;  ///< standard deviation of the rate over filters
  /// Distribution of the rate over filters, with mean expected_rate, or a bound of the
  /// distribution.
  statistics::RateMixture rates;
  /// Whether `rates` is larger than the true distribution in the convex order (block_rate_law.hpp).
  /// Likelihood ratios must not use a bound.
  bool is_bound;
  /// Whether the number of non-zero cells has the law FillLaw(model, n, m, k), so that the fills
  /// that a program reports can be tested. In models W and D, the rate given the fill is then
  /// rate_given_ones.
  bool has_fill_law;
};

/// Returns the law of filters in which a probe may fall on any cell, and passes if and only if some
/// key hit the cell. The law is exact, apart from the limits of rate_law.
/// @throws std::domain_error under the conditions of rate_law.
[[nodiscard]] ClaimLaw cell_claim_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Returns a bound of the law of filters of blocks (block_rate_law), with the given moments.
/// @throws std::domain_error under the conditions of block_rate_law.
[[nodiscard]] ClaimLaw block_claim_law(ProbeModel model, std::uint64_t n, const Geometry& geometry,
                                       double expected_rate, double rate_stddev);

/// Returns the law of tables of fingerprints. A nonmember key tests positive if and only if one of
/// the n keys has its fingerprint, so the rate is the share of the fingerprints that the keys have.
/// The law is exact, apart from the limits of rate_law, as long as no insert was refused. It does
/// not contain a law of the fill, because the occupied cells do not have FillLaw(model, n, m, k).
/// Above 2^62 fingerprints, the standard deviation is below 4e-10 of the rate, and the law is the
/// single rate expected_rate.
/// @param num_fingerprints the whole number of equally likely fingerprints
/// @param expected_rate 1-(1-1/num_fingerprints)^n
/// @throws std::domain_error if num_fingerprints is 0.
[[nodiscard]] ClaimLaw fingerprint_claim_law(std::uint64_t n, double num_fingerprints,
                                             double expected_rate);

}  // namespace bloometry::theory
