#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/draws.hpp"

namespace bloometry::examples {

/// Draws ranks 0 .. size-1 by Zipf's law: rank r has a probability proportional to (r +
/// 1)^-exponent. The object needs 8 bytes per rank.
class Zipf {
 public:
  Zipf(std::uint64_t size, double exponent);

  [[nodiscard]] std::uint64_t draw(Draws& draws) const;

 private:
  std::vector<double> cumulative_;  ///< sum of the weights up to each rank
};

}  // namespace bloometry::examples
