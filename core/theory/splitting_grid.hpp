#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/statistics/rate_mixture.hpp"

/// Laws of a rate on a grid, for rate_law.cpp and block_rate_law.cpp.
namespace bloometry::theory {

using Parts = std::vector<statistics::RateMixture::Part>;

/// A grid of ascending rates. The weight of a rate between two grid rates is split between them so
/// that the mean does not change. In the convex order, a law on the grid is therefore larger than
/// the original law (equal mean, larger spread).
class SplittingGrid {
 public:
  static constexpr std::size_t kMaxParts = 1024;

  /// Creates the grid. The elements of `rates` must be in ascending order.
  explicit SplittingGrid(const std::vector<double>& rates) {
    for (const double rate : rates) parts_.push_back({rate, 0.0});
  }

  void add(double rate, double weight) {
    const auto above =
        std::upper_bound(parts_.begin(), parts_.end(), rate,
                         [](double value, const auto& part) { return value < part.rate; });
    split(rate, weight, static_cast<std::size_t>(above - parts_.begin()));
  }

  /// Adds a rate that is not below the previous rate. `above` is initially 0, and then the position
  /// of the first grid rate that is larger than the previous rate. The function advances `above`
  /// step by step instead of searching.
  void add_next(double rate, double weight, std::size_t& above) {
    while (above < parts_.size() && parts_[above].rate <= rate) ++above;
    split(rate, weight, above);
  }

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

 private:
  /// Splits the weight between two grid rates. `above` is the position of the first grid rate that
  /// is larger than `rate`.
  void split(double rate, double weight, std::size_t above) {
    if (above == 0 || above == parts_.size()) {
      (above == 0 ? parts_.front() : parts_.back()).weight += weight;
      return;
    }
    auto& high = parts_[above];
    auto& low = parts_[above - 1];
    const double share = (rate - low.rate) / (high.rate - low.rate);
    low.weight += weight * (1.0 - share);
    high.weight += weight * share;
  }

  Parts parts_;
};

/// Returns kMaxParts equidistant values from first to last.
inline std::vector<double> equidistant(double first, double last) {
  std::vector<double> values(SplittingGrid::kMaxParts);
  const double step = (last - first) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<double>(i) * step;
  values.back() = last;
  return values;
}

/// Maximum weight of a part that is omitted, because the part would widen the grid without a
/// relevant effect.
inline constexpr double kTrace = 1e-30;

/// Returns the parts whose weight is above kTrace.
inline Parts without_traces(const Parts& parts) {
  Parts kept;
  for (const auto& part : parts) {
    if (part.weight > kTrace) kept.push_back(part);
  }
  return kept;
}

}  // namespace bloometry::theory
