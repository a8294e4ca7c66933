#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/probe/probe_policy.hpp"
#include "core/theory/fill_moments.hpp"

namespace bloometry::theory {

/// num_slices independent bit arrays of slice_bits bits; each received one probe of num_keys keys.
struct SliceGroup {
  std::uint64_t num_keys = 0;
  std::uint64_t slice_bits = 0;
  std::uint64_t num_slices = 1;
};

/// The law of X, the number of set bits after plain inserts, and a test of an observed X (theory
/// 9.3, "The fill test").
///
/// Methods, in the order tried:
/// - exact: the occupancy recurrence P(x) <- P(x)(x-i)/(m-i) + P(x-1)(m-x+1)/(m-i), where i is 0 in
///   model W and the index of the probe within its key in model D. It is trimmed where
///   probabilities fall below 1e-40. It is used if throws * band <= 2e7 with band = 2(12 sd + 40) +
///   1; slices are convolved;
/// - Poisson tail of the rarer of collisions (nk - X) and zeros (m - X), if fewer than 1e4 are
/// expected. The tail is conservative, because both are sums of independent indicators;
/// - normal with the exact mean and variance otherwise.
/// Values outside the band have pmf 0: their true probability is below 1e-28.
/// An object is immutable. Building one costs up to 0.1 s, so callers should cache one object per
/// (model, n, m, k). If a thread builds exact laws of the same m in ascending order of nk, all of
/// them together cost as much as the last one alone. In model D this holds for the same m and k in
/// ascending order of n. Each law continues from the previous one, with results identical to those
/// of a separate computation (occupancy_band). Results are also identical on all instruction sets
/// (FillKernels).
class FillLaw {
 public:
  enum class Method { kExact, kPoissonCollisions, kPoissonZeros, kNormal };

  /// Makes the law of one bit array.
  /// @throws std::domain_error if m or k is 0, or k > m in models D and P.
  FillLaw(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

  /// Makes the law of the total over independent slices. The slices are those of a partitioned
  /// filter, or the stages of a scalable filter with blind inserts and stage change by count.
  explicit FillLaw(std::span<const SliceGroup> slices);

  /// Returns the normal law of X with these moments, num_throws probes and num_zeros expected
  /// zeros. Absent unless 10^4 zeros and 10^4 collisions (num_throws - X) are expected, as for the
  /// other laws.
  static std::optional<FillLaw> normal_if_many(const FillMoments& moments, double num_throws,
                                               double num_zeros);

  Method method() const { return method_; }

  double mean() const { return moments_.mean; }

  double variance() const { return moments_.variance; }

  /// The first and the last num_ones of the law. The exact method keeps a band of values; other
  /// methods keep all possible values.
  struct Support {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  Support support() const;

  double pmf(std::uint64_t num_ones) const;
  /// Returns P(X <= num_ones).
  double cdf(std::uint64_t num_ones) const;
  /// Returns P(X >= num_ones), not computed as 1 - cdf.
  double upper_tail(std::uint64_t num_ones) const;
  /// Returns twice the smaller tail, at most 1; 0 for an impossible value.
  double two_sided_p_value(std::uint64_t num_ones) const;
  /// Returns log E[e^(theta (X - mean))]. With the Poisson method it returns the value of the
  /// Poisson law. This is at least the true value, because a sum of independent indicators is
  /// smaller in the convex order.
  double log_centred_mgf(double theta) const;
  /// Returns P(X < num_ones) + v P(X = num_ones). The result is uniform on [0, 1] if v is uniform
  /// on [0, 1].
  double randomised_pit(std::uint64_t num_ones, double v) const;

 private:
  FillLaw() = default;
  void use_exact(std::uint64_t first, std::vector<double> pmf);
  void use_limit_law(double collisions, double zeros);
  /// Converts num_ones to the count of the rarer event, which has the Poisson law.
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
