#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bloometry::theory {

/// Moments of the number of refused inserts.
struct RefusedMoments {
  double mean = 0;
  double variance = 0;
  /// Expected number of refused inserts or of empty cells, whichever is smaller. Repeated inserts
  /// of refused keys count in addition.
  double rare_count = 0;
  /// Bound of the difference between `mean` and the true mean, which is never larger than `mean`.
  double mean_error = 0;
  /// Bound of the third cumulant divided by the variance. It is above 1 if refused inserts come in
  /// groups.
  double group_size = 1;
};

/// A case of a mixture: what the number of refused inserts is if a condition holds.
struct RefusedCase {
  double probability = 0;
  RefusedMoments moments{};
  /// Whether the number is at most that of the moments, whose distribution is not known.
  bool is_bound = false;
};

/// The law of the number of inserts that a limited filter refuses, and a test of an observed number
/// (theory 7c). The law is either given by its moments, or bounded by the odds of any refused
/// insert.
///
/// With moments, the law is near a normal law if many inserts are refused, and near a Poisson law
/// if few are. Its third cumulant is between -g variance and +g variance for the group size g, or
/// at most that of a negative binomial law if the variance is above rare_count. The tails are the
/// largest of the laws with these third cumulants, so a p-value is rather too large than too small.
/// From a variance of 1e6 on, the tails are those of a normal law. The tails of a mixture are the
/// means of the tails of its cases.
class RefusedInsertsLaw {
 public:
  /// Creates the law with the given moments.
  /// @throws std::domain_error if a moment is negative or not finite, or if the mean or the
  /// variance is 0
  explicit RefusedInsertsLaw(const RefusedMoments& moments);

  /// Creates a mixture. The probabilities of the cases add up to 1.
  /// @throws std::domain_error if `cases` is empty, or if the other constructor would throw for the
  /// moments of a case
  explicit RefusedInsertsLaw(std::vector<RefusedCase> cases);

  /// Creates the law of a filter that refuses any insert with at most the given probability.
  /// @throws std::domain_error if the odds are not in (0, 1]
  static RefusedInsertsLaw of_odds(double odds);

  /// Returns the expected number, or a bound of the odds of any refused insert.
  [[nodiscard]] double mean() const noexcept { return mean_; }

  /// Returns the variance, or std::nullopt if only the odds are known.
  [[nodiscard]] std::optional<double> variance() const noexcept {
    return has_moments() ? std::optional(variance_) : std::nullopt;
  }

  /// Returns P(number >= num_refused), or a bound of it.
  [[nodiscard]] double upper_tail(std::uint64_t num_refused) const;

  /// Returns P(number <= num_refused), or a bound of it.
  [[nodiscard]] double lower_tail(std::uint64_t num_refused) const;

  /// Returns twice the smaller tail, at most 1. If only the odds are known, the test is one-sided:
  /// the result is the odds for any number above 0, and 1 for 0.
  [[nodiscard]] double two_sided_p_value(std::uint64_t num_refused) const;

 private:
  RefusedInsertsLaw() = default;

  [[nodiscard]] bool has_moments() const noexcept { return !cases_.empty(); }

  double mean_ = 0;
  double variance_ = 0;
  std::vector<RefusedCase> cases_;  // empty if only the odds are known
};

/// The law of the number of refused inserts at a point, or the reason why it is unknown.
struct RefusedInserts {
  std::optional<RefusedInsertsLaw> law{};
  std::string_view why_unknown{};  ///< empty if the law is known
};

}  // namespace bloometry::theory
