#pragma once

#include "core/probe/probe_policy.hpp"

/// The probe models under the letters W, D and P, as in the tables of theory.
namespace bloometry {

inline constexpr auto kW = ProbeModel::kWithReplacement;
inline constexpr auto kD = ProbeModel::kDistinct;
inline constexpr auto kP = ProbeModel::kPartitioned;

}  // namespace bloometry
