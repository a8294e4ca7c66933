#pragma once

#include "core/probe/probe_policy.hpp"

/// Constants for the probe models W, D and P, named as in the tables of theory.
namespace bloometry {

inline constexpr auto kW = ProbeModel::kWithReplacement;
inline constexpr auto kD = ProbeModel::kDistinct;
inline constexpr auto kP = ProbeModel::kPartitioned;

}  // namespace bloometry
