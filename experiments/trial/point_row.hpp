#pragma once

#include <cstdint>
#include <vector>

#include "core/filter/filter_state.hpp"
#include "experiments/rows/trial_row.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// What was counted at a point, whoever counted it.
struct PointCounts {
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
  std::vector<std::uint64_t> set_probe_counts{};  ///< as in TrialRow
};

/// How many queries of a point have their probes counted.
[[nodiscard]] std::uint64_t num_histogram_queries(const Point& point) noexcept;

/// The row of a point. Every engine makes its rows here.
[[nodiscard]] TrialRow make_row(const Unit& unit, const Point& point, const FilterState& state,
                                PointCounts counts);

}  // namespace bloometry
