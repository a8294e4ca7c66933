#include "core/rates/modulo_cells.hpp"

#include <cmath>
#include <limits>

namespace bloometry {
namespace {

double ones_of(std::uint64_t num_cells, double share, double num_probes) noexcept {
  return -static_cast<double>(num_cells) * std::expm1(num_probes * std::log1p(-share));
}

}  // namespace

ModuloCells modulo_cells(std::uint64_t num_cells, std::uint64_t num_values) noexcept {
  const auto values = static_cast<double>(num_values);
  if (num_cells >= num_values) {
    return {.num_heavy = num_values,
            .num_light = num_cells - num_values,
            .heavy = 1 / values,
            .light = 0};
  }
  const std::uint64_t quotient = num_values / num_cells;
  const std::uint64_t num_heavy = num_values % num_cells;
  return {.num_heavy = num_heavy,
          .num_light = num_cells - num_heavy,
          .heavy = static_cast<double>(quotient + 1) / values,
          .light = static_cast<double>(quotient) / values};
}

double expected_ones(const ModuloCells& cells, double num_keys, unsigned num_hashes) noexcept {
  const double num_probes = num_keys * num_hashes;
  if (num_probes == 0) return 0;
  return ones_of(cells.num_heavy, cells.heavy, num_probes) +
         ones_of(cells.num_light, cells.light, num_probes);
}

double count_given_ones(const ModuloCells& cells, std::uint64_t ones,
                        unsigned num_hashes) noexcept {
  if (ones == 0) return 0;
  if (ones >= cells.num_reachable()) return std::numeric_limits<double>::infinity();
  const auto target = static_cast<double>(ones);
  double high = 1;
  while (expected_ones(cells, high, num_hashes) < target) high *= 2;
  double low = 0;
  while (high - low > 1e-15 * high) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (expected_ones(cells, middle, num_hashes) < target ? low : high) = middle;
  }
  return high;
}

}  // namespace bloometry
