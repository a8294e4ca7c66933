#include "core/theory/rate_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rates/rate_given_state.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/splitting_grid.hpp"

namespace bloometry::theory {
namespace {

using statistics::RateMixture;

/// Returns the rates of all relevant fills with their weights, in ascending order.
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
  if (parts.size() <= SplittingGrid::kMaxParts) return parts;
  SplittingGrid grid(equidistant(parts.front().rate, parts.back().rate));
  for (const auto& [rate, weight] : parts) grid.add(rate, weight);
  return grid.parts();
}

/// Returns the fills of one slice of a partitioned filter with their weights.
Parts slice_fills(std::uint64_t n, std::uint64_t slice_bits) {
  const FillLaw law(ProbeModel::kWithReplacement, n, slice_bits, 1);
  return at_most_max_parts(parts_over_fill(law, [slice_bits](std::uint64_t ones) {
    return static_cast<double>(ones) / static_cast<double>(slice_bits);
  }));
}

/// Returns the law of the product of two independent rates, on a grid equidistant in the logarithm.
Parts product(const Parts& a, const Parts& b) {
  if (a.size() * b.size() <= SplittingGrid::kMaxParts) {
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
