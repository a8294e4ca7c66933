#include "experiments/examples/zipf.hpp"

#include <algorithm>
#include <cmath>

namespace bloometry::examples {

Zipf::Zipf(std::uint64_t size, double exponent) {
  double sum = 0;
  for (std::uint64_t rank = 1; rank <= size; ++rank) {
    sum += std::pow(static_cast<double>(rank), -exponent);
    cumulative_.push_back(sum);
  }
}

std::uint64_t Zipf::draw(Draws& draws) const {
  constexpr std::uint64_t kSteps = std::uint64_t{1} << 53U;
  const double share = static_cast<double>(draws.next(kSteps)) / static_cast<double>(kSteps);
  const auto place =
      std::upper_bound(cumulative_.begin(), cumulative_.end(), share * cumulative_.back());
  return static_cast<std::uint64_t>(
      std::min(place - cumulative_.begin(), std::ssize(cumulative_) - 1));
}

}  // namespace bloometry::examples
