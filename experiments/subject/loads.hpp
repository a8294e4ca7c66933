#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bloometry {

/// Numbers of keys in a measured filter, as multiples of the claimed number of keys. Loads other
/// than 1 are necessary to detect a wrong k: at load 1 and near the best k, the rate hardly depends
/// on k.
inline constexpr double kDefaultLoads[] = {0.25, 1.0, 2.0};

/// Throws ConfigError unless `loads` contains 1 to 16 numbers in [1e-6, 100].
void require_valid_loads(std::span<const double> loads);

/// Returns the number of keys at each load, rounded to a whole number of at least 1. The numbers of
/// keys are ascending and distinct.
[[nodiscard]] std::vector<std::uint64_t> keys_at_loads(std::uint64_t num_keys,
                                                       std::span<const double> loads);

}  // namespace bloometry
