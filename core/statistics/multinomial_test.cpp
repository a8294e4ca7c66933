#include "core/statistics/multinomial_test.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/require_domain.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

struct Cell {
  std::uint64_t count = 0;
  double probability = 0.0;
};

std::vector<Cell> cells_of(std::span<const std::uint64_t> counts,
                           std::span<const double> probabilities) {
  require_domain(!counts.empty(), "number of counts", "at least 1", counts.size());
  require_same_number("number of probabilities", probabilities.size(), "number of counts",
                      counts.size());
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    require_domain(probabilities[i] >= 0.0 && probabilities[i] <= 1.0, "probability", "in [0, 1]",
                   probabilities[i]);
    cells.push_back({counts[i], probabilities[i]});
  }
  return cells;
}

/// Joins neighbouring cells from the left until each has a large enough expected count. The last
/// group also contains the remaining cells at the end, whose expected count is too small.
std::vector<Cell> joined(const std::vector<Cell>& cells, double total) {
  std::vector<Cell> result;
  Cell open;
  for (const Cell& cell : cells) {
    open = {open.count + cell.count, open.probability + cell.probability};
    if (open.probability * total < kMinExpectedCount) continue;
    result.push_back(open);
    open = {};
  }
  if (result.empty()) return {open};
  result.back().count += open.count;
  result.back().probability += open.probability;
  return result;
}

/// Returns Fisher's combination of the p-values of all cells except the last. The function
/// p_value_of(j, count, left, share) returns the p-value of cell j for count ~ Bin(left, share).
template <class PValueOf>
double combined(std::span<const std::uint64_t> counts, std::span<const double> probabilities,
                PValueOf p_value_of) {
  const std::vector<Cell> all = cells_of(counts, probabilities);
  const auto cannot_be = [](const Cell& c) { return c.probability == 0.0 && c.count > 0; };
  if (std::any_of(all.begin(), all.end(), cannot_be)) return 0.0;
  std::uint64_t left = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::vector<Cell> cells = joined(all, static_cast<double>(left));
  if (cells.size() < 2) return 1.0;
  // Tails are summed from the last cell, so that the share of a cell among the remaining cells is
  // computed without cancellation.
  std::vector<double> tails(cells.size());
  double tail = 0.0;
  for (std::size_t j = cells.size(); j-- > 0;) tails[j] = tail += cells[j].probability;
  double statistic = 0.0;
  for (std::size_t j = 0; j + 1 < cells.size(); ++j) {
    const double share = std::min(1.0, cells[j].probability / tails[j]);
    const double p_value = p_value_of(j, cells[j].count, left, share);
    if (p_value <= 0.0) return 0.0;
    statistic -= 2.0 * std::log(p_value);
    left -= cells[j].count;
  }
  return chi_square_p_value(statistic, 2 * (cells.size() - 1));
}

}  // namespace

double multinomial_p_value(std::span<const std::uint64_t> counts,
                           std::span<const double> probabilities) {
  return combined(counts, probabilities,
                  [](std::size_t, std::uint64_t count, std::uint64_t left, double share) {
                    return binomial_two_sided_p_value(count, left, share);
                  });
}

double multinomial_randomised_p_value(std::span<const std::uint64_t> counts,
                                      std::span<const double> probabilities,
                                      std::span<const double> v) {
  require_same_number("number of values in v", v.size(), "number of counts", counts.size());
  return combined(counts, probabilities,
                  [v](std::size_t j, std::uint64_t count, std::uint64_t left, double share) {
                    const double pit = binomial_randomised_pit(count, left, share, v[j]);
                    return 2.0 * std::min(pit, 1.0 - pit);
                  });
}

}  // namespace bloometry::statistics
