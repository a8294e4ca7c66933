#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/probe/probe_policy.hpp"
#include "core/theory/fill_moments.hpp"

namespace bloometry::theory {

/// A group of num_slices independent bit arrays of slice_bits bits. Each array received one probe
/// of each of num_keys keys.
struct SliceGroup {
  std::uint64_t num_keys = 0;
  std::uint64_t slice_bits = 0;
  std::uint64_t num_slices = 1;
};

/// The law of X, the number of set bits after plain inserts, and a test of an observed X (theory
/// 9.3).
///
/// FillLaw uses one of three methods. The exact method is the occupancy recurrence P(x) <-
/// P(x)(x-i)/(m-i) + P(x-1)(m-x+1)/(m-i). In the recurrence, i is 0 in model W, and the index of
/// the probe within its key in model D. The recurrence omits probabilities below 1e-40. The exact
/// method is used if throws * band <= 2e7. The band is 2 (12 sd + 40) + 1 for the largest standard
/// deviation sd during the inserts. For several slices, the exact method convolves the laws of the
/// slices.
///
/// Otherwise, the Poisson method is used if fewer than 1e4 collisions (nk - X) or fewer than 1e4
/// zeros (m - X) are expected. The method uses the Poisson law of the rarer of the two events. The
/// tail of the Poisson law is conservative, because the number of events is a sum of independent
/// indicators. In all other cases, the normal method uses the exact mean and variance.
///
/// Values of X outside the band have pmf 0. The true probability of these values is below 1e-28. A
/// FillLaw is immutable. The construction is expensive, so callers should cache one FillLaw per
/// (model, n, m, k). If a thread builds exact laws of the same m in ascending order of nk, all laws
/// together take the time of the last law. In model D, consecutive laws must have the same k for
/// this saving. Each law continues the recurrence of the previous one, with results identical to
/// those of a separate computation (occupancy_band). All instruction sets give identical results
/// (FillKernels).
class FillLaw {
 public:
  enum class Method { kExact, kPoissonCollisions, kPoissonZeros, kNormal };

  /// Creates the law of one bit array.
  /// @throws std::domain_error if m or k is 0, or k > m in models D and P.
  FillLaw(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

  /// Creates the law of the total number of set bits over independent slices. The slices belong to
  /// a partitioned filter, or to the stages of a scalable filter with blind inserts and stage
  /// change by count.
  explicit FillLaw(std::span<const SliceGroup> slices);

  /// Returns the normal law of X with the given moments, num_throws probes and num_zeros expected
  /// zeros. Returns std::nullopt unless 10^4 zeros and 10^4 collisions (num_throws - X) are
  /// expected.
  static std::optional<FillLaw> normal_if_many(const FillMoments& moments, double num_throws,
                                               double num_zeros);

  Method method() const { return method_; }

  double mean() const { return moments_.mean; }

  double variance() const { return moments_.variance; }

  /// The first and the last value of num_ones in the law. The exact method gives a band of values,
  /// and the other methods give all possible values.
  struct Support {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  Support support() const;

  double pmf(std::uint64_t num_ones) const;
  /// Returns P(X <= num_ones).
  double cdf(std::uint64_t num_ones) const;
  /// Returns P(X >= num_ones). The tail is computed directly, so a small tail has full precision.
  double upper_tail(std::uint64_t num_ones) const;
  /// Returns twice the smaller tail, at most 1. The result is 0 for an impossible value.
  double two_sided_p_value(std::uint64_t num_ones) const;
  /// Returns log E[e^(theta (X - mean))]. With the Poisson method, the function returns the value
  /// of the Poisson law. The value of the Poisson law is at least the true value, because a sum of
  /// independent indicators is smaller in the convex order.
  double log_centred_mgf(double theta) const;
  /// Returns P(X < num_ones) + v P(X = num_ones). The result is uniform on [0, 1] if v is uniform
  /// on [0, 1] and num_ones has the distribution of X.
  double randomised_pit(std::uint64_t num_ones, double v) const;

 private:
  FillLaw() = default;
  void use_exact(std::uint64_t first, std::vector<double> pmf);
  void use_limit_law(double collisions, double zeros);
  /// Returns the number of rarer events (collisions or zeros) at num_ones set bits. The number of
  /// rarer events has the Poisson law.
  double rare_count(double num_ones) const;

  Method method_ = Method::kExact;
  FillMoments moments_;
  double num_throws_ = 0.0;
  double num_bits_ = 0.0;
  double poisson_mean_ = 0.0;
  std::uint64_t first_ = 0;    // num_ones of pmf_[0]
  std::vector<double> pmf_;    // exact method only
  std::vector<double> lower_;  // P(X <= first_ + i)
  std::vector<double> upper_;  // P(X >= first_ + i)
};

}  // namespace bloometry::theory
