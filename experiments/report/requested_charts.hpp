#pragma once

#include <cstddef>
#include <vector>

#include "experiments/plan/chart_request.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/report/charts.hpp"

namespace bloometry::report {

/// The request for one chart.
struct Request : ChartRequest {
  bool is_standard = false;  ///< true if config and choices do not name it; then needs enough data
};

/// Returns the charts of a report in page order. They are those that the choices name, otherwise
/// those that the config requests, otherwise all standard charts. The number of rows determines
/// whether rate_vs_theory or rate_by_point is standard. If the choices contain query times, the
/// result also contains ns_vs_rate.
[[nodiscard]] std::vector<Request> requested_charts(const Config& config, std::size_t num_rows,
                                                    const ChartChoices& choices);

}  // namespace bloometry::report
