#include "core/theory/rate_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/filter/rate_given_state.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/geometry_check.hpp"

namespace bloometry::theory {
namespace {

using statistics::RateMixture;
using Parts = std::vector<RateMixture::Part>;

constexpr std::size_t kMaxParts = 1024;

/// Equidistant values in some scale; weight between two of them is split so that its mean in
/// the rate stays.
class SplittingGrid {
 public:
  /// `rates` ascend.
  explicit SplittingGrid(std::vector<double> rates) {
    for (const double rate : rates) parts_.push_back({rate, 0.0});
  }

  void add(double rate, double weight) {
    const auto above = std::upper_bound(
        parts_.begin(), parts_.end(), rate,
        [](double value, const RateMixture::Part& part) { return value < part.rate; });
    if (above == parts_.begin() || above == parts_.end()) {
      (above == parts_.end() ? parts_.back() : parts_.front()).weight += weight;
      return;
    }
    RateMixture::Part& high = *above;
    RateMixture::Part& low = *(above - 1);
    const double share = (rate - low.rate) / (high.rate - low.rate);
    low.weight += weight * (1.0 - share);
    high.weight += weight * share;
  }

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

 private:
  Parts parts_;
};

std::vector<double> equidistant(double first, double last) {
  std::vector<double> values(kMaxParts);
  const double step = (last - first) / static_cast<double>(kMaxParts - 1);
  for (std::size_t i = 0; i < kMaxParts; ++i) values[i] = first + static_cast<double>(i) * step;
  values.back() = last;
  return values;
}

/// Every fill that matters with its rate, ascending.
template <class RateOfOnes>
Parts parts_over_fill(const FillLaw& law, RateOfOnes rate_of_ones) {
  const double reach = 12.0 * std::sqrt(law.variance()) + 40.0;
  const auto [first, last] = law.support();
  const auto low = std::max(first, static_cast<std::uint64_t>(std::max(0.0, law.mean() - reach)));
  const auto high = std::min(last, static_cast<std::uint64_t>(law.mean() + reach));
  Parts parts;
  for (std::uint64_t ones = low; ones <= high; ++ones) {
    parts.push_back({rate_of_ones(ones), law.pmf(ones)});
  }
  return parts;
}

Parts at_most_max_parts(Parts parts) {
  if (parts.size() <= kMaxParts) return parts;
  SplittingGrid grid(equidistant(parts.front().rate, parts.back().rate));
  for (const auto& [rate, weight] : parts) grid.add(rate, weight);
  return grid.parts();
}

/// Fills of one slice of a partitioned filter.
Parts slice_fills(std::uint64_t n, std::uint64_t slice_bits) {
  const FillLaw law(ProbeModel::kWithReplacement, n, slice_bits, 1);
  return at_most_max_parts(parts_over_fill(law, [slice_bits](std::uint64_t ones) {
    return static_cast<double>(ones) / static_cast<double>(slice_bits);
  }));
}

/// Parts whose weight cannot matter, one in 10^30, are left out: they would only stretch the grid.
Parts without_traces(const Parts& parts) {
  Parts kept;
  for (const auto& part : parts) {
    if (part.weight > 1e-30) kept.push_back(part);
  }
  return kept;
}

/// The law of the product of two independent rates, on a grid equidistant in the logarithm.
Parts product(const Parts& a, const Parts& b) {
  if (a.size() * b.size() <= kMaxParts) {
    Parts all;
    for (const auto& [rate, weight] : a) {
      for (const auto& part : b) all.push_back({rate * part.rate, weight * part.weight});
    }
    return all;
  }
  const auto extreme = [&](auto pick) {
    const auto by_rate = [](const auto& x, const auto& y) { return x.rate < y.rate; };
    return std::log(pick(a.begin(), a.end(), by_rate)->rate) +
           std::log(pick(b.begin(), b.end(), by_rate)->rate);
  };
  std::vector<double> rates =
      equidistant(extreme([](auto... x) { return std::min_element(x...); }),
                  extreme([](auto... x) { return std::max_element(x...); }));
  for (double& rate : rates) rate = std::exp(rate);
  SplittingGrid grid(std::move(rates));
  for (const auto& [rate, weight] : a) {
    for (const auto& part : b) grid.add(rate * part.rate, weight * part.weight);
  }
  return grid.parts();
}

Parts partitioned_parts(std::uint64_t n, std::uint64_t m, unsigned k) {
  const Parts short_slice = without_traces(slice_fills(n, m / k));
  const Parts long_slice = m % k == 0 ? short_slice : without_traces(slice_fills(n, m / k + 1));
  Parts parts{{1.0, 1.0}};
  for (unsigned slice = 0; slice < k; ++slice) {
    parts = without_traces(product(parts, slice < m % k ? long_slice : short_slice));
  }
  return parts;
}

}  // namespace

RateMixture rate_law(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k) {
  require_geometry(model, m, k);
  if (n == 0) return RateMixture::certain(0.0);
  if (model == ProbeModel::kPartitioned) return RateMixture(partitioned_parts(n, m, k));
  return RateMixture(
      at_most_max_parts(parts_over_fill(FillLaw(model, n, m, k), [&](std::uint64_t ones) {
        return rate_given_ones(model, ones, m, k);
      })));
}

}  // namespace bloometry::theory
