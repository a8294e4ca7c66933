#pragma once

#include <optional>

#include "experiments/report/bench_times.hpp"
#include "experiments/report/series_chart.hpp"

namespace bloometry::report {

/// Draws the time of a negative query against the false-positive rate, with one panel per n and
/// kind of keys. The chart is absent if the input does not contain times.
/// @param input input of the run's charts; determines the order and colours of variants
[[nodiscard]] std::optional<chart::Chart> ns_vs_rate(const BenchTimes& bench,
                                                     const ChartInput& input);

}  // namespace bloometry::report
