#include "core/contract/set_estimates.hpp"

#include <algorithm>
#include <cmath>

namespace bloometry {

std::optional<double> SetEstimates::raw_intersection() const noexcept {
  if (std::isinf(count_union)) return std::nullopt;
  return count_a + count_b - count_union;
}

std::optional<double> SetEstimates::intersection() const noexcept {
  const std::optional<double> raw = raw_intersection();
  if (!raw) return std::nullopt;
  return std::clamp(*raw, 0.0, std::min(count_a, count_b));
}

std::optional<double> SetEstimates::jaccard() const noexcept {
  const std::optional<double> common = intersection();
  if (!common) return std::nullopt;
  return count_union == 0 ? 1.0 : *common / count_union;
}

}  // namespace bloometry
