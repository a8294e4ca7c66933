#pragma once

#include <cstddef>
#include <vector>

#include "experiments/plan/chart_request.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/report/charts.hpp"

namespace bloometry::report {

/// What is asked of one chart.
struct Request : ChartRequest {
  bool is_standard = false;  ///< not by the config: drawn if there is enough to see
};

/// The charts that a report is to have, in the order of the page: those of the choices, else those
/// of the config, else all standard ones. One of rate_vs_theory and rate_by_point is standard, as
/// many or few rows suit it. ns_vs_rate joins them if there are times.
[[nodiscard]] std::vector<Request> requested_charts(const Config& config, std::size_t num_rows,
                                                    const ChartChoices& choices);

}  // namespace bloometry::report
