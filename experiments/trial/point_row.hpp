#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/contract/filter_state.hpp"
#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The counts of a point, from any engine.
struct PointCounts {
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
  std::optional<std::uint64_t> num_refused_inserts{};  ///< as in TrialRow
  std::vector<std::uint64_t> set_probe_counts{};       ///< as in TrialRow
};

/// Returns the number of a point's queries that are in the histogram of set probes.
[[nodiscard]] std::uint64_t num_histogram_queries(const Point& point) noexcept;

/// Returns the row of a point. Every engine makes its rows with make_row().
[[nodiscard]] TrialRow make_row(const Unit& unit, const Point& point, const FilterState& state,
                                PointCounts counts);

}  // namespace bloometry
