#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "experiments/plan/config_field.hpp"

namespace bloometry {

/// Maximum number of values of one axis.
inline constexpr std::uint64_t kMaxAxisValues = 10'000;

// An axis is a number, a list, or {"from", "to", "steps", "scale": "linear" | "log"} with both ends
// included. Values are sorted and duplicates are dropped. Both readers report every bad value and
// then return the valid ones.

/// Reads whole numbers. Inner values of a range are rounded to the nearest whole number.
/// @param who as read_integer.
[[nodiscard]] std::vector<std::uint64_t> read_integer_axis(const ConfigField& field,
                                                           std::uint64_t min, std::uint64_t max,
                                                           std::string_view who = {});

/// Reads real numbers. Inner values of a range are rounded to 9 significant digits. Machines whose
/// logarithms differ in the last bit then give the same rows.
[[nodiscard]] std::vector<double> read_real_axis(const ConfigField& field, const Interval& range);

}  // namespace bloometry
