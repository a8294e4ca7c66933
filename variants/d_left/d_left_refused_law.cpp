#include "variants/d_left/d_left_refused_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/theory/fill_law.hpp"
#include "variants/d_left/d_left_permutations.hpp"
#include "variants/d_left/d_left_refused_inserts.hpp"

namespace bloometry::theory {
namespace {

/// Limits within which the p-values are calibrated (theory 7c): the relative correction of the
/// mean, and the keys per bucket.
constexpr double kMostRelativeCorrection = 0.5;
constexpr double kMostKeysOfLaw = 16;

/// Variance and mean below which the roundoff of the integration dominates.
constexpr double kLeastMoment = 1e-9;

/// The cases of a mixture cover this number of standard deviations, outside which the probability
/// is 1e-15, in steps of a third of a standard deviation.
constexpr double kCoveredDeviations = 8;
constexpr double kCasesPerDeviation = 3;

/// Number of steps of the integral over the inserts. The relative error is below 1 %, of a number
/// of repeats that is a small share of the refused inserts.
constexpr unsigned kNumSteps = 256;

/// Returns whether two permutations are equal or mirror images: a_i = a_j or a_i = N - a_j. A
/// candidate bucket of a key then determines another one.
bool have_dependent_buckets(std::uint64_t num_fingerprints, unsigned num_subtables) {
  const DLeftPermutations permutations(num_fingerprints, num_subtables);
  for (unsigned i = 0; i < num_subtables; ++i) {
    const std::uint64_t factor = permutations.factor(i).value;
    for (unsigned j = 0; j < i; ++j) {
      const std::uint64_t other = permutations.factor(j).value;
      if (factor == other || factor == num_fingerprints - other) return true;
    }
  }
  return false;
}

/// A range of numbers of different fingerprints, and its probability.
struct Range {
  double first;
  double last;
  double probability;

