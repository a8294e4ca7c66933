#include "core/theory/block_rate_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/theory/fill_law.hpp"
#include "core/theory/rate_law.hpp"
#include "core/theory/splitting_grid.hpp"

namespace bloometry::theory {
namespace {

using statistics::RateMixture;

/// Returns a grid from `least` > 0 to `most` that is equidistant in the logarithm. The grid also
/// contains 0 if has_0 is true.
SplittingGrid logarithmic_grid(bool has_0, double least, double most) {
  std::vector<double> rates = equidistant(std::log(least), std::log(most));
  for (double& rate : rates) rate = std::exp(rate);
  if (has_0) rates.insert(rates.begin(), 0.0);
  return SplittingGrid(rates);
}

/// Returns the least value above 0, or +infinity if all values are 0.
double least_above_0(const Parts& ascending) {
  for (const auto& part : ascending) {
    if (part.rate > 0.0) return part.rate;
  }
  return std::numeric_limits<double>::infinity();
}

/// Returns the law of operation(A, B) for independent A and B. The arguments are the ascending
/// parts of the two laws. `operation` must increase in each of its two arguments.
template <class Operation>
Parts combined(const Parts& a, const Parts& b, Operation operation) {
  const double low = operation(a.front().rate, b.front().rate);
  const double high = operation(a.back().rate, b.back().rate);
  if (!(high > 0.0)) return {{0.0, 1.0}};
  const bool has_0 = !(low > 0.0);
  const double least = has_0 ? std::min(least_above_0(a), least_above_0(b)) : low;
  SplittingGrid grid = logarithmic_grid(has_0, least, high);
  for (const auto& [rate, weight] : a) {
    std::size_t above = 0;
    for (const auto& part : b)
      grid.add_next(operation(rate, part.rate), weight * part.weight, above);
  }
  return without_traces(grid.parts());
}

/// Returns the law of `count` independent values of the law `one`, combined by the operation. The
/// function uses repeated doubling.
template <class Operation>
Parts repeated(Parts one, std::uint64_t count, Operation operation) {
  Parts all;
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) all = all.empty() ? one : combined(all, one, operation);
    if (count > 1) one = combined(one, one, operation);
  }
  return all;
}

/// A number of keys in a block, with its probability.
struct BlockLoad {
  std::uint64_t num_keys = 0;
  double weight = 0.0;
};

/// Returns the numbers of keys whose probability under Bin(n, 1/b) is above kTrace, in ascending
/// order. The probabilities are computed by ratios from the mode and divided by their sum.
std::vector<BlockLoad> block_loads(std::uint64_t n, std::uint64_t num_blocks) {
  if (num_blocks == 1) return {{n, 1.0}};
  const auto keys = static_cast<double>(n);
  const double odds = 1.0 / (static_cast<double>(num_blocks) - 1.0);
  const std::uint64_t mode = n / num_blocks;
  std::vector<BlockLoad> loads;
  double weight = 1.0;
  for (std::uint64_t j = mode; j > 0 && weight > kTrace; --j) {
    weight *= static_cast<double>(j) / ((keys - static_cast<double>(j) + 1.0) * odds);
    loads.push_back({j - 1, weight});
  }
  std::reverse(loads.begin(), loads.end());
  weight = 1.0;
  for (std::uint64_t j = mode; j <= n && weight > kTrace; ++j) {
    loads.push_back({j, weight});
    weight *= (keys - static_cast<double>(j)) / (static_cast<double>(j) + 1.0) * odds;
  }
  double sum = 0.0;
  for (const BlockLoad& load : loads) sum += load.weight;
  for (BlockLoad& load : loads) load.weight /= sum;
  return loads;
}

/// Returns the law of the rate of one block with num_keys keys, as ascending parts.
Parts rates_of_block(ProbeModel model, std::uint64_t num_keys, const Geometry& geometry) {
  const unsigned k = geometry.num_hashes;
  if (num_keys == 0) return {{0.0, 1.0}};
  if (model != ProbeModel::kPartitioned) {
    return rate_law(model, num_keys, geometry.block_cells, k).parts();
  }
  const auto lane =
      rate_law(ProbeModel::kWithReplacement, num_keys, geometry.block_cells / k, 1).parts();
  return repeated(lane, k, std::multiplies<>());
}

/// Returns the law of the rate of one block. The number of keys in the block has the distribution
/// `loads`.
Parts rates_of_any_block(ProbeModel model, const std::vector<BlockLoad>& loads,
                         const Geometry& geometry) {
  if (loads.size() == 1) return rates_of_block(model, loads.front().num_keys, geometry);
  Parts all;
  for (const auto& [num_keys, probability] : loads) {
    for (const auto& [rate, weight] : rates_of_block(model, num_keys, geometry)) {
      all.push_back({rate, weight * probability});
    }
  }
  all = without_traces(all);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
  SplittingGrid grid =
      logarithmic_grid(all.front().rate == 0.0, least_above_0(all), all.back().rate);
  std::size_t above = 0;
  for (const auto& [rate, weight] : all) grid.add_next(rate, weight, above);
  return without_traces(grid.parts());
}

}  // namespace

RateMixture block_rate_law(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  if (n == 0) return RateMixture::certain(0.0);
  const std::uint64_t num_blocks = geometry.num_blocks();
  const std::vector<BlockLoad> loads = block_loads(n, num_blocks);
  if (RateMixture(rates_of_block(model, loads.front().num_keys, geometry)).mean() == 1.0) {
    return RateMixture::certain(1.0);
  }
  Parts sum = repeated(rates_of_any_block(model, loads, geometry), num_blocks, std::plus<>());
  for (auto& part : sum) part.rate = std::min(1.0, part.rate / static_cast<double>(num_blocks));
  return RateMixture(sum);
}

}  // namespace bloometry::theory
