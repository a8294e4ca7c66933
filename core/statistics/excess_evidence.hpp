#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace bloometry::statistics {

/// The counts of one check of a filter.
struct CheckedQueries {
  std::uint64_t positives = 0;    ///< false positives
  std::uint64_t num_queries = 0;  ///< queries of absent keys
  /// Most queries of one key in this check, whose keys may occur in other checks too. Absent: all
  /// keys are new, so that each of them occurs once, in one check.
  std::optional<std::uint64_t> max_repeats{};
};

/// Factors of the rate against which ExcessEvidence tests.
inline constexpr std::array<double, 9> kExcessFactors = {1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100};

/// The sums of ExcessEvidence over the checks so far, as a file may store them.
struct ExcessSums {
  static constexpr double kNoTerms = -std::numeric_limits<double>::infinity();

  std::uint64_t num_checks = 0;
  /// Logarithm of the weighted sum over j of the products, per factor.
  std::array<double, kExcessFactors.size()> log_products = {
      kNoTerms, kNoTerms, kNoTerms, kNoTerms, kNoTerms, kNoTerms, kNoTerms, kNoTerms, kNoTerms};
  /// Logarithm of the sum of the terms of checks with repeated keys.
  double log_repeated = kNoTerms;

  friend bool operator==(const ExcessSums&, const ExcessSums&) = default;
};

/// The evidence that a filter has more false positives than its rate explains, over any number of
/// checks.
///
/// Hypothesis: an absent key tests positive with probability at most p, independently of other
/// keys. The caller may choose p, n and the time of the next check from everything that happened
/// before. For a check with n queries of absent keys, x false positives and a factor c > 1, let
///
///     L_c = c^x / (1 + p (c - 1))^n.
///
/// The denominator is the largest mean of c^x, so the mean of L_c is at most 1. If a key is queried
/// up to R times, w <= R queries of one key add w or 0 to x. c^(w/R) <= 1 + (w/R) (c - 1), because
/// c^t is convex. Therefore
///
///     L_c = c^(x/R) / exp(p (c - 1) n / R)
///
/// has mean at most 1 as well, for all counts of the keys.
///
/// If the keys of all checks are new, the product of L_c over the checks j, j+1, ..., t is a
/// nonnegative supermartingale. It is large if a fault that multiplies the rate by about c began at
/// check j. The evidence M_t is the mean over nine factors c, and over all j with the weights
/// 1/(j (j+1)). The weights of j > t add up to 1/(t+1) and multiply 1. A fault that begins at check
/// j is therefore found after as many queries as one at the start, except for a cost of 2 log j.
///
/// Keys that occur in several checks have the same answers there, so the product would count one
/// false positive many times. A check j with such keys adds L_c/(j (j+1)) once and does not enter a
/// product. A sum of dependent variables with mean 1 needs no independence.
///
/// M_t is the sum of a nonnegative supermartingale and of terms that are only added. Their means
/// add up to at most 1, as the weights do. By the inequality of Ville (1939), P(M_t >= 1/alpha for
/// some t) <= alpha: the probability of a false alarm in any number of checks is at most alpha.
/// Howard, Ramdas, McAuliffe and Sekhon (2021) call such bounds time-uniform.
class ExcessEvidence {
 public:
  ExcessEvidence() = default;

  /// Continues after earlier checks.
  /// @throws std::domain_error if a sum is NaN.
  explicit ExcessEvidence(const ExcessSums& sums);

  /// Adds a check of a filter whose rate was at most `rate`.
  /// @throws std::domain_error if the rate is outside [0, 1], max_repeats is 0, or there are more
  /// positives than queries.
  void observe(const CheckedQueries& queries, double rate);

  /// Returns log M_t. The result is +infinity after a false positive at rate 0.
  [[nodiscard]] double log_evidence() const;

  [[nodiscard]] const ExcessSums& sums() const noexcept { return sums_; }

 private:
  ExcessSums sums_{};
};

/// Returns the number of queries with which a first check reaches the evidence 1/false_alarm with
/// probability at least `power`, if the rate is 2 * rate. With max_repeats, every key has that many
/// queries. The power has steps, because positives are whole numbers. The result has the power, and
/// the number before it does not. Returns nullopt if 2^53 queries do not suffice, as at the rates 0
/// and 1.
/// @throws std::domain_error if the rate is outside [0, 1], false_alarm or power is outside (0, 1),
/// or max_repeats is 0.
std::optional<std::uint64_t> queries_to_detect_double(
    double rate, double false_alarm, double power,
    std::optional<std::uint64_t> max_repeats = std::nullopt);

}  // namespace bloometry::statistics