  [[nodiscard]] double middle() const { return (first + last) / 2; }
};

/// Returns P(first <= X <= last) without cancellation in the tails.
double probability_of(const FillLaw& law, std::uint64_t first, std::uint64_t last) {
  if (static_cast<double>(first) > law.mean()) {
    return law.upper_tail(first) - law.upper_tail(last + 1);
  }
  return law.cdf(last) - (first == 0 ? 0.0 : law.cdf(first - 1));
}

/// Returns ranges of the number of different fingerprints of n keys. The first and the last range
/// have the probability of all numbers beyond.
std::vector<Range> ranges_of(const FillLaw& law, std::uint64_t most) {
  const double sd = std::sqrt(law.variance());
  const double reach = kCoveredDeviations * (sd + 1);
  const auto width = static_cast<std::uint64_t>(std::max(1.0, std::floor(sd / kCasesPerDeviation)));
  const auto least = static_cast<std::uint64_t>(std::max(0.0, std::floor(law.mean() - reach)));
  const auto end = std::min(most, static_cast<std::uint64_t>(std::ceil(law.mean() + reach)));
  std::vector<Range> ranges;
  for (std::uint64_t first = least; first <= end; first += width) {
    const std::uint64_t last = std::min(first + width - 1, end);
    const double probability =
        probability_of(law, first == least ? 0 : first, last == end ? most : last);
    if (probability <= 0) continue;
    ranges.push_back({static_cast<double>(first), static_cast<double>(last), probability});
  }
  return ranges;
}

bool is_in_fluid_limit(const DLeftRefusedInserts& refused) {
  return std::abs(refused.relative_correction()) <= kMostRelativeCorrection;
}

double mean_of(const DLeftRefusedInserts& refused) {
  return is_in_fluid_limit(refused) ? refused.mean() : refused.fluid_mean;
}

/// Returns the expected number of repeats of refused fingerprints, if the keys have `num` different
/// fingerprints of N. After i different fingerprints, N/(N - i) inserts add the next one, and an
/// insert repeats each refused fingerprint with probability 1/N.
double expected_repeats(const DLeftRefusedPath& path, double num, double num_fingerprints) {
  const double step = num / kNumSteps;
  double repeats = 0;
  for (unsigned i = 0; i < kNumSteps; ++i) {
    const double inserted = (i + 0.5) * step;
    repeats += step * mean_of(path.at(inserted)) / (num_fingerprints - inserted);
  }
  return repeats;
}

/// Returns the moments of the number of refused inserts if the keys have different fingerprints in
/// the range. With c repeats per refused fingerprint, the number is a sum of groups of 1 + c on
/// average, and the repeats are nearly a Poisson number.
RefusedMoments moments_of(const DLeftRefusedPath& path, const Range& range,
                          double num_fingerprints) {
  const DLeftRefusedInserts refused = path.at(range.middle());
  const double mean = std::max(kLeastMoment, refused.mean());
  const double repeats = expected_repeats(path, range.middle(), num_fingerprints);
  const double group = 1 + repeats / mean;
  // Uniform in the range.
  const double spread = mean_of(path.at(range.last + 0.5)) - mean_of(path.at(range.first - 0.5));
  const double variance = std::max(refused.variance, 0.0) * group * group + repeats * group +
                          (range.last > range.first ? spread * spread / 12 : 0.0);
  const double rare = std::min(mean, refused.empty_cells);
  return {.mean = mean + repeats,
          .variance = std::max(kLeastMoment, variance),
          .rare_count = rare + repeats,
          .mean_error = rare * range.middle() / num_fingerprints,
          // The third cumulant of Y + Z is at most (1 + c)^3 v + 3 (1 + c) c v + c y if Y has the
          // mean y, the variance v and a third cumulant of at most v, and Z is a Poisson number of
          // mean c Y. The variance is (1 + c)^2 v + c y.
          .group_size = 1 + 4 * (group - 1)};
}

/// Returns the cases of the mixture. A range below the fluid limit has the moments of the first
/// range within it, which are a bound because more fingerprints are refused from more.
std::vector<RefusedCase> cases_of(const DLeftRefusedPath& path, const std::vector<Range>& ranges,
                                  double num_fingerprints) {
  std::vector<RefusedCase> cases(ranges.size());
  for (std::size_t i = ranges.size(); i-- > 0;) {
    const bool is_bound = !is_in_fluid_limit(path.at(ranges[i].middle()));
    cases[i] = {
        .probability = ranges[i].probability,
        .moments = is_bound ? cases[i + 1].moments : moments_of(path, ranges[i], num_fingerprints),
        .is_bound = is_bound};
  }
  return cases;
}

}  // namespace

RefusedInserts d_left_refused_law(std::uint64_t n, unsigned num_subtables,
                                  std::uint64_t buckets_per_subtable, unsigned remainder_bits) {
  const auto num_buckets = static_cast<double>(buckets_per_subtable) * num_subtables;
  if (static_cast<double>(n) > kMostKeysOfLaw * num_buckets) {
    return {.why_unknown = "the table has more than two keys for each of its cells"};
  }
  const std::uint64_t num_fingerprints = buckets_per_subtable << remainder_bits;
  if (have_dependent_buckets(num_fingerprints, num_subtables)) {
    return {.why_unknown =
                "in a table of so few fingerprints, one candidate bucket of a key "
                "determines another one"};
  }
  const FillLaw different(ProbeModel::kWithReplacement, n, num_fingerprints, 1);
  const std::vector<Range> ranges = ranges_of(different, std::min(n, num_fingerprints));
  const DLeftRefusedPath path(ranges.back().last, num_subtables, buckets_per_subtable);
  const bool is_known =
      is_in_fluid_limit(path.at(different.mean())) &&
      std::ranges::all_of(ranges, [&](const Range& range) {
        return range.middle() < different.mean() || is_in_fluid_limit(path.at(range.middle()));
      });
  if (!is_known) {
    return {.why_unknown = "the table has too few buckets for the fluid limit at this load"};
  }
  return {.law = RefusedInsertsLaw(cases_of(path, ranges, static_cast<double>(num_fingerprints)))};
}

}  // namespace bloometry::theory
