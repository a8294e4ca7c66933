#include "variants/age_partitioned/age_partitioned_rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/probe/limits.hpp"

namespace bloometry {
namespace {

/// Returns the expected fill 1 - (1-1/w)^t of a slice of w bits after t insert calls.
double expected_fill(std::uint64_t num_inserts, std::uint64_t slice_bits) {
  if (num_inserts == 0) return 0;
  const double log_miss = std::log1p(-1.0 / static_cast<double>(slice_bits));  // -inf for one bit
  return -std::expm1(static_cast<double>(num_inserts) * log_miss);
}

}  // namespace

double rate_given_fills(std::span<const double> fills, unsigned num_hashes) noexcept {
  // runs[r] is the probability that the last r slices match, the slice before them does not, and
  // no num_hashes consecutive slices have matched.
  std::array<double, kMaxNumHashes> runs{1.0};
  double rate = 0;
  for (const double fill : fills) {
    double none = 0;
    for (unsigned r = 0; r < num_hashes; ++r) none += runs[r];
    rate += fill * runs[num_hashes - 1];
    for (unsigned r = num_hashes - 1; r > 0; --r) runs[r] = fill * runs[r - 1];
    runs[0] = (1 - fill) * none;
  }
  return std::min(rate, 1.0);  // a sum of rounded terms
}

std::vector<std::uint64_t> slice_loads(const AgeShape& shape, std::uint64_t num_inserts) {
  const std::uint64_t g = shape.generation_capacity;
  const std::uint64_t num_closed = num_inserts == 0 ? 0 : (num_inserts - 1) / g;
  const std::uint64_t num_newest = num_inserts - num_closed * g;
  std::vector<std::uint64_t> loads(shape.num_slices());
  for (std::uint64_t age = 0; age < loads.size(); ++age) {
    // The slice was written in `written` of the closed generations that followed each other. After
    // the last of them, age - written generations closed.
    const std::uint64_t written = std::min<std::uint64_t>(age, shape.num_hashes);
    const std::uint64_t existed = num_closed - std::min(num_closed, age - written);
    loads[age] = std::min(written, existed) * g + (age < shape.num_hashes ? num_newest : 0);
  }
  return loads;
}

std::vector<std::uint64_t> steady_slice_loads(const AgeShape& shape, std::uint64_t num_newest) {
  const std::uint64_t k = shape.num_hashes;
  std::vector<std::uint64_t> loads(shape.num_slices(), k * shape.generation_capacity);
  for (std::uint64_t age = 0; age < k; ++age) {
    loads[age] = age * shape.generation_capacity + num_newest;
  }
  return loads;
}

double age_partitioned_rate(const AgeShape& shape, std::span<const std::uint64_t> loads) {
  std::vector<double> fills(loads.size());
  std::ranges::transform(loads, fills.begin(),
                         [&](std::uint64_t load) { return expected_fill(load, shape.slice_bits); });
  return rate_given_fills(fills, shape.num_hashes);
}

double age_partitioned_rate(const AgeShape& shape, std::uint64_t num_inserts) {
  return age_partitioned_rate(shape, slice_loads(shape, num_inserts));
}

double worst_age_partitioned_rate(const AgeShape& shape) {
  return age_partitioned_rate(shape, steady_slice_loads(shape, shape.generation_capacity));
}

}  // namespace bloometry
