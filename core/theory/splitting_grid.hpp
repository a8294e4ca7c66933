#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/statistics/rate_mixture.hpp"

/// Laws of a rate on a grid: what rate_law.cpp and block_rate_law.cpp combine laws by.
namespace bloometry::theory {

using Parts = std::vector<statistics::RateMixture::Part>;

/// Ascending rates; weight between two of them is split so that its mean stays. A law moved to the
/// grid is larger than itself in the convex order (same mean, spread further).
class SplittingGrid {
 public:
  static constexpr std::size_t kMaxParts = 1024;

  /// `rates` ascend.
  explicit SplittingGrid(const std::vector<double>& rates) {
    for (const double rate : rates) parts_.push_back({rate, 0.0});
  }

  void add(double rate, double weight) {
    const auto above =
        std::upper_bound(parts_.begin(), parts_.end(), rate,
                         [](double value, const auto& part) { return value < part.rate; });
    split(rate, weight, static_cast<std::size_t>(above - parts_.begin()));
  }

  /// The same for a rate that is not below the one before, of which `above` tells the place; 0 at
  /// first. Short steps instead of a search.
  void add_next(double rate, double weight, std::size_t& above) {
    while (above < parts_.size() && parts_[above].rate <= rate) ++above;
    split(rate, weight, above);
  }

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

 private:
  /// `above`: the first part whose rate is larger.
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

/// kMaxParts values from first to last.
inline std::vector<double> equidistant(double first, double last) {
  std::vector<double> values(SplittingGrid::kMaxParts);
  const double step = (last - first) / static_cast<double>(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<double>(i) * step;
  values.back() = last;
  return values;
}

/// Weight that cannot matter, and would only stretch a grid.
inline constexpr double kTrace = 1e-30;

/// Without the parts of a weight up to kTrace.
inline Parts without_traces(const Parts& parts) {
  Parts kept;
  for (const auto& part : parts) {
    if (part.weight > kTrace) kept.push_back(part);
  }
  return kept;
}

}  // namespace bloometry::theory
