#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "experiments/plan/config_value.hpp"

namespace bloometry {

/// Maximum number of values of one axis.
inline constexpr std::uint64_t kMaxAxisValues = 10'000;

// An axis is a number, a list, or {"from", "to", "steps", "scale": "linear" | "log"} with both ends
// included. The values of an axis are sorted and distinct. Axes report every invalid value and
// contain the valid values.

/// An axis of whole numbers. Inner values of a range are rounded to the nearest whole number.
/// @param who as in whole_number()
[[nodiscard]] ConfigValue<std::vector<std::uint64_t>> integer_axis(std::uint64_t min,
                                                                   std::uint64_t max,
                                                                   std::string_view who = {});

/// An axis of numbers of bits, as in number_of_bits().
[[nodiscard]] ConfigValue<std::vector<std::uint64_t>> bits_axis(std::uint64_t min,
                                                                std::uint64_t max);

/// An axis of real numbers. Inner values of a range are rounded to 9 significant digits. The
/// rounding makes the rows equal on machines whose std::pow differs in the last bit.
[[nodiscard]] ConfigValue<std::vector<double>> real_axis(const Interval& range);

}  // namespace bloometry
