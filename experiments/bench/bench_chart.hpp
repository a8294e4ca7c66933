#pragma once

#include <string>
#include <vector>

#include "experiments/bench/bench_result.hpp"
#include "experiments/chart/chart.hpp"

namespace bloometry::bench {

/// Returns the name of a chart's files without extension, such as `bench_random`.
[[nodiscard]] std::string chart_name(std::string_view keys);

/// Returns one chart for each kind of keys. A chart shows nanoseconds per key by filter, with one
/// panel for each pair of n and op.
[[nodiscard]] std::vector<chart::Chart> make_bench_charts(const BenchResult& result);

}  // namespace bloometry::bench
