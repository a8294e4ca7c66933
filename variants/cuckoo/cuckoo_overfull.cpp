#include "variants/cuckoo/cuckoo_overfull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry::theory {
namespace {

/// Probability that a random hash has a sum with more fingerprints than the bound assumes. It is a
/// thousandth of the odds of refusal that filters are sized for.
constexpr double kOddsOfCrowdedSum = 1e-9;

/// Returns P(X >= k) for a binomial X of n trials, from the first term on.
double binomial_upper_tail(double n, double p, unsigned k) {
  if (k > n) return 0.0;
  if (p >= 1.0) return 1.0;
  double log_term = (n - k) * std::log1p(-p);
  for (unsigned i = 0; i < k; ++i) log_term += std::log((n - i) / (i + 1) * p);
  double term = std::exp(log_term);
  double sum = 0.0;
  for (double i = k; term > sum * std::numeric_limits<double>::epsilon(); ++i) {
    sum += term;
    term *= (n - i) / (i + 1) * (p / (1 - p));
  }
  return sum;
}

double number_of_fingerprints(unsigned fingerprint_bits) {
  return std::ldexp(1.0, static_cast<int>(fingerprint_bits)) - 1.0;
}

/// Probabilities that buckets are overfull, for sums with given numbers of fingerprints.
class OverfullOdds {
 public:
  OverfullOdds(double num_keys, double num_buckets, unsigned bucket_cells, unsigned width)
      : num_keys_(num_keys),
        pair_share_(2.0 / (num_buckets * number_of_fingerprints(width))),
        bucket_cells_(bucket_cells) {}

  /// Returns the probability that more keys have a pair of buckets than fit.
  [[nodiscard]] double of_pair(double on_sum) const {
    return binomial_upper_tail(num_keys_, pair_share_ * on_sum, 2 * bucket_cells_ + 1);
  }

  /// Returns the same for two pairs of buckets with a common bucket.
  [[nodiscard]] double of_two_pairs(double on_both_sums) const {
    return binomial_upper_tail(num_keys_, pair_share_ * on_both_sums, 3 * bucket_cells_ + 1);
  }

 private:
  double num_keys_;
  double pair_share_;  // probability of a pair of buckets per fingerprint of its sum
  unsigned bucket_cells_;
};

/// Returns for each number of fingerprints above 0 how many sums have it. The sum is determined by
/// the fastrange of the hash onto [0, B/2), as in CuckooDesign::partner.
std::map<std::uint64_t, double> numbers_of_fingerprints(std::uint64_t num_buckets,
                                                        unsigned fingerprint_bits) {
  const std::uint64_t num_fingerprints = (std::uint64_t{1} << fingerprint_bits) - 1;
  std::vector<std::uint64_t> sums(num_fingerprints);
  for (std::uint64_t t = 1; t <= num_fingerprints; ++t) {
    sums[t - 1] = fastrange(mix64(t), num_buckets / 2);
  }
  std::ranges::sort(sums);
  std::map<std::uint64_t, double> result;
  for (auto first = sums.begin(); first != sums.end();) {
    const auto end = std::upper_bound(first, sums.end(), *first);
    result[static_cast<std::uint64_t>(end - first)] += 1;
    first = end;
  }
  return result;
}

/// Returns a number that no sum exceeds, but with kOddsOfCrowdedSum. The Chernoff bound of P(X >=
/// x) for a number X with the mean m is exp(-(x log(x/m) - x + m)).
double most_on_a_sum(double num_sums, double mean) {
  const double log_odds = std::log(num_sums / kOddsOfCrowdedSum);
  double low = mean;
  double high = mean + log_odds / 3 + std::sqrt(log_odds * log_odds / 9 + 2 * mean * log_odds);
  for (int i = 0; i < std::numeric_limits<double>::digits; ++i) {
    const double x = (low + high) / 2;
    (x * std::log(x / mean) - x + mean < log_odds ? low : high) = x;
  }
  return std::max(1.0, high);
}

}  // namespace

double cuckoo_overfull_sets(double num_keys, std::uint64_t num_buckets, unsigned bucket_cells,
                            unsigned fingerprint_bits) {
  const auto buckets = static_cast<double>(num_buckets);
  const OverfullOdds odds(num_keys, buckets, bucket_cells, fingerprint_bits);
  const auto numbers = numbers_of_fingerprints(num_buckets, fingerprint_bits);
  double expected = 0;
  for (auto a = numbers.begin(); a != numbers.end(); ++a) {
    const double on_sum = static_cast<double>(a->first);
    expected += buckets / 2 * a->second * odds.of_pair(on_sum);
    // A bucket has one pair for each sum, so two different sums have B sets of three buckets.
    expected += buckets * a->second * (a->second - 1) / 2 * odds.of_two_pairs(2 * on_sum);
    for (auto b = numbers.begin(); b != a; ++b) {
      expected += buckets * a->second * b->second *
                  odds.of_two_pairs(on_sum + static_cast<double>(b->first));
    }
  }
  return expected;
}

double cuckoo_overfull_sets_bound(double num_keys, std::uint64_t num_buckets, unsigned bucket_cells,
                                  unsigned fingerprint_bits) {
  const auto buckets = static_cast<double>(num_buckets);
  const double num_fingerprints = number_of_fingerprints(fingerprint_bits);
  const OverfullOdds odds(num_keys, buckets, bucket_cells, fingerprint_bits);
  const double most = most_on_a_sum(buckets / 2, num_fingerprints / (buckets / 2));
  // The odds are convex in the number of fingerprints of a sum, so they are largest if as many sums
  // as possible have the most fingerprints, and the others nearly none.
  const double crowded_sums = num_fingerprints / most;
  const double sums = std::min(buckets / 2, num_fingerprints);
  return buckets / 2 * crowded_sums * odds.of_pair(most) +
         buckets * crowded_sums * crowded_sums / 2 * odds.of_two_pairs(2 * most) +
         buckets * crowded_sums * sums * odds.of_two_pairs(most);
}

bool are_overfull_sets_rare(double num_keys, std::uint64_t num_buckets, unsigned bucket_cells,
                            unsigned fingerprint_bits, double most) {
  if (num_keys <= 2.0 * bucket_cells) return true;
  return cuckoo_overfull_sets_bound(num_keys, num_buckets, bucket_cells, fingerprint_bits) <=
             most ||
         cuckoo_overfull_sets(num_keys, num_buckets, bucket_cells, fingerprint_bits) <= most;
}

}  // namespace bloometry::theory
