#pragma once

#include "core/probe/probe_policy.hpp"

/// The models of a filter's probes, by the letters of tables.
namespace bloometry {

inline constexpr auto kW = ProbeModel::kWithReplacement;
inline constexpr auto kD = ProbeModel::kDistinct;
inline constexpr auto kP = ProbeModel::kPartitioned;

}  // namespace bloometry
