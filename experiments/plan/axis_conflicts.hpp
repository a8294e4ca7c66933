#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/plan/chart_request.hpp"

namespace bloometry {

/// Returns whether two names denote the same axis. Both num_keys and num_inserted are n.
[[nodiscard]] bool is_same_axis(std::string_view a, std::string_view b);

/// Returns the x axis of a chart. The result is empty if the data determine it, or if x is not one
/// of the axes.
[[nodiscard]] std::string_view x_axis_of(const ChartRequest& request);

/// Two uses of one axis in a chart.
struct AxisConflict {
  std::string chart;
  std::string field;  ///< series, facet or fix
  std::string axis;   ///< axis that the field names
  std::string other;  ///< same axis by the name in its other use
  std::string use;    ///< other use, such as "the x axis"
};

/// Returns the conflicts of a request: a series or facet that is x, a facet that is the series, and
/// a fixed x.
/// @param is_same function that returns whether two axes are the same
[[nodiscard]] std::vector<AxisConflict> axis_conflicts(
    const ChartRequest& request, std::string_view x,
    const std::function<bool(std::string_view, std::string_view)>& is_same = is_same_axis);

/// Returns the text after the field's name, such as "must be one of variant, hash, because
/// num_inserted is the x axis of rate_vs_n, got 'num_keys'".
/// @param conflicts conflicts of one field and axis in one or more charts
/// @param quote character around the given name
[[nodiscard]] std::string conflict_text(std::span<const AxisConflict> conflicts, char quote);

}  // namespace bloometry
