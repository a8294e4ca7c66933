#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// Maximum number of values of one axis.
inline constexpr std::uint64_t kMaxAxisValues = 10'000;

// An axis is a number, a list, or {"from", "to", "steps", "scale": "linear" | "log"} with both ends
// included. The values of an axis are sorted and distinct. read_integer_axis() and read_real_axis()
// report every invalid value and return the valid values.

/// Reads an axis of whole numbers. read_integer_axis() rounds inner values of a range to the
/// nearest whole number.
/// @param who as in read_integer()
[[nodiscard]] std::vector<std::uint64_t> read_integer_axis(const ConfigField& field,
                                                           std::uint64_t min, std::uint64_t max,
                                                           std::string_view who = {});

/// Reads an axis of real numbers. read_real_axis() rounds inner values of a range to 9 significant
/// digits. The rounding makes the rows equal on machines whose std::pow differs in the last bit.
[[nodiscard]] std::vector<double> read_real_axis(const ConfigField& field, const Interval& range);

}  // namespace bloometry
