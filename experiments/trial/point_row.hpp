#pragma once

#include <cstdint>

#include "core/filter/filter_state.hpp"
#include "experiments/output/trial_row.hpp"
#include "experiments/plan/unit.hpp"

namespace bloometry {

/// What was counted at a point, whoever counted it.
struct PointCounts {
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
};

/// The row of a point. Every engine makes its rows here.
[[nodiscard]] TrialRow make_row(const Unit& unit, const Point& point, const FilterState& state,
                                const PointCounts& counts);

}  // namespace bloometry
