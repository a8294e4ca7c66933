#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bloometry {

/// Keys inserted when a filter is measured, as multiples of the keys that it is claimed for. At the
/// best k the rate hardly depends on k; it does at other loads.
inline constexpr double kDefaultLoads[] = {0.25, 1.0, 2.0};

/// @throws ConfigError unless there are 1 to 16 loads, all of them in [1e-6, 100].
void require_valid_loads(std::span<const double> loads);

/// Keys at each load, rounded, at least 1; ascending and distinct.
[[nodiscard]] std::vector<std::uint64_t> keys_at_loads(std::uint64_t num_keys,
                                                       std::span<const double> loads);

}  // namespace bloometry
