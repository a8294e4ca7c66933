#include "variants/age_partitioned/age_partitioned_variance.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/theory/fill_moments.hpp"

namespace bloometry::theory {
namespace {

using Row = std::vector<double>;  // by number of last matches

/// Returns u_t for each slice: u_t(r) is the rise of the probability of a positive answer if slice
/// t matches, for a key for which the last r slices before it match.
std::vector<Row> rises(std::span<const SliceFill> fills, unsigned k) {
  std::vector<Row> rises(fills.size(), Row(k));
  Row after(k + 1);  // h_t(r)
  after[k] = 1;
  for (std::size_t t = fills.size(); t-- > 0;) {
    for (unsigned r = 0; r < k; ++r) rises[t][r] = after[r + 1] - after[0];
    const double none = after[0];
    for (unsigned r = 0; r < k; ++r) {
      after[r] = fills[t].mean * after[r + 1] + (1 - fills[t].mean) * none;
    }
  }
  return rises;
}

/// The second moments E[x(r) x(s)] of the distribution x of the number of last matches.
class RunMoments {
 public:
  explicit RunMoments(unsigned k) : k_(k), moments_(k, Row(k)), next_(moments_) {
    moments_[0][0] = 1;
  }

  /// Returns E[(u . x)^2].
  [[nodiscard]] double square(const Row& u) const {
    double sum = 0;
    for (unsigned r = 0; r < k_; ++r) {
      double of_row = 0;
      for (unsigned s = 0; s < k_; ++s) of_row += moments_[r][s] * u[s];
      sum += u[r] * of_row;
    }
    return sum;
  }

  /// Adds a slice with a fill of the given moments.
  void add(const SliceFill& fill) {
    const double both = fill.mean * fill.mean + fill.variance;
    const double none = (1 - fill.mean) * (1 - fill.mean) + fill.variance;
    const double one = std::max(0.0, fill.mean * (1 - fill.mean) - fill.variance);
    double total = 0;
    for (unsigned r = 0; r < k_; ++r) {
      double of_row = 0;
      for (unsigned s = 0; s < k_; ++s) of_row += moments_[r][s];
      total += of_row;
      if (r + 1 == k_) break;
      next_[r + 1][0] = next_[0][r + 1] = one * of_row;
      for (unsigned s = 0; s + 1 < k_; ++s) next_[r + 1][s + 1] = both * moments_[r][s];
    }
    next_[0][0] = none * total;
    moments_.swap(next_);
  }

 private:
  unsigned k_;
  std::vector<Row> moments_;
  std::vector<Row> next_;
};

double rate_in_phase(const AgeShape& shape, double num_newest) {
  const double log_miss = std::log1p(-1.0 / static_cast<double>(shape.slice_bits));  // or -inf
  const auto g = static_cast<double>(shape.generation_capacity);
  Row fills;
  for (unsigned age = 0; age < shape.num_slices(); ++age) {
    const double load = age < shape.num_hashes ? age * g + num_newest : shape.num_hashes * g;
    fills.push_back(-std::expm1(load * log_miss));
  }
  return rate_given_fills(fills, shape.num_hashes);
}

/// Returns the sum of the rates after first + 1, ..., last insert calls of the newest generation.
/// The sum is an integral by the midpoint rule with the first end correction. The panels double in
/// width, because the rate changes on the scale of w.
double sum_by_integral(const AgeShape& shape, double first, double last) {
  using Gauss = boost::math::quadrature::gauss<double, 20>;
  const auto rate = [&](double num_newest) { return rate_in_phase(shape, num_newest); };
  double sum = 0;
  for (double from = first; from < last; from *= 2) {
    sum += Gauss::integrate(rate, from + 0.5, std::min(2 * from, last) + 0.5);
  }
  const auto slope = [&](double x) { return rate(x + 1) - rate(x); };  // at x + 1/2
  return sum - (slope(last) - slope(first)) / 24;
}

double mean_of_phase(const AgeShape& shape) {
  constexpr std::uint64_t kSummedDirectly = 128;
  const std::uint64_t g = shape.generation_capacity;
  double sum = 0;
  for (std::uint64_t c = 1; c <= std::min(g, kSummedDirectly); ++c) {
    sum += rate_in_phase(shape, static_cast<double>(c));
  }
  if (g > kSummedDirectly) {
    sum += sum_by_integral(shape, kSummedDirectly, static_cast<double>(g));
  }
  return sum / static_cast<double>(g);
}

}  // namespace

std::vector<SliceFill> slice_fills(const AgeShape& shape, std::span<const std::uint64_t> loads) {
  const auto w = static_cast<double>(shape.slice_bits);
  std::vector<SliceFill> fills;
  for (const std::uint64_t load : loads) {
    const FillMoments ones = fill_moments(ProbeModel::kPartitioned, load, shape.slice_bits, 1);
    fills.push_back({ones.mean / w, ones.variance / w / w});
  }
  return fills;
}

double run_rate_variance(std::span<const SliceFill> fills, unsigned num_hashes) {
  const std::vector<Row> rise = rises(fills, num_hashes);
  RunMoments moments(num_hashes);
  double variance = 0;
  for (std::size_t t = 0; t < fills.size(); ++t) {
    variance += fills[t].variance * moments.square(rise[t]);
    moments.add(fills[t]);
  }
  return variance;
}

PhaseRates phase_rates(const AgeShape& shape) {
  return {.start = age_partitioned_rate(shape, steady_slice_loads(shape, 1)),
          .mean = mean_of_phase(shape),
          .worst = worst_age_partitioned_rate(shape),
          .num_held = shape.num_held()};
}

}  // namespace bloometry::theory
